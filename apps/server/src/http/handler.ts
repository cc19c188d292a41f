import type { Request, Response } from "express";

/** What ts-rest passes to a handler. */
export interface Call {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly req: Request;
  readonly res: Response;
}

export type Handler = (call: Call) => Promise<{ readonly status: number; readonly body: unknown }>;
