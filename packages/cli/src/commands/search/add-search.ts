import type { ChatClient, Message } from "@madang/client";
import type { Command } from "commander";
import type { Session } from "../../session";
import { UsageError } from "../../terminal/exit-codes";
import { write } from "../../terminal/io";
import { formatTime } from "../../terminal/output/format-value";
import { toJsonLine, toPlainText } from "../../terminal/output/plain-text";
import { parsePositive } from "../operations/parse-value";
import { splitAtMatches } from "./split-at-matches";

interface SearchOptions {
  readonly channel?: string;
  readonly user?: string;
  readonly sender?: string;
  readonly limit?: number;
}

export function addSearch(program: Command, session: Session): void {
  program
    .command("search")
    .argument("<terms...>", "what a message has to contain: each term, in any case, anywhere in a word")
    .summary("Search messages")
    .description(
      "Searches the messages of a channel, of all channels of a user, or of all channels, newest first. On a terminal, each message is a line with the channel, the time, the sender and the text, in which the terms are marked; otherwise, a line of JSON. All channels require the master key, or a key with the scope messages.searchAll.",
    )
    .option("--channel <id>", "only this channel")
    .option("--user <id>", "only the channels in which this user is a participant")
    .option("--sender <id>", "only messages of this sender; not with --user")
    .option("--limit <number>", "stop after this many messages", parsePositive)
    .addHelpText("after", "\nExample:\n  $ madang search noon menu --channel room_1")
    .action((terms: string[], options: SearchOptions) => search(session, terms.join(" "), options));
}

async function search(session: Session, query: string, options: SearchOptions): Promise<void> {
  const { io, output } = session;
  const isForPeople = io.stdout.isTTY === true && session.options().json !== true;
  let isEmpty = true;
  for await (const message of find(await session.connect(), query, options, io.signal)) {
    isEmpty = false;
    if (isForPeople) await output.line(formatMessage(session, message, query));
    else await write(io.stdout, toJsonLine(message));
  }
  if (isEmpty) output.note("There are none.");
}

function find(
  chat: ChatClient,
  q: string,
  { channel, user, sender, limit }: SearchOptions,
  signal: AbortSignal,
): AsyncIterable<Message> {
  if (channel !== undefined && user !== undefined)
    throw new UsageError("--channel and --user cannot be used together.");
  if (sender !== undefined && user !== undefined)
    throw new UsageError("--sender and --user cannot be used together.");
  const page = { q, pageSize: Math.min(limit ?? 100, 100), ...(limit !== undefined && { maxItems: limit }) };
  if (user !== undefined) return chat.users.searchMessages(user, page, { signal });
  const query = { ...page, ...(sender !== undefined && { user_id: sender }) };
  return channel === undefined
    ? chat.messages.searchAll(query, { signal })
    : chat.messages.search(channel, query, { signal });
}

function formatMessage({ output }: Session, message: Message, query: string): string {
  const { channel_id, created_at } = message;
  const text = message.type === "file" ? message.file.name : message.content;
  const marked = splitAtMatches(text, query).map(({ part, isMatch }) =>
    isMatch ? output.styleData("yellow", toPlainText(part)) : toPlainText(part),
  );
  const senderId = message.type === "system" ? "system" : message.user.user_id;
  const sender = output.styleData("bold", toPlainText(senderId));
  return `${toPlainText(channel_id)}  ${output.styleData("dim", formatTime(created_at))}  ${sender}  ${marked.join("")}`;
}
