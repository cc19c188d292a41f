import type { Request, RequestHandler } from "express";
import { requireCaller } from "./authenticate";
import { invalidEncoding } from "./send-errors";

/**
 * Rejects a URL that is not valid percent-encoded UTF-8. For a path, the router would do so before authentication, but
 * a request without a key must get 401. For a query, the parser would replace the invalid bytes.
 */
export function checkEncoding(deps: Parameters<typeof requireCaller>[0]): RequestHandler {
  const reject = async (request: Request, part: "path" | "query") => {
    if (request.path.startsWith("/v1/")) await requireCaller(deps, request);
    throw invalidEncoding(part);
  };
  return (request, _response, next) => {
    // The common case: nothing is encoded.
    if (!request.url.includes("%")) return next();
    if (!isDecodable(request.path)) return reject(request, "path");
    return isDecodable(request.url) ? next() : reject(request, "query");
  };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
