import { Agent, type IncomingMessage, request } from "node:http";

/** An open stream of events. */
export interface EventListener {
  /** The number of events so far. */
  count(): number;
  close(): void;
}

/** Opens a stream of new messages. `onMessage` gets the id of each, at the moment it arrives. */
export async function listenToMessages(
  url: string,
  headers: Readonly<Record<string, string>>,
  onMessage?: (messageId: string) => void,
): Promise<EventListener> {
  const response = await openStream(`${url}/v1/events/stream?after=latest&types=message.created`, headers);
  let count = 0;
  let rest = "";
  response.setEncoding("utf8").on("data", (chunk: string) => {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      if (!block.includes("\nevent: ")) continue;
      count += 1;
      const [, messageId = ""] = onMessage ? (/"message_id":"([^"]+)"/.exec(block) ?? []) : [];
      onMessage?.(messageId);
    }
  });
  return { count: () => count, close: () => response.destroy() };
}

/** Opens a stream on a connection of its own. */
export function openStream(url: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const opening = request(url, { headers: { ...headers }, agent: new Agent() }, (response) => {
      if (response.statusCode === 200) resolve(response);
      else reject(new Error(`A stream was rejected: ${response.statusCode}`));
    });
    opening.once("error", reject).end();
  });
}

export async function createToken(
  url: string,
  headers: Readonly<Record<string, string>>,
  userId: string,
): Promise<string> {
  const response = await fetch(`${url}/v1/users/${userId}/tokens`, { method: "POST", headers });
  // The response of the contract.
  const { token } = (await response.json()) as { token: string };
  return token;
}
