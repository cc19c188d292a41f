import { ChatClient } from "@madang/client";
import { expect, test, vi } from "vitest";
import { Feed } from "../src/store/feed";

test("a service that rejects each position is asked for one less and less often, until the page is left", async () => {
  const requests = { stream: 0, end: 0 };
  const respond = async (input: unknown) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (!String(input instanceof Request ? input.url : input).includes("/stream")) {
      requests.end += 1;
      return Response.json({ events: [], next: "end" });
    }
    requests.stream += 1;
    const problem = { type: "about:blank", title: "Invalid cursor", status: 400, code: "invalid_cursor" };
    return Response.json(problem, { status: 400, headers: { "content-type": "application/problem+json" } });
  };
  const chat = new ChatClient({ baseUrl: "http://localhost", apiKey: "sk_1", fetch: respond });
  const feed = new Feed(chat);
  const onReset = vi.fn();
  feed.subscribe({ onEvent: () => undefined, onReset });
  const controller = new AbortController();
  const running = feed.run(controller.signal);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  controller.abort();
  await running;
  expect(onReset).toHaveBeenCalled();
  expect(requests.stream).toBeLessThan(5);
  expect(requests.end).toBeLessThan(6);
});
