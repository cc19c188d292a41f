import type { Socket } from "node:net";
import { listScripts } from "./list-scripts";
import { formatHead, type Received, resetAfterHead, type Script, sendJson, sendText } from "./wire";

const user = { user_id: "kim_01", name: "Kim", meta: {}, created_at: 1, updated_at: 2 };
const problem = (code: string, detail = "It was rejected.") => ({ code, detail, request_id: "req_1" });

const json = { "content-type": "application/json" };
const problemJson = { "content-type": "application/problem+json" };
const userJson = JSON.stringify(user);

const good: Script = (socket) => sendJson(socket, user);
/** These responses one after the other; the last one for all further requests. */
const sequence =
  (...scripts: Script[]): Script =>
  (socket, request, index) =>
    scripts[Math.min(index, scripts.length - 1)]?.(socket, request, index);
const status =
  (code: number, name: string, headers: Record<string, string> = {}): Script =>
  (socket) =>
    sendJson(socket, problem(name), code, { ...problemJson, ...headers });

const cut: Script = (socket) => {
  socket.write(formatHead(200, { ...json, "content-length": "1000" }) + userJson.slice(0, 20));
  setTimeout(() => socket.destroy(), 20);
};
const cutChunked: Script = (socket) => {
  socket.write(
    `${formatHead(200, { ...json, "transfer-encoding": "chunked" })}14\r\n${userJson.slice(0, 20)}\r\n`,
  );
  setTimeout(() => socket.end(), 20);
};
const stall: Script = (socket) => {
  socket.write(formatHead(200, { ...json, "content-length": "1000" }) + userJson.slice(0, 20));
};
const silent: Script = () => {};
const reset: Script = (socket) => socket.resetAndDestroy();
// Without Retry-After, as a proxy sends it.
const unavailable = status(503, "unavailable");
const badGateway: Script = (socket) =>
  sendText(socket, "<html>Bad gateway</html>", 502, { "content-type": "text/html" });
const limited = status(429, "rate_limited", { "retry-after": "0" });
const notFound = status(404, "user_not_found");

function drip(socket: Socket): void {
  socket.write(formatHead(200, { ...json, "content-length": "100000" }));
  const timer = setInterval(() => socket.write(" "), 20);
  socket.on("close", () => clearInterval(timer));
}

/** What the server does, by the script name in the URL. */
export const scripts: Readonly<Record<string, Script>> = {
  ...listScripts,
  good,
  cut,
  "cut-chunked": cutChunked,
  "cut-once": sequence(cut, good),
  "cut-chunked-once": sequence(cutChunked, good),
  stall,
  "stall-once": sequence(stall, good),
  silent,
  drip,
  reset,
  "reset-after-head": resetAfterHead,
  "reset-six": sequence(...Array(6).fill(reset), good),
  "reset-once": sequence(resetAfterHead, good),
  "no-http": (socket) => socket.end("220 mail.example.com ESMTP ready\r\n"),
  "reset-then-404": sequence(resetAfterHead, notFound),
  "limited-then-404": sequence(limited, notFound),
  "not-found": notFound,
  "not-found-large": (socket) =>
    sendJson(socket, problem("user_not_found", "x".repeat(500_000)), 404, problemJson),
  "foreign-404": (socket) => sendText(socket, "<html>Not Found</html>", 404, { "content-type": "text/html" }),
  "foreign-404-json": (socket) => sendJson(socket, { code: "NotFound", message: "No such page." }, 404),
  "foreign-409": (socket) => sendJson(socket, { error: "conflict" }, 409),
  "proxy-413": (socket) => sendText(socket, "<html>Too large</html>", 413, { "content-type": "text/html" }),
  "unavailable-once": sequence(unavailable, good),
  "unavailable-twice": sequence(unavailable, unavailable, good),
  "limited-once": sequence(limited, good),
  "request-timeout-once": sequence(status(408, "request_timeout"), good),
  "request-timeout": status(408, "request_timeout"),
  internal: status(500, "internal"),
  invalid: (socket) =>
    sendJson(
      socket,
      {
        ...problem("invalid_request", "The request breaks a rule."),
        errors: [{ in: "body", path: "name", message: "Must have at least 1 character." }],
      },
      400,
      problemJson,
    ),
  "in-use-once": sequence(status(409, "idempotency_key_in_use", { "retry-after": "0" }), good),
  taken: status(409, "user_exists"),
  "new-code": status(418, "tea_only"),
  "wait-an-hour": status(429, "rate_limited", { "retry-after": "3600" }),
  "wait-a-second": sequence(status(503, "unavailable", { "retry-after": "1" }), good),
  "wait-till-date": sequence((socket) => {
    // A date has no fractions of a second: two seconds on is at least one.
    const date = new Date(Date.now() + 2_000).toUTCString();
    sendJson(socket, problem("unavailable"), 503, { "retry-after": date });
  }, good),
  "wait-for-gateway": sequence(status(429, "rate_limited", { "ratelimit-reset": "3600" }), good),
  "wait-nonsense": sequence(status(503, "unavailable", { "retry-after": "soon" }), good),
  html: (socket) =>
    sendText(socket, `<html>${"gateway ".repeat(100)}</html>`, 200, { "content-type": "text/html" }),
  "html-502": badGateway,
  "html-502-six": sequence(...Array(6).fill(badGateway), good),
  truncated: (socket) => sendText(socket, userJson.slice(0, 20), 200, json),
  "no-content": (socket) => socket.write(formatHead(204, {})),
  empty: (socket) => sendText(socket, "", 200),
  "wrong-type": (socket) => sendText(socket, userJson, 200, { "content-type": "text/plain" }),
  "json-string": (socket) => sendText(socket, '"hello"', 200, json),
  redirect: (socket) => sendText(socket, "", 302, { location: "/good/elsewhere/v1/users/kim_01" }),
  echo: (socket, { headers }) =>
    sendJson(socket, problem("invalid_request", `You sent ${headers.authorization}.`), 400, problemJson),
  "echo-html": (socket, { headers }) => sendText(socket, `You sent ${headers.authorization}.`, 200),
  rotated: (socket, { headers }, index) =>
    headers.authorization === "Bearer new_key"
      ? sendJson(socket, user)
      : status(401, "unauthenticated")(socket, { headers } as Received, index),
  "new-fields": (socket) => sendJson(socket, { ...user, mood: "fine", meta: undefined }),
};
