import { join } from "node:path";
import express, { type NextFunction, type Response, Router } from "express";
import { nameOperation } from "../../http/locals";
import { packageFolder } from "../../package-folder";
import { type SessionDeps, sessionHandlers } from "./session";

/** The build of `apps/console`. */
const folder = join(packageFolder, "dist/console");

/** The console: a page that calls the API of its own server, and the sessions with which it does. */
export function consoleRouter(deps: SessionDeps): Router {
  const { signIn, signOut, show } = sessionHandlers(deps);
  const router = Router({ strict: true, caseSensitive: true });
  router.post("/console/session", nameOperation("console.signIn"), signIn);
  router.delete("/console/session", nameOperation("console.signOut"), signOut);
  router.get("/console/session", nameOperation("console.session"), show);
  const assets = express.static(join(folder, "assets"), {
    index: false,
    redirect: false,
    // The names of the files change with their content.
    setHeaders: (response) => response.setHeader("Cache-Control", "public, max-age=31536000, immutable"),
  });
  router.use("/console/assets", nameOperation("console.assets"), assets);
  router.get(["/console", "/console/{*page}"], nameOperation("console.page"), (request, response, next) => {
    if (request.path.startsWith("/console/assets/")) return next();
    sendPage(response, next);
  });
  return router;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** The page finds out itself which of its views the address names. Without a build, there is no such route. */
function sendPage(response: Response, next: NextFunction): void {
  response.set("Content-Security-Policy", policy);
  response.set("Cache-Control", "no-cache");
  // Packages have files of one fixed time: a new page of the same size would look unchanged.
  const options = { root: folder, etag: false, lastModified: false, cacheControl: false };
  response.sendFile("index.html", options, (error) => {
    if (error && !response.headersSent) next();
  });
}
