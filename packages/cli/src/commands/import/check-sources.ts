import { IdIndex } from "../../data/files/id-index";
import type { Row } from "../../data/tables/column";
import { locate } from "../../data/tables/read-rows";
import { type Kind, kinds } from "../../data/tables/tables";
import { readMessage } from "./read-message";
import { findProblems, maxEntries } from "./rules";
import type { Source } from "./sources";
import { takeBack, takeUser } from "./take-back";

/** The sender of messages of nobody, who is not created. */
const erasedUserId = "~deleted";

export interface Checked {
  readonly rows: Readonly<Record<Kind, number>>;
  readonly problems: number;
  /** What an import leaves out, a sentence each. */
  readonly leftOut: readonly string[];
  /** Each sender who is in no file of users, by id. */
  readonly senders: ReadonlyMap<string, Sender>;
}

/** What the first message of a sender knows of them. */
export interface Sender {
  readonly row: Row;
  readonly location: string;
}

/**
 * Reads and checks all rows and sends nothing. Reports a sentence for each kind of problem, with the file, line and channel of
 * the first row that has it, and the number of others.
 */
export async function checkSources(
  sources: readonly Source[],
  report: (problem: string) => void,
  onRows: (count: number) => void,
): Promise<Checked> {
  const counts = new Map<Kind, number>();
  /** The files of users come first. */
  const users = new IdIndex();
  const senders = new Map<string, Sender>();
  const leftOut = new LeftOut();
  const found = new Map<string, { first: string; count: number }>();
  const addProblem = ({ kind }: Source, location: string, problem: string) => {
    // Rows that have the same problem have other values and numbers in its sentence.
    const key = `${kind} ${problem.replaceAll(/"[^"]*"|\d+/g, "_")}`;
    const known = found.get(key);
    if (known) known.count += 1;
    else found.set(key, { first: `${location}: ${problem}`, count: 1 });
  };
  for (const source of sources) {
    const ids = new IdIndex();
    const entries = new Map<string, number>();
    for await (const batch of source.entries()) {
      for (const entry of batch)
        for (const problem of "row" in entry ? problemsOf(entry.row, entry.line) : [entry.problem]) {
          const location = locateRow(source, entry.line, "row" in entry ? entry.row : {});
          addProblem(source, location, problem);
        }
      const { length } = batch.filter((entry) => "row" in entry);
      counts.set(source.kind, (counts.get(source.kind) ?? 0) + length);
      onRows(length);
    }

    function problemsOf(row: Row, line: number): string[] {
      const found =
        source.kind === "messages" ? problemsOfMessage(row, line) : findProblems(source.kind, row);
      if (source.kind !== "messages") leftOut.addFields(source.kind, takeBack(source.kind, row).leftOut);
      const id = idOf(source, row);
      const earlier = ids.get(id);
      if (source.kind === "users") users.add(id, line);
      if (earlier === undefined) ids.add(id, line);
      else found.push(`the row has the same ${nameOfId(source, row)} as that of line ${earlier}.`);
      if (source.kind !== "members" && source.kind !== "managers") return found;
      const count = (entries.get(String(row.channel_id)) ?? 0) + 1;
      entries.set(String(row.channel_id), count);
      const max = maxEntries[source.kind];
      return count === max + 1 ? [...found, `a channel has at most ${max} ${source.kind}.`] : found;
    }

    function problemsOfMessage(row: Row, line: number): string[] {
      const { obstacle, leftOut: fields, sender } = readMessage(row, source.channelId);
      if (obstacle !== undefined) {
        leftOut.addMessage(obstacle);
        return [];
      }
      leftOut.addFields("messages", fields);
      addSender(sender, locateRow(source, line, row));
      return findProblems("messages", row, source.channelId);
    }

    function addSender(sender: Row, location: string): void {
      const id = sender.user_id;
      if (typeof id !== "string" || id === erasedUserId || senders.has(id) || users.get(id) !== undefined)
        return;
      const { taken, leftOut: fields } = takeUser(sender);
      leftOut.addFields("senders", fields);
      senders.set(id, { row: taken, location });
    }
  }
  let problems = 0;
  for (const { first, count } of found.values()) {
    report(count === 1 ? first : `${first} (and ${count - 1} more like this)`);
    problems += count;
  }
  // Every kind is a key.
  const rows = Object.fromEntries(kinds.map((kind) => [kind, counts.get(kind) ?? 0])) as Record<Kind, number>;
  return { rows, problems, leftOut: leftOut.describe(), senders };
}

/** A file whose rows use fields as a map may have any number of them. */
const maxNames = 50;

/** Counts what an import does not have. */
class LeftOut {
  readonly #fields = new Map<string, Map<string, number>>();
  readonly #messages = new Map<string, number>();

  addFields(what: string, names: readonly string[]): void {
    const counts = this.#fields.get(what) ?? new Map<string, number>();
    this.#fields.set(what, counts);
    const isNamed = (name: string, index: number) => counts.has(name) || counts.size + index < maxNames;
    for (const name of new Set(names.map((name, index) => (isNamed(name, index) ? name : "…"))))
      count(counts, name);
  }

  addMessage(obstacle: string): void {
    count(this.#messages, obstacle);
  }

  /** A sentence for the fields that equally many have, and one for each obstacle. */
  describe(): string[] {
    const fields = [...this.#fields].flatMap(([what, counts]) =>
      [...new Set(counts.values())].map((number) => {
        const names = [...counts].filter((each) => each[1] === number).map(([name]) => JSON.stringify(name));
        return `${describeRows(number, what)} had ${names.join(", ")}: left out`;
      }),
    );
    const messages = [...this.#messages].map(
      ([obstacle, number]) => `${describeRows(number, "messages")} with ${obstacle}: left out`,
    );
    return [...fields, ...messages];
  }
}

const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

const describeRows = (number: number, what: string) =>
  `${number.toLocaleString("en-US")} ${number === 1 ? what.slice(0, -1) : what}`;

/** A row as people find it: its file and line, and its channel. */
export function locateRow({ path, kind, channelId }: Source, line: number, row: Row): string {
  const channel = kind === "users" ? undefined : (channelId ?? row.channel_id);
  return `${locate(path, line)}${channel === undefined ? "" : ` (channel ${channel})`}`;
}

/** What two rows of a file may not have in common. */
export function idOf({ kind, channelId }: Source, row: Row): string {
  if (kind === "users") return String(row.user_id);
  if (kind === "channels") return String(row.channel_id);
  if (kind === "blocks") return JSON.stringify([row.user_id, row.blocked_user_id]);
  if (kind !== "messages") return JSON.stringify([row.channel_id, row.user_id]);
  const { channelId: id, message } = readMessage(row, channelId);
  return JSON.stringify([id, message.external_id]);
}

function nameOfId({ kind, channelId }: Source, row: Row): string {
  if (kind === "users") return "user_id";
  if (kind === "channels") return "channel_id";
  if (kind === "blocks") return "user_id and blocked_user_id";
  if (kind !== "messages") return "channel_id and user_id";
  return readMessage(row, channelId).isIdMade
    ? "sender, time and content, and no external_id,"
    : "external_id";
}
