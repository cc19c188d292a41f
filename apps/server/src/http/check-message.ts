import type { Request, RequestHandler } from "express";
import { ServiceError } from "../errors";
import { listHeaders } from "./list-headers";

/**
 * Rejects what a proxy before the server may have read as a different request, and closes the connection: nothing that
 * follows on it can be trusted to be a request of its own.
 */
export function checkMessage(): RequestHandler {
  return (request, response, next) => {
    const fault = findFault(request);
    if (fault === undefined) return next();
    const [path, message] = fault;
    response.setHeader("Connection", "close");
    throw new ServiceError("invalid_request", message, [{ in: "header", path, message }]);
  };
}

function findFault(request: Request): readonly [header: string, message: string] | undefined {
  const { headers, httpVersion } = request;
  const hosts = listHeaders(request, "host").length;
  if (hosts > 1) return ["host", "The Host header was sent more than once."];
  if (hosts === 0 && httpVersion !== "1.0") return ["host", "The Host header is missing."];
  const encoding = headers["transfer-encoding"];
  // HTTP/1.0 has no chunks.
  if (encoding !== undefined && (httpVersion === "1.0" || encoding.toLowerCase() !== "chunked"))
    return ["transfer-encoding", "Transfer-Encoding must be chunked, in HTTP/1.1."];
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue")
    return ["expect", "Expect must be 100-continue."];
  return undefined;
}
