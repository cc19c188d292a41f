import type { Call } from "./call";
import { formatDay } from "./day";
import type { CallOptions } from "./options";
import type { ListOptions, Page } from "./page";
import type { PageData } from "./page-iterator";
import { Pager } from "./pager";
import { readPage } from "./read-page";
import type { ReceivedResponse } from "./response";
import type { Message } from "./wire";

/** The messages to export. */
export interface ExportRange extends ListOptions {
  /** The first day, inclusive: `YYYY-MM-DD`, or a `Date` for its day in `timezone`. */
  start_date?: string | Date | undefined;
  /** The last day, inclusive: `YYYY-MM-DD`, or a `Date` for its day in `timezone`. */
  end_date?: string | Date | undefined;
  /** The time zone of the two days: `UTC`, or a name such as `Asia/Seoul`. Default `UTC`. Timestamps stay UTC. */
  timezone?: string | undefined;
}

/** A page of an export. */
export interface ExportPage extends Page<Message> {
  /** The time zone that the service applied to the days. */
  readonly timezone: string;
  /** The times of the newest and the oldest message of this page, in milliseconds UTC. Absent on an empty page. */
  readonly reached?: { readonly newest: number; readonly oldest: number };
}

/** `chat.exports` */
export class Exports {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Exports the messages of a channel, newest first. `pageSize`: 100 to 1,000, default 100.
   *
   * Throws `NotFoundError` when the channel does not exist, `BadRequestError` for a cursor of another export.
   *
   * @example for await (const message of chat.exports.messages("room_1", { start_date: "2024-01-01" })) console.log(message);
   */
  messages(channelId: string, range: ExportRange = {}, options?: CallOptions): Pager<Message, ExportPage> {
    return new Pager(
      {
        operation: "exports.messages",
        signal: options?.signal,
        fetch: (cursor, signal) =>
          this.#call(
            "exports.messages",
            {
              path: { channel_id: channelId },
              query: cursor === undefined ? createQuery(range) : { next: cursor },
            },
            { ...options, signal },
            readExportPage,
          ),
      },
      range,
    );
  }
}

function createQuery({ pageSize, start_date, end_date, timezone }: ExportRange) {
  return {
    limit: pageSize,
    start_date: formatDay("start_date", start_date, timezone),
    end_date: formatDay("end_date", end_date, timezone),
    timezone,
  };
}

function readExportPage(data: unknown, response: ReceivedResponse): PageData<Message> {
  const page = readPage<Message>(data, "messages", response);
  const { timezone } = Object(data);
  const newest = page.items[0]?.created_at;
  const oldest = page.items.at(-1)?.created_at;
  return { ...page, extra: { timezone, ...(newest !== undefined && { reached: { newest, oldest } }) } };
}
