import { parse } from "node:querystring";
import { contract, eventStream } from "@madang/contract";
import { createExpressEndpoints, type RequestValidationError } from "@ts-rest/express";
import express, { type Express, type NextFunction } from "express";
import { recordRejections, recordRequests } from "./audit/record-requests";
import { consoleRouter } from "./console/router";
import { docsRouter } from "./docs/router";
import { assignRequestId } from "./http/assign-request-id";
import { authenticate } from "./http/authenticate";
import { BodyBudget } from "./http/body-budget";
import { checkEncoding } from "./http/check-encoding";
import { checkMessage } from "./http/check-message";
import type { HttpDeps } from "./http/deps";
import { explainInvalid, type Sent } from "./http/explain-invalid";
import { healthRouter } from "./http/health";
import { limitRate } from "./http/limit-rate";
import { logRequests } from "./http/log-requests";
import { measureRequests } from "./http/measure-requests";
import { readJson } from "./http/read-json";
import { rejectUnknownRoute } from "./http/reject-unknown-route";
import { reportChanges } from "./http/report-changes";
import { secureHeaders } from "./http/secure-headers";
import { sendErrors } from "./http/send-errors";
import { sendJson } from "./http/send-json";
import { traceRequests } from "./http/trace-requests";
import { logInvalidResponses, validateResponses } from "./http/validate-responses";
import { makeIdempotent } from "./idempotency/make-idempotent";
import { batchEntries } from "./resources/audit/batch";
import type { Deps } from "./resources/deps";
import { streamHandlers } from "./resources/events/handlers";
import { handlers } from "./resources/handlers";

/** The service as an Express application. It does not read settings or the environment; `deps` has all it needs. */
export function createApp(deps: Deps & HttpDeps): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("trust proxy", deps.trustedProxies);
  // No limit on the number of parameters: the parser would silently drop the rest, unknown ones included.
  app.set("query parser", (query: string) => parse(query, "&", "=", { maxKeys: 0 }));
  app.set("strict routing", true);
  app.set("case sensitive routing", true);
  app.response.json = sendJson;

  app.use(assignRequestId(deps), traceRequests(deps.tracer), logRequests(deps));
  app.use(measureRequests(deps.metrics), ...secureHeaders());
  if (deps.validatesResponses) app.use(validateResponses(logInvalidResponses(deps.logger)));
  app.use(checkMessage(), checkEncoding(deps), reportChanges(deps.numbering.wake));
  const bodies = new BodyBudget();
  const audit = { ...deps, writeEntry: batchEntries(deps.db) };
  const options = {
    // ts-rest types the request of these as a checked one, but runs them before it checks.
    globalMiddleware: [authenticate(deps), limitRate(deps), readJson(deps, bodies)] as never[],
    // Passed on, so that one place responds to every error.
    requestValidationErrorHandler: (
      error: RequestValidationError,
      request: Sent,
      _response: unknown,
      next: NextFunction,
    ) => next(explainInvalid(error, request)),
    logInitialization: false,
    jsonQuery: false,
  };
  createExpressEndpoints(
    contract,
    bodies.holdDuring(recordRequests(audit, makeIdempotent(deps, handlers(deps)))),
    app,
    options,
  );
  createExpressEndpoints(eventStream, recordRequests(audit, streamHandlers(deps)), app, options);
  app.use(healthRouter(deps), docsRouter());
  if (deps.consoleSessions !== undefined)
    app.use(consoleRouter({ ...audit, consoleSessions: deps.consoleSessions }));
  app.use(rejectUnknownRoute());
  app.use(recordRejections(audit), sendErrors(deps.logger));
  return app;
}
