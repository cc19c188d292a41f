import type { Request, RequestHandler } from "express";
import { invalidField } from "../errors";
import { listHeaders } from "./list-headers";

/**
 * Rejects a message that a proxy may have parsed differently (request smuggling), and closes the connection: what
 * follows may not be a separate request.
 */
export function checkMessage(): RequestHandler {
  return (request, response, next) => {
    const fault = findFault(request);
    if (fault === undefined) return next();
    response.setHeader("Connection", "close");
    throw invalidField("header", ...fault);
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
