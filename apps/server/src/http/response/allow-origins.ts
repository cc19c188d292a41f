import cors from "cors";
import type { RequestHandler } from "express";
import type { HttpDeps } from "../deps";

/** What the SDK sends and reads. */
const allowedHeaders = [
  "authorization",
  "content-type",
  "idempotency-key",
  "last-event-id",
  "traceparent",
  "tracestate",
  "user-agent",
  "x-madang-actor",
  "x-madang-reason",
  "x-request-id",
];
const exposedHeaders = [
  "idempotent-replayed",
  "madang-version",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "x-channel-created",
  "x-request-id",
];
const maxAgeSeconds = 7_200;

/** Lets pages of these origins call the service (CORS), without cookies: they send a token. Preflights need no key. */
export function allowOrigins({ origins }: Pick<HttpDeps, "origins">): RequestHandler[] {
  if (origins.length === 0) return [];
  const methods = ["GET", "POST", "PUT", "DELETE"];
  const rules = { origin: [...origins], methods, allowedHeaders, exposedHeaders, maxAge: maxAgeSeconds };
  return [cors(rules)];
}
