import type { UnannouncedCode } from "@madang/contract";
import type { UncheckedText } from "../../call/unchecked-text";
import {
  type AddToMessage,
  type Allowed,
  type Checkable,
  type CheckedText,
  type Checks,
  type Draft,
  exempt,
  messageRejected,
  type Passed,
} from "../../chat/checks";
import { ServiceError } from "../../errors/service-error";
import { findResult } from "../../write/idempotency-store";
import type { Writer } from "../../write/writer";
import { describeMessage, type Replacement } from "../hooks/ask-hooks";
import type { Question } from "../hooks/call-hook";
import type { Hook, HookSet } from "../hooks/hook-set";
import type { Filter, FilterSet } from "./filter-set";
import { type Filtered, filterText } from "./filter-text";
import type { Hits } from "./hits";

interface CheckDeps {
  readonly filters: Pick<FilterSet, "current">;
  readonly hits: Pick<Hits, "add">;
  /** Is notified when a text has been compared with filters. */
  readonly onSearch?: ((durationMs: number) => void) | undefined;
  /** Opens a report of a message for filters that found something in it. */
  readonly report: (filters: readonly Filter[]) => AddToMessage;
  readonly hooks: Pick<HookSet, "listFor">;
  /** Asks hooks. Throws if the message must not be stored. */
  readonly ask: (hooks: readonly Hook[], question: Question) => Promise<Replacement>;
}

/** How much of what is stored of a message is searched with the next append: more than a word has. */
const charactersBefore = 256;
/** For how many channels of one request hooks are called at the same time. */
const channelsAtOnce = 16;

/** The checks of messages before they are stored: filters first, then hooks. */
export function createChecks({ filters, hits, report, onSearch, hooks, ask }: CheckDeps): Checks {
  const search: typeof filterText = async (applied, ...texts) => {
    const startedAt = performance.now();
    const found = await filterText(applied, ...texts);
    if (applied.length > 0) onSearch?.(performance.now() - startedAt);
    return found;
  };
  const listFilters = async (channelId: string) => {
    const all = await filters.current();
    return all.length === 0
      ? all
      : all.filter(({ channelIds }) => channelIds === undefined || channelIds.has(channelId));
  };
  const listHooks = async (writer: Writer, { operation, isStreaming, isUnattended = false }: Checkable) => {
    if (operation === "messages.append" || isStreaming) return [];
    const isByUser = isUnattended || writer.request.acting !== undefined;
    return hooks.listFor(operation === "messages.finish" ? "messages.send" : operation, isByUser);
  };
  const count = ({ hits: found }: Filtered) => {
    for (const filter of found) hits.add(filter);
  };
  const reportOf = ({ reportedBy }: Filtered) => (reportedBy.length === 0 ? undefined : report(reportedBy));

  async function passFilters<Content extends UncheckedText | null | undefined>(
    applied: readonly Filter[],
    checkable: Checkable,
    draft: Draft<Content>,
    readFirst: () => Promise<Allowed | undefined>,
  ): Promise<Passed<Content>> {
    if (applied.length === 0) return passAsIs(draft);
    const stored = draft.content === undefined ? await checkable.readStored?.() : undefined;
    const text = stored ?? textOf(draft.content);
    if (text === "") return passAsIs(draft);
    let before = await checkable.readBefore?.(charactersBefore);
    if (before === null) {
      // Rejects it, unless the rest has come meanwhile.
      if ((await readFirst()) === undefined) return passAsIs(draft);
      before = await checkable.readBefore?.(charactersBefore);
      // The message has ended meanwhile: nothing is appended to it.
      if (before === null) return passAsIs(draft);
    }
    const found = await search(applied, text, before);
    if (found.hits.length === 0) return { ...passAsIs(draft), stored };
    if ((await readFirst()) === undefined) return passAsIs(draft);
    count(found);
    const { rejectedBy } = found;
    if (rejectedBy !== undefined) throw messageRejected({ check: "filter", filter_id: rejectedBy.filterId });
    return { ...replaceContent(draft, text, found.text), stored, addToMessage: reportOf(found) };
  }

  return {
    async pass(writer, checkable, draft) {
      const applied = await listFilters(checkable.channelId);
      const asked = await listHooks(writer, checkable);
      if (applied.length === 0 && asked.length === 0) return passAsIs(draft);
      let first: ReturnType<typeof findAllowed> | undefined;
      const readFirst = () => {
        first ??= findAllowed(writer, checkable);
        return first;
      };
      const passed = await passFilters(applied, checkable, draft, readFirst);
      const { operation } = checkable;
      if (asked.length === 0 || operation === "messages.append") return passed;
      const allowed = await readFirst();
      if (allowed === undefined) return passAsIs(draft);
      // A text that is stored already is the one that the filters have read.
      const stored =
        passed.stored ?? (draft.content === undefined ? (allowed.stored?.content ?? undefined) : undefined);
      const text = exemptOf(passed.content) ?? stored;
      const question = describeMessage({ ...checkable, operation }, allowed, text, passed);
      return replaceFields({ ...passed, stored }, await ask(asked, question));
    },
    async passMany(writer, { channelIds, senderId, context, findObstacles }, draft) {
      const text = textOf(draft.content);
      const asked = await hooks.listFor("messages.send", writer.request.acting !== undefined);
      // The channels in which the same filters apply get the same.
      const outcomes = new Map<string, Filtered>();
      const passed = new Map<string, Passed<(typeof draft)["content"]> | UnannouncedCode>();
      let isFirst: boolean | undefined;
      for (const channelId of channelIds) {
        const applied = text === "" ? [] : await listFilters(channelId);
        const key = applied.map(({ pk }) => pk).join();
        const found = outcomes.get(key) ?? (await search(applied, text));
        outcomes.set(key, found);
        if (found.hits.length > 0) isFirst ??= !(await isRepeated(writer));
        if (found.hits.length === 0 || isFirst === false) {
          passed.set(channelId, passAsIs(draft));
          continue;
        }
        count(found);
        passed.set(
          channelId,
          found.rejectedBy === undefined
            ? { ...replaceContent(draft, text, found.text), addToMessage: reportOf(found) }
            : "message_rejected",
        );
      }
      if (asked.length === 0 || isFirst === false || (await isRepeated(writer))) return passed;
      // Hooks do not check the message for these channels, so they stay rejected even if they would accept it by the time it is stored.
      for (const [channelId, code] of await findObstacles()) passed.set(channelId, code);
      const askFor = async (channelId: string) => {
        const one = passed.get(channelId);
        if (one === undefined || typeof one === "string") return;
        const about = { operation: "messages.send", channelId, context } as const;
        const question = describeMessage(about, { senderId }, exemptOf(one.content), one);
        passed.set(
          channelId,
          await ask(asked, question).then((replacement) => replaceFields(one, replacement), codeOfRejection),
        );
      };
      const left = [...channelIds];
      await Promise.all(
        Array.from({ length: channelsAtOnce }, async () => {
          for (let next = left.shift(); next !== undefined; next = left.shift()) await askFor(next);
        }),
      );
      return passed;
    },
  };
}

/** Undefined if nothing has to be checked: the request changes nothing, or the message is a system message. Throws if it is rejected anyway. */
async function findAllowed(
  writer: Writer,
  checkable: Checkable,
): Promise<(Allowed & { readonly senderId: string }) | undefined> {
  // A send finds out itself, with what else decides: the message of an earlier request with its key may be a reason to reject it.
  if (checkable.operation !== "messages.send" && (await isRepeated(writer))) return undefined;
  const { senderId, ...allowed } = await checkable.requireAllowed();
  return senderId === null || allowed.isRepeated ? undefined : { ...allowed, senderId };
}

function codeOfRejection(error: unknown): UnannouncedCode {
  const { code } = error instanceof ServiceError ? error : {};
  if (code === "message_rejected" || code === "check_unavailable") return code;
  throw error;
}

/** The text of a draft. Empty if it has none. */
const textOf = (content: UncheckedText | null | undefined): string => (content ? exempt(content) : "");

/** Whether an earlier request with the idempotency key has stored its message: this one gets the response of that one. */
const isRepeated = async ({ request: { key }, db }: Writer): Promise<boolean> =>
  key !== undefined && (await findResult(db, key)) !== undefined;

/** A checked text is a string. */
const exemptOf = (content: string | null | undefined): string | undefined => content ?? undefined;

function replaceFields<Content>(
  passed: Passed<Content>,
  { content, parts, meta }: Replacement,
): Passed<Content> {
  return {
    ...passed,
    // A text from a hook counts as checked.
    ...(content !== undefined && { content: content as CheckedText as Passed<Content>["content"] }),
    ...(parts !== undefined && { parts }),
    ...(meta !== undefined && { meta }),
    isReplaced: passed.isReplaced || [content, parts, meta].some((field) => field !== undefined),
  };
}

function passAsIs<Content extends UncheckedText | null | undefined>(draft: Draft<Content>): Passed<Content> {
  return replaceContent(draft, "", "");
}

/** The draft, with another text if the checks made another one of it. */
function replaceContent<Content extends UncheckedText | null | undefined>(
  { content, parts, meta }: Draft<Content>,
  text: string,
  checked: string,
): Passed<Content> {
  const isReplaced = checked !== text;
  // An unchecked text is a string, and this is where it becomes a checked one. What is no text stays what it is.
  const passed = (isReplaced ? checked : content) as unknown as CheckedText;
  return { content: passed as Passed<Content>["content"], parts, meta, isReplaced };
}
