import { expect, onTestFinished, test, vi } from "vitest";
import { createRandomId } from "./random-id";

test.each([
  ["on a page without HTTPS", { getRandomValues: crypto.getRandomValues.bind(crypto) }],
  ["in React Native", undefined],
])("ids are different UUIDs, also %s", (_, ofPlatform) => {
  vi.stubGlobal("crypto", ofPlatform);
  onTestFinished(() => void vi.unstubAllGlobals());
  const ids = Array.from({ length: 1_000 }, createRandomId);
  expect(new Set(ids).size).toBe(1_000);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
