import { presentUser } from "../users/present";
import { JsonWriter } from "./json-writer";
import type { ExportRow, Sender } from "./store";

/** More than a message takes with its sender, usually, so that the page need not move while it is made. */
const usualMessageBytes = 640;

/**
 * A page as the bytes of its JSON. Each sender is turned into JSON once, and what the database has as UTF-8 goes into
 * the page as it is: per message nothing is decoded and hardly anything encoded.
 */
export function presentPage(page: {
  readonly channelId: string;
  /** What the rows point into. */
  readonly bytes: Buffer;
  readonly rows: readonly ExportRow[];
  readonly senders: ReadonlyMap<number, Sender>;
  readonly timezone: string;
  readonly next: string | undefined;
}): Buffer {
  const { bytes, rows } = page;
  // Ids, zones and cursors hold ASCII alone.
  const channel = JSON.stringify(page.channelId);
  const senders = new Map([...page.senders].map(([pk, sender]) => [pk, encodeSender(sender)]));
  const json = new JsonWriter(1_024 + rows.length * usualMessageBytes);
  let separator = "";
  json.ascii('{"messages":[');
  for (const { pk, createdAt, updatedAt, senderPk, content, file, meta } of rows) {
    json.ascii(`${separator}{"message_id":"${pk}","channel_id":${channel},"user":`);
    const sender = senders.get(senderPk);
    if (sender === undefined) throw new Error(`The message ${pk} has no sender.`);
    json.raw(sender, { start: 0, end: sender.length });
    if (content !== null) {
      json.ascii(',"type":"text","content":');
      json.string(bytes, content);
    } else if (file !== null) {
      json.ascii(',"type":"file","file":');
      json.raw(bytes, file);
    }
    json.ascii(',"meta":');
    json.raw(bytes, meta);
    json.ascii(`,"created_at":${createdAt},"updated_at":${updatedAt}}`);
    separator = ",";
  }
  const next = page.next === undefined ? "" : `,"next":${JSON.stringify(page.next)}`;
  json.ascii(`],"timezone":${JSON.stringify(page.timezone)}${next}}`);
  return json.finish();
}

const encodeSender = (sender: Sender) => Buffer.from(JSON.stringify(presentUser(sender)));
