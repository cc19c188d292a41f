import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { createIo } from "../../test/support/memory-io";
import { Output } from "./output/output";
import { formatProgress, startProgress } from "./progress";

test.each([
  [{ count: 500, earlier: 0, total: 2_000 }, "#####............... 25 %  500 messages, 50/s, 30 s left"],
  // What an earlier run exported does not count for the rate.
  [
    { count: 1_500, earlier: 1_400, total: 2_000 },
    "###############..... 75 %  1,500 messages, 10/s, 50 s left",
  ],
  [{ count: 500, earlier: 0, total: undefined }, "500 messages, 50/s"],
])("after ten seconds, %j is shown as %s", (state, line) => {
  expect(formatProgress({ unit: "messages", seconds: 10, ...state })).toBe(line);
});

test("a message takes the place of the line, which is drawn again below it", async () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  let text = "";
  stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const io = { ...createIo().io, stderr };
  const progress = startProgress(io, "rows", undefined);
  await expect.poll(() => text).toContain("0 rows");
  new Output(io, () => false).note("The server responds again.");
  await expect.poll(() => text).toContain("\r\u001b[KThe server responds again.\n");
  progress.end();
});

test("where standard error is not a terminal, a line is written every ten seconds", () => {
  vi.useFakeTimers();
  const { io, stderr } = createIo();
  const progress = startProgress(io, "rows", 10);
  progress.add(5);
  vi.advanceTimersByTime(9_999);
  expect(stderr()).toBe("");
  vi.advanceTimersByTime(10_001);
  progress.end();
  vi.advanceTimersByTime(60_000);
  expect(stderr().split("\n")).toEqual([
    "##########.......... 50 %  5 rows, 1/s, 10 s left",
    "##########.......... 50 %  5 rows, 0/s, 20 s left",
    "",
  ]);
  vi.useRealTimers();
});
