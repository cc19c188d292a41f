import type { Request, RequestHandler } from "express";
import { invalidField } from "../../errors/service-error";
import { requireCaller } from "../auth/authenticate";
import type { AuthDeps } from "../deps";
import { listHeaders } from "../request/list-headers";
import { invalidEncoding } from "../response/send-errors";

/** Rejects a request that a proxy, the router or the parser of the query may read differently. */
export function checkRequest(deps: AuthDeps): RequestHandler {
  return (request, response, next) => {
    const fault = findFault(request);
    if (fault !== undefined) {
      // What follows may not be a separate request (request smuggling).
      response.setHeader("Connection", "close");
      throw invalidField("header", ...fault);
    }
    // The common case: nothing is encoded.
    if (!request.url.includes("%") || isDecodable(request.url)) return next();
    return rejectEncoding(deps, request);
  };
}

function findFault(request: Request): readonly [header: string, message: string] | undefined {
  const { headers, httpVersion } = request;
  const hosts = listHeaders(request, "host").length;
  if (hosts > 1) return ["host", "It was sent more than once. Send it once."];
  if (hosts === 0 && httpVersion !== "1.0") return ["host", "It is required."];
  const encoding = headers["transfer-encoding"];
  // HTTP/1.0 has no chunked encoding.
  if (encoding !== undefined && (httpVersion === "1.0" || encoding.toLowerCase() !== "chunked"))
    return ["transfer-encoding", "Must be chunked, and requires HTTP/1.1."];
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue")
    return ["expect", "Must be 100-continue."];
  return undefined;
}

/**
 * For a path that is not valid percent-encoded UTF-8, the router would respond before authentication, but a request without a key
 * must get 401. In a query, the parser would replace the invalid bytes.
 */
async function rejectEncoding(deps: AuthDeps, request: Request): Promise<never> {
  if (request.path.startsWith("/v1/")) await requireCaller(deps, request);
  throw invalidEncoding(isDecodable(request.path) ? "query" : "path");
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
