import type { ErrorCode, Operation, problem } from "@madang/contract";
import * as z from "zod";

type Route = Operation["route"];

/** The statuses that an operation may answer with, as its contract declares them. */
export function statusesOf(route: Route): number[] {
  return Object.keys(route.responses).map(Number);
}

/** The codes of its refusals. */
export function codesOf(route: Route): ErrorCode[] {
  return Object.entries(route.responses).flatMap(([status, response]) =>
    Number(status) >= 400 && isProblem(response) ? response.shape.code.options : [],
  );
}

function isProblem(response: unknown): response is ReturnType<typeof problem<ErrorCode>> {
  return response instanceof z.ZodObject && "code" in response.shape;
}
