import { parse } from "node:querystring";
import { contract, eventStream } from "@madang/contract";
import { createExpressEndpoints, type RequestValidationError } from "@ts-rest/express";
import express, { type Express, type NextFunction, type RequestHandler } from "express";
import { mapHandlers } from "../call/handlers";
import { prepareCall } from "../call/prepare-call";
import { holdBody, shareResources } from "../call/share-resources";
import { authenticate } from "../http/auth/authenticate";
import type { Handler } from "../http/handler";
import { healthRouter } from "../http/health";
import { limitRequests, runForClient } from "../http/limit-requests";
import { assignRequestId } from "../http/observe/assign-request-id";
import { observeRequests } from "../http/observe/observe-requests";
import { limitRate } from "../http/rate-limits/limit-rate";
import { removeBasePath } from "../http/request/base-path";
import { checkRequest } from "../http/request/check-request";
import { type CheckedRequest, explainInvalid } from "../http/request/explain-invalid";
import { readJson } from "../http/request/read-json";
import { rejectUnknownRoute } from "../http/request/reject-unknown-route";
import { allowOrigins } from "../http/response/allow-origins";
import { secureHeaders } from "../http/response/secure-headers";
import { sendErrors } from "../http/response/send-errors";
import { sendJson } from "../http/response/send-json";
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
  app.response.json = sendJson;

  app.use(removeBasePath(deps));
  app.use(
    assignRequestId(deps),
    runForClient(deps),
    observeRequests(deps),
    ...secureHeaders(),
    ...allowOrigins(deps),
  );
  if (deps.validatesResponses) app.use(validateResponses(deps.logger));
  app.use(checkRequest(deps), wakeAfterChanges(deps.numbering));
  const audit = { ...deps, addEntry: batchEntries(deps.db) };
  const options = {
    // ts-rest types the request of these as a checked one, but runs them before it checks.
    globalMiddleware: [authenticate(deps), limitRequests(deps), limitRate(deps), readJson(deps)] as never[],
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
  // its key and audit entry, and it waits for its share of what requests need.
  const wrap = (handler: Handler) => holdBody(prepare(shareResources(deps.resources, handler)));
  createExpressEndpoints(contract, mapHandlers(contract, createHandlers(deps), wrap), app, options);
  createExpressEndpoints(eventStream, mapHandlers(eventStream, streamHandlers(deps), wrap), app, options);
  const { db, files, fileAddresses, resources } = deps;
  const { uploads } = resources;
  app.use(filesRouter({ db, addresses: fileAddresses, transfer: files.storage?.transfer, uploads }));
  app.use(
    healthRouter(deps),
    docsRouter({ ...deps.resources, hasConsole: deps.consoleSessions !== undefined }),
  );
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
