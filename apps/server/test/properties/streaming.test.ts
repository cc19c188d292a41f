import { isChatError } from "@madang/client";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readChunks } from "../../src/modules/streaming/chunks-store";
import { interruptMessages } from "../../src/modules/streaming/end-store";
import { chatWith } from "../support/chat";
import { checksOf } from "../support/checks";
import { scale } from "../support/report";
import { startServer, startServerOn, type TestServer } from "../support/server";

let servers: TestServer[];
let chats: ReturnType<typeof chatWith>[];
beforeAll(async () => {
  const first = await startServer({ hasBackgroundTasks: false });
  servers = [first, await startServerOn(first.databaseUrl, { hasBackgroundTasks: false })];
  chats = servers.map((server) => chatWith(server));
  const [chat] = chats;
  await chat?.users.create({ user_id: "kim_01", name: "Kim" });
  await chat?.channels.create({ channel_id: "room_1", name: "Streams", members: ["kim_01"] });
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.close();
});

/** What a message is, written for clarity alone. */
interface Model {
  state: "streaming" | "done" | "cancelled" | "interrupted" | "deleted";
  /** While it is being written. */
  chunks: string[];
  text: string;
  beginning: string;
  /** The request that ended it. */
  finish: string | undefined;
  isMuted: boolean;
}

type Step =
  | { readonly kind: "append"; readonly offset: number; readonly content: string }
  | { readonly kind: "repeat" }
  | { readonly kind: "finish"; readonly state: "done" | "cancelled"; readonly content: string | undefined }
  | { readonly kind: "edit"; readonly content: string }
  | { readonly kind: "mute" | "unmute" | "expire" | "delete" | "read" };

const short = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
  .filter((one) => !one.includes("\0"));
/** Some begin a chunk of their own. */
const text = fc.oneof(
  { weight: 4, arbitrary: short },
  fc
    .tuple(short, fc.integer({ min: 100, max: 600 }))
    .map(([one, times]) => [...one.repeat(times)].slice(0, 1_000).join("")),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("append" as const), offset: fc.constant(0), content: text }),
  },
  fc.record({ kind: fc.constant("append" as const), offset: fc.constantFrom(-2, -1, 1), content: text }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("repeat" as const) }) },
  fc.record({
    kind: fc.constant("finish" as const),
    state: fc.constantFrom("done" as const, "cancelled" as const),
    content: fc.option(text, { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("edit" as const), content: text }),
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("mute", "unmute", "read", "expire") }) as fc.Arbitrary<Step>,
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "delete" }) },
);

/** The outcome that the model has for a step: an error code, or what is true afterwards. */
function expectOutcome(model: Model, one: Step): string {
  const isGone = model.state === "deleted";
  switch (one.kind) {
    case "append":
    case "repeat": {
      const last = model.chunks.at(-1);
      const index = one.kind === "repeat" ? model.chunks.length - 1 : model.chunks.length + one.offset;
      const content = one.kind === "repeat" ? (last ?? "none") : one.content;
      if (index < 0) return "invalid_request";
      if (isGone) return "message_not_found";
      if (model.state !== "streaming") return "message_not_streaming";
      if (index === model.chunks.length - 1 && content === last) return `appended ${model.chunks.length}`;
      if (model.isMuted) return "member_muted";
      if (index !== model.chunks.length) return "append_out_of_order";
      model.chunks.push(content);
      return `appended ${model.chunks.length}`;
    }
    case "finish": {
      if (isGone) return "message_not_found";
      const request = JSON.stringify([one.state, one.content]);
      if (model.state !== "streaming")
        return model.finish === request ? showOf(model) : "message_not_streaming";
      Object.assign(model, {
        text: one.content ?? model.beginning + model.chunks.join(""),
        state: one.state,
        finish: request,
      });
      return showOf(model);
    }
    case "edit":
      if (isGone) return "message_not_found";
      if (model.state === "streaming") return "message_streaming";
      Object.assign(model, { text: one.content, ...(model.state === "interrupted" && { state: "done" }) });
      return showOf(model);
    case "expire":
      if (model.state === "streaming")
        Object.assign(model, { text: model.beginning + model.chunks.join(""), state: "interrupted" });
      return "expired";
    case "delete":
      if (isGone) return "message_not_found";
      model.state = "deleted";
      return "deleted";
    case "mute":
    case "unmute":
      model.isMuted = one.kind === "mute";
      return one.kind;
    case "read":
      return isGone ? "message_not_found" : showOf(model);
  }
}

const showOf = ({ state, text, beginning, chunks }: Model) =>
  state === "streaming"
    ? JSON.stringify([beginning + chunks.join(""), "streaming", chunks.length])
    : JSON.stringify([text, state === "done" ? undefined : state, undefined]);

const shown = (message: object) => {
  const { content, state, append_count } = Object(message);
  return JSON.stringify([content, state, append_count]);
};

/** Does a step at a server. Returns its outcome in the words of the model. */
async function run(at: number, id: string, one: Step, before: Model): Promise<string> {
  const chat = chats[at % chats.length] ?? expect.fail();
  const { chunks } = before;
  switch (one.kind) {
    case "append":
    case "repeat": {
      const index = one.kind === "repeat" ? chunks.length - 1 : chunks.length + one.offset;
      const content = one.kind === "repeat" ? (chunks.at(-1) ?? "none") : one.content;
      return `appended ${(await chat.messages.append("room_1", id, { index, content })).append_count}`;
    }
    case "finish":
      return shown(await chat.messages.finish("room_1", id, { state: one.state, content: one.content }));
    case "edit":
      return shown(await chat.messages.update("room_1", id, { content: one.content }));
    case "read":
      return shown(await chat.messages.get("room_1", id));
    case "delete":
      await chat.messages.delete("room_1", id);
      return "deleted";
    case "mute":
      await chat.channels.members.mute("room_1", "kim_01");
      return "mute";
    case "unmute":
      await chat.channels.members.unmute("room_1", "kim_01");
      return "unmute";
    case "expire": {
      const { db } = servers[0] ?? expect.fail();
      const expire = {
        name: "test.expire-messages",
        text: "UPDATE message_chunks SET created_at = created_at - 100000 RETURNING 1",
      };
      for (const shard of db.schemas()) await shard.query(expire);
      await interruptMessages(db, checksOf(db), Date.now());
      return "expired";
    }
  }
}

/** The chunks are few, and from any index on they have the text of each append. */
async function expectChunks(id: string, { beginning, chunks }: Model): Promise<void> {
  const { db } = servers[0] ?? expect.fail();
  const pk = Number(id.split("-")[1]);
  const text = "SELECT 1 FROM message_chunks WHERE message_pk = $1";
  const stored = await db.channel("room_1").query({ name: "test.chunks", text }, [pk]);
  const characters = [...beginning, ...chunks.join("")].length;
  expect(stored.length).toBeLessThanOrEqual(1 + characters / 512);
  for (const index of chunks.keys())
    expect(await readChunks(db, [pk], [index])).toMatchObject([{ pk, index, contents: chunks.slice(index) }]);
  expect(await readChunks(db, [pk], [chunks.length])).toEqual([]);
}

test("any sequence of appends, ends, edits and restrictions behaves as a simple model", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.option(text, { nil: "" }),
      fc.array(step, { maxLength: 25 }),
      async (beginning, steps) => {
        const [chat] = chats;
        await chat?.channels.members.unmute("room_1", "kim_01");
        const body = { user_id: "kim_01", type: "text" as const, content: beginning, streaming: true };
        const id = (await chat?.messages.send("room_1", body))?.message_id ?? "";
        const model: Model = {
          state: "streaming",
          chunks: [],
          text: "",
          beginning,
          finish: undefined,
          isMuted: false,
        };
        for (const [at, one] of steps.entries()) {
          const outcome = await run(at, id, one, { ...model, chunks: [...model.chunks] }).catch(
            (error: unknown) => {
              if (isChatError(error) && error.code !== undefined) return error.code;
              throw error;
            },
          );
          expect(outcome, JSON.stringify(one)).toBe(expectOutcome(model, one));
        }
        const read = (await chat?.messages.get("room_1", id).catch(() => undefined)) ?? {};
        if (model.state !== "deleted") expect(shown(read)).toBe(showOf(model));
        if (model.state === "streaming") await expectChunks(id, model);
      },
    ),
    { numRuns: scale(60, 1_000) },
  );
});
