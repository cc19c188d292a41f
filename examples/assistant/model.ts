import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const answer =
  "There is bibimbap, and there are cold noodles. The noodles are gone by half past twelve, so go early. 맛있게 드세요! 🍜";
const usage = {
  inputTokens: { total: 40, noCache: 40, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 30, text: 30, reasoning: 0 },
};
const call = { type: "tool-call", toolCallId: "1", toolName: "menu", input: '{"day":"today"}' } as const;
const [start, end] = [{ type: "text-start", id: "1" } as const, { type: "text-end", id: "1" } as const];

/** Stands in for a model such as `openai("gpt-5")`, which needs an account: it asks for the menu, then answers word by word. */
export const model = new MockLanguageModelV4({
  doStream: async ({ prompt }) => {
    const hasMenu = prompt.at(-1)?.role === "tool";
    const [, begun] = prompt.slice(prompt.findLastIndex(({ role }) => role === "user"));
    const [own] = begun?.role === "assistant" ? begun.content : [];
    // It continues an answer that has begun.
    const words = answer.slice(own?.type === "text" ? own.text.length : 0).match(/\S+\s*/g) ?? [];
    const deltas = words.map((delta) => ({ type: "text-delta", id: "1", delta }) as const);
    const finishReason = { unified: hasMenu ? "stop" : "tool-calls", raw: undefined } as const;
    const chunks = [
      ...(hasMenu ? [start, ...deltas, end] : [call]),
      { type: "finish", finishReason, usage } as const,
    ];
    return { stream: simulateReadableStream({ chunkDelayInMs: 200, chunks }) };
  },
});
