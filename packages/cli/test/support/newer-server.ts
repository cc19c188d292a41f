import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "./listen";

/**
 * A server of a future version: it passes requests on, and each user, channel and message of its responses has `new_field`. A
 * text can name the state of its message, such as "streaming: Hello", because the real ones change with time.
 */
export async function startNewerServer(target: string) {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    requests.push(`${method} ${url.split("?")[0]}`);
    const { host: _, connection: __, "content-length": ___, ...sent } = headers;
    const body = await buffer(request);
    const received = await fetch(target + url, {
      method,
      headers: sent as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    const isJson = received.headers.get("content-type")?.includes("json") === true;
    const text = await received.text();
    const { "content-encoding": ____, ...shown } = Object.fromEntries(received.headers);
    const content = isJson ? JSON.stringify(JSON.parse(text, (_name, value) => renew(value))) : text;
    response.writeHead(received.status, { ...shown, "content-length": Buffer.byteLength(content) });
    response.end(content);
  });
  return { requests, ...(await listen(server)) };
}

function renew(value: unknown): unknown {
  const { name, message_id, content = "", meta } = Object(value);
  if (meta === undefined || (name === undefined && message_id === undefined)) return value;
  const [, state] = /^(streaming|interrupted): /.exec(content) ?? [];
  const written = state === "streaming" ? { append_count: 2 } : {};
  return { ...Object(value), ...(state !== undefined && { state, ...written }), new_field: { since: 2 } };
}
