import type { IncomingMessage } from "node:http";

/** Every value of a header as it was sent. Cheaper than Node's `headersDistinct`, which parses all headers. */
export function listHeaders({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_value, index) => {
    const sent = index % 2 === 1 ? rawHeaders[index - 1] : undefined;
    return sent?.length === name.length && sent.toLowerCase() === name;
  });
}
