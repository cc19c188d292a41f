import type { ErrorCode } from "../errors/errors";
import type { DescribedOperation } from "../operations/events/event-stream";
import type { Header, Reference } from "./shape";

/** The response headers, as components. */
export const headers = {
  "X-Request-Id": {
    description:
      "The id of the request, also in the server's log. A client may set it by sending this header.",
    required: true,
    schema: { type: "string", examples: ["5f0c1d1e-2b7a-4c55-9d0e-8a1f6f3c2b10"] },
  },
  "Madang-Version": {
    description: "The version of the server. Present when the key is valid.",
    required: false,
    schema: { type: "string", examples: ["0.1.0"] },
  },
  "X-Channel-Created": {
    description: "`true` when the channel was created, `false` when an existing one was reused.",
    required: true,
    schema: { type: "string", enum: ["true", "false"] },
  },
  "WWW-Authenticate": {
    description: "The authentication scheme.",
    required: true,
    schema: { type: "string", examples: ["Bearer"] },
  },
  "Retry-After": {
    description: "The number of seconds to wait before repeating the request.",
    required: true,
    schema: { type: "integer", minimum: 0, examples: [2] },
  },
  "Idempotent-Replayed": {
    description: "`true` when the response is that of an earlier request with the same `Idempotency-Key`.",
    required: false,
    schema: { type: "string", enum: ["true"] },
  },
  RateLimit: {
    description:
      "The remaining requests `r` in the current window, which ends in `t` seconds. Present if a rate limit is set.",
    required: false,
    schema: { type: "string", examples: ['"default";r=599;t=60'] },
  },
  "RateLimit-Policy": {
    description: "The rate limit: `q` requests per `w` seconds. Present if a rate limit is set.",
    required: false,
    schema: { type: "string", examples: ['"default";q=600;w=60'] },
  },
} as const satisfies Record<string, Header>;

type HeaderName = keyof typeof headers;

const commonHeaders = ["X-Request-Id", "Madang-Version", "RateLimit", "RateLimit-Policy"] as const;
const byCode: { readonly [Code in ErrorCode]?: HeaderName } = {
  unauthenticated: "WWW-Authenticate",
  rate_limited: "Retry-After",
  unavailable: "Retry-After",
};
const byOperation: { readonly [Id in DescribedOperation["id"]]?: HeaderName } = {
  "channels.create": "X-Channel-Created",
};

export function headersOfProblem(codes: readonly ErrorCode[]): Record<string, Header | Reference> {
  const additional = new Set(codes.flatMap((code) => byCode[code] ?? []));
  // Only one of the codes with this status has Retry-After.
  const retryAfter = { ...headers["Retry-After"], required: false };
  return {
    ...references([...commonHeaders, ...additional]),
    ...(codes.includes("idempotency_key_in_use") && { "Retry-After": retryAfter }),
  };
}

export function headersOfSuccess({ id, route }: DescribedOperation): Record<string, Reference> {
  const additional = byOperation[id];
  return references([
    ...commonHeaders,
    ...(additional === undefined ? [] : [additional]),
    ...(route.method === "GET" ? [] : (["Idempotent-Replayed"] as const)),
  ]);
}

function references(names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
