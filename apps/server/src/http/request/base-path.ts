import type { RequestHandler } from "express";
import type { HttpDeps } from "../deps";

/**
 * Below a path of a host, requests arrive with the path or without it, depending on the proxy. Warns once if a proxy reports a path of
 * which the service does not know.
 */
export function removeBasePath({ basePath, logger }: Pick<HttpDeps, "basePath" | "logger">): RequestHandler {
  let hasWarned = false;
  return (request, _response, next) => {
    const { url } = request;
    const rest = url.slice(basePath.length);
    if (basePath !== "" && url.startsWith(basePath) && /^(?![^/?])/.test(rest)) {
      request.url = rest.startsWith("/") ? rest : `/${rest}`;
      request.originalUrl = request.url;
    }
    const prefix = request.headers["x-forwarded-prefix"];
    if (!hasWarned && typeof prefix === "string" && prefix.replace(/\/+$/, "") !== basePath) {
      hasWarned = true;
      logger.warn(
        "a proxy serves this service below a path that MADANG_PUBLIC_URL does not have: the console and the addresses in responses are wrong",
      );
    }
    next();
  };
}
