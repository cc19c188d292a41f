import { parse } from "node:querystring";
import { contract, eventStream } from "@madang/contract";
import { createExpressEndpoints, type RequestValidationError } from "@ts-rest/express";
import express, { type Express, type NextFunction, type RequestHandler } from "express";
import { mapHandlers } from "../call/handlers";
import { prepareCall } from "../call/prepare-call";
import { holdBody, shareResources } from "../call/share-resources";
import { authenticate } from "../http/auth/authenticate";
import type { Handler } from "../http/handler";
import { checkRequest } from "../http/hardening/check-request";
import { limitRequests, runForClient } from "../http/hardening/limit-requests";
import { secureHeaders } from "../http/hardening/secure-headers";
import { healthRouter } from "../http/health";
import { assignRequestId } from "../http/observe/assign-request-id";
import { observeRequests } from "../http/observe/observe-requests";
import { limitRate } from "../http/rate-limits/limit-rate";
import { removeBasePath } from "../http/request/base-path";
import { type CheckedRequest, explainInvalid } from "../http/request/explain-invalid";
import { readJson } from "../http/request/read-json";
import { rejectUnknownRoute } from "../http/request/reject-unknown-route";
import { allowOrigins } from "../http/response/allow-origins";
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

  // Every request passes these in this order. What begins with "Against" is in `http/hardening` or `http/rate-limits`: skip it until you
  // need it. Below Express, `http/hardening/connection` is against a client that sends the next requests before it reads the responses.
  app.use(
    // The path of the service on a shared host, which some proxies leave in front of each path.
    removeBasePath(deps),
    // Its id in log lines and in the response.
    assignRequestId(deps),
    // Logs, measures and traces it.
    observeRequests(deps),
    // Against one client that takes what all share: from here, what a request takes counts for its client, and it
    // waits for its turns for so long in all.
    runForClient(deps),
    // Against a page that frames, executes or caches a response.
    ...secureHeaders(),
    // Lets the pages of these origins read responses, and no other page.
    ...allowOrigins(deps),
  );
  // In tests and development: whether each response is one of the contract.
  if (deps.validatesResponses) app.use(validateResponses(deps.logger));
  app.use(
    // Against request smuggling: headers that a proxy may read differently. Against paths and queries that are not UTF-8.
    checkRequest(deps),
    // Numbers its events when it has made a change.
    wakeAfterChanges(deps.numbering),
  );
  const audit = { ...deps, addEntry: batchEntries(deps.db) };
  const options = {
    // These run on the routes of the contract. ts-rest types their request as a checked one, but runs them before it checks.
    globalMiddleware: [
      // Finds the caller, and checks what its key permits. Against guessed keys: an address may send so many wrong ones.
      authenticate(deps),
      // Against a user with hundreds of requests at once.
      limitRequests(deps),
      // Against a key that sends more requests than the operator allows it.
      limitRate(deps),
      // Reads the body. Against many bytes, tiny chunks and deeply nested values, before they are in memory or block the others.
      readJson(deps),
    ] as never[],
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
