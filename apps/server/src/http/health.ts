import { type RequestHandler, Router } from "express";
import type { HttpDeps } from "./deps";
import { nameOperation } from "./locals";

/**
 * `/healthz`: the process responds. `/readyz`: it also keeps its port open. Neither depends on the database, which all processes share:
 * without it a load balancer would remove every process, and its clients would get errors without `Retry-After`.
 */
export function healthRouter({ isStopping }: Pick<HttpDeps, "isStopping">): Router {
  const ready: RequestHandler = (_request, response) => {
    if (isStopping()) response.status(503).json({ status: "not ready", reason: "The server is stopping." });
    else response.json({ status: "ready" });
  };
  return Router()
    .get("/healthz", nameOperation("healthz"), (_request, response) => void response.json({ status: "ok" }))
    .get("/readyz", nameOperation("readyz"), ready);
}
