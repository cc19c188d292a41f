import type { RequestHandler } from "express";
import helmet from "helmet";

/**
 * Answers of the API are data: no page may frame, run or keep them. The reference page loosens this for itself. Helmet
 * is asked once what its headers are, for they are the same on every answer.
 */
export function secureHeaders(): RequestHandler {
  const headers: (readonly [name: string, value: string])[] = [["Cache-Control", "no-store"]];
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
  });
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader() {},
  };
  // All that helmet asks of a response, and nothing of the request.
  const [request, response] = [{}, recorder] as unknown as Parameters<typeof protect>;
  protect(request, response, () => undefined);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
