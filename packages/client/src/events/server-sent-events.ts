/** An event of a stream. One without data only moves the cursor. */
export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Parses server-sent events from chunks of text, wherever these are cut. */
export async function* parseServerSentEvents(
  chunks: AsyncIterable<string>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  let rest = "";
  let id: string | undefined;
  let data: string[] = [];
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.map((each) => each.replace(/\r$/, ""))) {
      const [, name, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (name === "id") id = value;
      else if (name === "data") data.push(value);
      else if (line === "" && (id !== undefined || data.length > 0)) {
        yield { id, data: data.join("\n") };
        id = undefined;
        data = [];
      }
    }
  }
}
