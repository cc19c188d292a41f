import { type RequestHandler, Router } from "express";
import type { Logger } from "pino";
import type { Db, Statement } from "../db/db";

const ask: Statement<unknown> = { name: "health.ask", text: "SELECT 1" };

/** `/healthz`: the process answers. `/readyz`: so does the database. */
export function healthRouter(db: Db, logger: Logger): Router {
  const ready: RequestHandler = async (_request, response) => {
    try {
      await db.query(ask);
      response.json({ status: "ready" });
    } catch (error) {
      logger.warn({ err: error }, "not ready: the database does not answer");
      response.status(503).json({ status: "not ready", reason: "The database does not answer." });
    }
  };
  return Router()
    .get("/healthz", (_request, response) => void response.json({ status: "ok" }))
    .get("/readyz", ready);
}
