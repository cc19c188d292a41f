// The server of the app: one route, which phones in the same network reach. Needs Node 22.18 or later, which reads TypeScript.
import { spawn } from "node:child_process";
import { networkInterfaces } from "node:os";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { app } from "./app.ts";

const port = Number(process.env.PORT ?? 4000);
const server = new Hono();
// While you develop, the page in a browser is served by Expo, at another origin.
server.use("/chat-token", cors({ origin: "http://localhost:8081" }));
server.route("/", app);
// The page that `npm run build` makes.
server.use(serveStatic({ root: `${import.meta.dirname}/../dist` }));

serve({ fetch: server.fetch, port, hostname: "0.0.0.0" }, () => {
  console.log(`The server of the app: http://localhost:${port}`);
  if (process.argv.includes("--app")) startExpo();
});

/** Starts Expo with the addresses at which a phone reaches this computer. */
function startExpo(): void {
  const found = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === "IPv4" && !each.internal);
  const host = found?.address ?? "127.0.0.1";
  const madang = (process.env.MADANG_URL ?? "http://127.0.0.1:3000").replace(/127\.0\.0\.1|localhost/, host);
  const env = {
    EXPO_PUBLIC_MADANG_URL: madang,
    EXPO_PUBLIC_SERVER_URL: `http://${host}:${port}`,
    ...process.env,
  };
  const expo = spawn("npx", ["expo", "start"], {
    env,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  expo.on("exit", (code) => process.exit(code ?? 0));
}
