import type { Request, RequestHandler } from "express";
import { requireCaller } from "./authenticate";
import { invalidEncoding } from "./send-errors";

/**
 * Refuses an address that is not valid percent-encoded UTF-8. In a path the router would do so before it looks for a
 * key: who has none is told just that, here as everywhere. In a query the parser would read what nobody sent.
 */
export function checkAddress(deps: Parameters<typeof requireCaller>[0]): RequestHandler {
  const refuse = async (request: Request, place: "path" | "query") => {
    if (request.path.startsWith("/v1/")) await requireCaller(deps, request);
    throw invalidEncoding(place);
  };
  return (request, _response, next) => {
    // Most addresses hold nothing that is encoded.
    if (!request.url.includes("%")) return next();
    if (!isDecodable(request.path)) return refuse(request, "path");
    return isDecodable(request.url) ? next() : refuse(request, "query");
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
