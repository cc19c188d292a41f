import { context, INVALID_SPAN_CONTEXT, ROOT_CONTEXT, TraceFlags, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ChatClient, type ClientOptions } from "../index";

const active = trace.setSpanContext(ROOT_CONTEXT, {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  traceFlags: TraceFlags.SAMPLED,
});
beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterAll(() => context.disable());

/** The `traceparent` of one call. */
async function sendIn(where: typeof ROOT_CONTEXT, given: ClientOptions = { trace }) {
  let sent: string | undefined;
  const chat = new ChatClient({
    baseUrl: "http://127.0.0.1",
    apiKey: "key",
    ...given,
    fetch: async (_url, init) => {
      sent = init.headers.traceparent;
      return new Response(null, { status: 404 });
    },
  });
  const call = () => chat.users.get("kim_01").catch(() => undefined);
  await context.with(where, call);
  return sent;
}

test("a request carries the active span of an application that passes `trace`", async () => {
  expect(await sendIn(active)).toBe("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  expect(await sendIn(ROOT_CONTEXT)).toBeUndefined();
  expect(await sendIn(trace.setSpanContext(ROOT_CONTEXT, INVALID_SPAN_CONTEXT))).toBeUndefined();
  expect(await sendIn(active, {})).toBeUndefined();
});

test("a header of the caller has priority", async () => {
  const own = "00-11111111111111111111111111111111-2222222222222222-00";
  expect(await sendIn(active, { trace, headers: { traceparent: own } })).toBe(own);
});
