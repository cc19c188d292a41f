import { isChatError } from "@madang/client";
import type { CallToolResult } from "@modelcontextprotocol/server";

/** What a tool returns: the response of the service, and a sentence for the model. */
export interface Outcome {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** The response of a list, with its size and how to go on. */
export function describePage(response: unknown, name: string, hint: string): Outcome {
  const data: Record<string, unknown> = { ...Object(response) };
  const entries = data[name];
  const count = Array.isArray(entries) ? entries.length : 0;
  const more =
    typeof data.next === "string" ? "There are more: call it again with `next` as cursor." : "These are all.";
  return { data, text: `${count} ${name}. ${more} ${hint}` };
}

/** How many entries a result has room for, with its texts as short as they can be cut. `partOf` has the first ones. */
export function countFitting(
  max: number,
  partOf: (count: number) => Outcome["data"],
  format: Format,
): number {
  const maxBytes = maxResultBytes - 500 - maxTextBytes;
  return countWithin(max, (count) => cutTexts(chooseFields(partOf(count), format), minCutLength), maxBytes);
}

/** Which fields a result has. */
export type Format = "concise" | "detailed";

/**
 * No tokenizer makes more than one token of a byte, so a result has at most as many tokens as bytes, whatever it contains.
 */
export const maxResultBytes = 25_000;

/** The texts of lists are shorter. */
const maxTextBytes = 1_000;

/** A string that is longer than this is cut when a result is too large. */
const minCutLength = 200;

/**
 * The structured content, and for clients that pass on only texts a short one and the same as JSON. What is too large loses the ends of
 * long texts, then its last entries.
 */
export function toResult({ data, text }: Outcome, format: Format): CallToolResult {
  const { content, note } = fit(chooseFields(data, format), maxResultBytes - sizeOf(text) - 500);
  return {
    content: [
      { type: "text", text: note === undefined ? text : `${text} ${note}` },
      { type: "text", text: JSON.stringify(content) },
    ],
    structuredContent: content,
  };
}

/** An error of the service or of the connection, with what to do. */
export function toErrorResult(error: unknown): CallToolResult {
  const text = describe(error);
  return {
    isError: true,
    content: [{ type: "text", text: text.slice(0, 4_000) }],
  };
}

function describe(error: unknown): string {
  if (!isChatError(error)) return error instanceof Error ? error.message : String(error);
  const detail = error.detail ?? error.message;
  const fields = (error.errors ?? []).slice(0, 10).map(({ path, message }) => `${path}: ${message}`);
  const code = error.code ?? error.kind;
  return [`${code}: ${detail}`, ...fields, adviceOf(error.code, error.kind, error.retryable)]
    .filter(Boolean)
    .join("\n");
}

function adviceOf(code: string | undefined, kind: string, isRetryable: boolean): string {
  if (code === "scope_missing" || code === "not_permitted" || code === "master_key_required")
    return "The key of this agent does not permit it. Tell the person; do not try other ways.";
  if (code?.endsWith("_not_found") === true)
    return "Check the id: find users with madang_find_users and channels with madang_find_channels.";
  if (code === "invalid_request" || kind === "validation")
    return "Correct the named fields. madang_describe_operation shows the rules of an operation.";
  if (code === "invalid_cursor") return "Call the tool again without the cursor.";
  return isRetryable ? "It may pass: try once more later." : "";
}

/** Fields that say nothing to most readers of a result. */
const rarelyNeeded: ReadonlySet<string> = new Set(["profile_url", "latest_at", "total_file_count", "newer"]);

function chooseFields(data: Outcome["data"], format: Format): Outcome["data"] {
  return format === "concise" ? Object(leaveOutRarelyNeeded(data)) : data;
}

function leaveOutRarelyNeeded(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((entry) => leaveOutRarelyNeeded(entry));
  if (typeof value !== "object" || value === null) return value;
  // Of a sender, the id and the name.
  if (name === "user" && "user_id" in value && "name" in value)
    return { user_id: value.user_id, name: value.name };
  const entries = Object.entries(value).filter(
    ([key, entry]) => !rarelyNeeded.has(key) && !(key === "meta" && isEmptyObject(entry)),
  );
  return Object.fromEntries(entries.map(([key, entry]) => [key, leaveOutRarelyNeeded(entry, key)]));
}

const isEmptyObject = (value: unknown) =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

interface Fitted {
  readonly content: Record<string, unknown>;
  readonly note?: string;
}

function fit(data: Outcome["data"], maxBytes: number): Fitted {
  if (sizeOf(data) <= maxBytes) return { content: { ...data } };
  let limit = 4_000;
  let content = cutTexts(data, limit);
  while (sizeOf(content) > maxBytes && limit > minCutLength) {
    limit = Math.max(minCutLength, Math.floor(limit / 2));
    content = cutTexts(data, limit);
  }
  const wasCut = `Texts longer than ${limit} characters were cut and end with "…[cut]".`;
  if (sizeOf(content) <= maxBytes) return { content: Object(content), note: wasCut };
  return dropEntries(Object(content), maxBytes, wasCut);
}

/** Keeps as many entries of the longest list as fit. */
function dropEntries(data: Record<string, unknown>, maxBytes: number, wasCut: string): Fitted {
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [longest] = lists.toSorted(([, one], [, other]) => sizeOf(other) - sizeOf(one));
  if (longest === undefined)
    return { content: {}, note: "The response is too large to show. Ask for less of it, or use the SDK." };
  const [name, entries] = longest;
  const count = countWithin(
    entries.length,
    (each) => ({ ...data, [name]: entries.slice(0, each) }),
    maxBytes,
  );
  return {
    content: { ...data, [name]: entries.slice(0, count) },
    note: `Only the first ${count} of ${entries.length} ${name} are shown, because the result would be too large. ${wasCut}`,
  };
}

function countWithin(max: number, partOf: (count: number) => unknown, maxBytes: number): number {
  let count = max;
  while (count > 0 && sizeOf(partOf(count)) > maxBytes) count = Math.floor(count / 2);
  return count;
}

function cutTexts(value: unknown, limit: number): unknown {
  if (typeof value === "string") {
    // Half of a surrogate pair is no text.
    return value.length > limit ? `${value.slice(0, limit).toWellFormed()}…[cut]` : value;
  }
  if (Array.isArray(value)) return value.map((entry) => cutTexts(entry, limit));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, key === "next" ? entry : cutTexts(entry, limit)]),
  );
}
