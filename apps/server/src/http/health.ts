import { type RequestHandler, Router } from "express";
import type { Statement } from "../db/db";
import type { HttpDeps } from "./deps";
import { nameOperation } from "./locals";

const probeStatement: Statement<unknown> = { name: "health.probe", text: "SELECT 1" };
const maxProbeAgeMs = 1_000;

/** `/healthz`: the process responds. `/readyz`: the process and the database accept requests. */
export function healthRouter({
  db,
  logger,
  isStopping,
}: Pick<HttpDeps, "db" | "logger" | "isStopping">): Router {
  let probedAt = Number.NEGATIVE_INFINITY;
  let probe: Promise<boolean> = Promise.resolve(false);

  const runProbe = () =>
    db.query(probeStatement).then(
      () => true,
      (error: unknown) => {
        logger.warn({ reason: error instanceof Error ? error.message : String(error) }, "not ready");
        return false;
      },
    );
  // At most one probe per second, because each takes a database connection.
  const isDatabaseReady = () => {
    const now = performance.now();
    if (now - probedAt >= maxProbeAgeMs) {
      probedAt = now;
      probe = runProbe();
    }
    return probe;
  };

  const ready: RequestHandler = async (_request, response) => {
    const reason = isStopping()
      ? "The server is stopping."
      : (await isDatabaseReady())
        ? undefined
        : "The database is unavailable.";
    if (reason === undefined) response.json({ status: "ready" });
    else response.status(503).json({ status: "not ready", reason });
  };
  return Router()
    .get("/healthz", nameOperation("healthz"), (_request, response) => void response.json({ status: "ok" }))
    .get("/readyz", nameOperation("readyz"), ready);
}
