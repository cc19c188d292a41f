import { readFile } from "node:fs/promises";
import { join } from "node:path";
import express, { type Response, Router } from "express";
import { codeOf } from "../../errors/thrown";
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
    sendPage(response, deps.basePath).catch((error: unknown) =>
      next(codeOf(error) === "ENOENT" ? undefined : error),
    );
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
async function sendPage(response: Response, basePath: string): Promise<void> {
  const page = await readFile(join(folder, "index.html"), "utf8");
  response.set("Content-Security-Policy", policy);
  response.set("Cache-Control", "no-cache");
  // A page has a view at any depth, so its files have whole paths. The URL has nothing that HTML escapes.
  response
    .type("html")
    .send(
      page
        .replaceAll('"./assets/', `"${basePath}/console/assets/`)
        .replace('name="madang-base-path" content=""', `name="madang-base-path" content="${basePath}"`),
    );
}
