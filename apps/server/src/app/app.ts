import { parse } from "node:querystring";
import { contract, eventStream } from "@madang/contract";
import { createExpressEndpoints, type RequestValidationError } from "@ts-rest/express";
import express, { type Express, type NextFunction, type RequestHandler } from "express";
import { mapHandlers } from "../call/handlers";
import { takeTurns } from "../call/page-turns";
import { prepareCall } from "../call/prepare-call";
import { authenticate } from "../http/auth/authenticate";
import type { Handler } from "../http/handler";
import { healthRouter } from "../http/health";
import { assignRequestId } from "../http/observe/assign-request-id";
import { observeRequests } from "../http/observe/observe-requests";
import { limitRate } from "../http/rate-limits/limit-rate";
import { removeBasePath } from "../http/request/base-path";
import { BodyBudget } from "../http/request/body-budget";
import { checkRequest } from "../http/request/check-request";
import { type CheckedRequest, explainInvalid } from "../http/request/explain-invalid";
import { readJson } from "../http/request/read-json";
import { rejectUnknownRoute } from "../http/request/reject-unknown-route";
import { allowOrigins } from "../http/response/allow-origins";
import { secureHeaders } from "../http/response/secure-headers";
import { sendErrors } from "../http/response/send-errors";
import { sendJson } from "../http/response/send-json";
import { UnreadResponses } from "../http/response/unread-responses";
import { validateResponses } from "../http/response/validate-responses";
import { consoleRouter } from "../modules/console/router";
import { docsRouter } from "../modules/docs/router";
import { streamHandlers } from "../modules/events/handlers";
import { filesRouter } from "../modules/files/router";
import { batchEntries } from "../write/audit/batch-entries";
import { recordRejections } from "../write/audit/record-rejections";
import type { Deps } from "./deps";
import { createHandlers } from "./modules";

/** The service as an Express application. It does not read settings or the environment; `deps` has all it needs. */
export function createApp(deps: Deps): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("trust proxy", deps.trustedProxies);
  // No limit on the number of parameters: the parser would silently drop the rest, unknown ones included.
  app.set("query parser", (query: string) => parse(query, "&", "=", { maxKeys: 0 }));
  app.set("strict routing", true);
  app.set("case sensitive routing", true);
  const unread = new UnreadResponses();
  app.response.json = sendJson(unread);

  app.use(removeBasePath(deps));
  app.use(assignRequestId(deps), observeRequests(deps), ...secureHeaders(), ...allowOrigins(deps));
  if (deps.validatesResponses) app.use(validateResponses(deps.logger));
  app.use(checkRequest(deps), wakeAfterChanges(deps.numbering));
  const bodies = new BodyBudget();
  const audit = { ...deps, addEntry: batchEntries(deps.db) };
  const options = {
    // ts-rest types the request of these as a checked one, but runs them before it checks.
    globalMiddleware: [authenticate(deps), limitRate(deps), readJson(deps, bodies)] as never[],
    // Passed on, so that one place responds to every error.
    requestValidationErrorHandler: (
      error: RequestValidationError,
      request: CheckedRequest,
      _response: unknown,
      next: NextFunction,
    ) => next(explainInvalid(error, request)),
    logInitialization: false,
    jsonQuery: false,
  };
  const prepare = prepareCall(audit);
  // From outside: the body counts as held until the response is ready, a handler gets the user as whom the request acts and a change
  // its key and audit entry, a client that does not read its responses waits, and a large page takes its turn.
  const wrap = (handler: Handler) =>
    bodies.holdDuring(prepare(unread.limit(takeTurns(deps.pageTurns, handler))));
  createExpressEndpoints(contract, mapHandlers(contract, createHandlers(deps), wrap), app, options);
  createExpressEndpoints(eventStream, mapHandlers(eventStream, streamHandlers(deps), wrap), app, options);
  const { db, files, fileAddresses } = deps;
  app.use(filesRouter({ db, addresses: fileAddresses, transfer: files.storage?.transfer }));
  app.use(healthRouter(deps), docsRouter({ hasConsole: deps.consoleSessions !== undefined }));
  if (deps.consoleSessions !== undefined)
    app.use(consoleRouter({ ...audit, consoleSessions: deps.consoleSessions }));
  app.use(rejectUnknownRoute());
  app.use(recordRejections(audit), sendErrors(deps));
  return app;
}

/** Numbers events after every response that reports a change. */
function wakeAfterChanges(numbering: Deps["numbering"]): RequestHandler {
  return (request, response, next) => {
    if (request.method !== "GET" && request.method !== "HEAD")
      response.once("finish", () => response.statusCode < 400 && numbering.wake());
    next();
  };
}
