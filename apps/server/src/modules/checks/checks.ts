import type { UncheckedText } from "../../call/unchecked-text";
import {
  type AddToMessage,
  type CheckedText,
  type Checks,
  type Draft,
  exempt,
  messageRejected,
  type Passed,
} from "../../chat/checks";
import { findResult } from "../../write/idempotency-store";
import type { Writer } from "../../write/writer";
import type { Filter, FilterSet } from "./filter-set";
import { type Filtered, filterText } from "./filter-text";
import type { Hits } from "./hits";

interface CheckDeps {
  readonly filters: Pick<FilterSet, "current">;
  readonly hits: Pick<Hits, "add">;
  /** Opens a report of a message for filters that found something in it. */
  readonly report: (filters: readonly Filter[]) => AddToMessage;
}

/** How much of what is stored of a message is searched with the next append: more than a word has. */
const charactersBefore = 256;

/** The checks of messages before they are stored: what filters say, then what a hook says. */
export function createChecks({ filters, hits, report }: CheckDeps): Checks {
  const listFilters = async (channelId: string) => {
    const all = await filters.current();
    return all.length === 0
      ? all
      : all.filter(({ channelIds }) => channelIds === undefined || channelIds.has(channelId));
  };
  const count = ({ hits: found }: Filtered) => {
    for (const { pk } of found) hits.add(pk);
  };
  const reportOf = ({ reportedBy }: Filtered) => (reportedBy.length === 0 ? undefined : report(reportedBy));

  return {
    async pass(writer, checkable, draft) {
      const applied = await listFilters(checkable.channelId);
      if (applied.length === 0) return passAsIs(draft);
      const stored = draft.content === undefined ? await checkable.readStored?.() : undefined;
      const text = stored ?? textOf(draft.content);
      if (text === "") return passAsIs(draft);
      const found = await filterText(applied, text, await checkable.readBefore?.(charactersBefore));
      if (found.hits.length === 0) return { ...passAsIs(draft), stored };
      if (await isRepeated(writer)) return passAsIs(draft);
      const { senderId, isRepeated: changesNothing } = await checkable.requireAllowed();
      if (senderId === null || changesNothing) return passAsIs(draft);
      count(found);
      const { rejectedBy } = found;
      if (rejectedBy !== undefined)
        throw messageRejected({ check: "filter", filter_id: rejectedBy.filterId });
      return { ...replaceContent(draft, text, found.text), stored, addToMessage: reportOf(found) };
    },
    async passMany(writer, channelIds, draft) {
      const text = textOf(draft.content);
      // The channels in which the same filters apply get the same.
      const outcomes = new Map<string, Filtered>();
      const passed = new Map<string, Passed<(typeof draft)["content"]> | "message_rejected">();
      let isFirst: boolean | undefined;
      for (const channelId of channelIds) {
        const applied = text === "" ? [] : await listFilters(channelId);
        const key = applied.map(({ pk }) => pk).join();
        const found = outcomes.get(key) ?? (await filterText(applied, text));
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
      return passed;
    },
  };
}

/** The text of a draft. Empty if it has none. */
const textOf = (content: UncheckedText | null | undefined): string => (content ? exempt(content) : "");

/** Whether an earlier request with the idempotency key has stored its message: this one gets the response of that one. */
const isRepeated = async ({ request: { key }, db }: Writer): Promise<boolean> =>
  key !== undefined && (await findResult(db, key)) !== undefined;

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
