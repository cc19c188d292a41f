import { ParseError } from "../errors/errors";
import type { OutgoingRequest } from "../transport/request";

/** In UTF-16 units: more than any event of the service. A server that never ends one would otherwise fill the memory. */
const maxEventLength = 1024 * 1024;

/** An event of a stream. One without data only moves the cursor. */
export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Parses server-sent events from chunks of text, wherever these are cut. Throws a `ParseError` when one is too long. */
export async function* parseServerSentEvents(
  chunks: AsyncIterable<string>,
  { operation }: Pick<OutgoingRequest, "operation">,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let rest = "";
  let id: string | undefined;
  let data: string[] = [];
  /** Of the lines in `data`. */
  let length = 0;
  const requireShort = (line: string) => {
    if (length + line.length <= maxEventLength) return;
    const message = `${operation}: the server sent an event of more than ${maxEventLength} characters.`;
    throw new ParseError("parse", message, { operation });
  };
  for await (const chunk of chunks) {
    // Only the chunk is searched: a line of many chunks would otherwise be searched as often.
    const [first = "", ...others] = chunk.split("\n");
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? "";
    for (const each of lines) {
      requireShort(each);
      const line = each.replace(/\r$/, "");
      const [, name, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (name === "id") id = value;
      else if (name === "data") {
        data.push(value);
        length += line.length;
      } else if (line === "" && (id !== undefined || data.length > 0)) {
        yield { id, data: data.join("\n") };
        id = undefined;
        data = [];
        length = 0;
      }
    }
    requireShort(rest);
  }
}
