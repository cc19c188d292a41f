import type { RequestHandler } from "express";
import { localsOf } from "./caller";

/** Names a request that is none of the contract's in logs and metrics. */
export const nameOperation =
  (operation: string): RequestHandler =>
  (_request, response, next) => {
    localsOf(response).operationName = operation;
    next();
  };
