import type { RequestHandler } from "express";
import helmet from "helmet";

/**
 * Responses of the API are data: no page may frame, execute or cache them. The reference page relaxes this for itself.
 * The headers of helmet are the same on every response, so they are computed once.
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
