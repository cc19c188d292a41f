import type { Answer } from "./attempts";
import type { Call, Fail } from "./call";
import { formatDay } from "./day";
import type { Message } from "./messages";
import type { CallOptions } from "./options";
import type { ListOptions, Page } from "./page";
import { readPage } from "./page-answer";
import { Pager } from "./pager";
import type { Fetched } from "./walk";

/** Which messages to export. */
export interface ExportRange extends ListOptions {
  /** The first day, inclusive: `YYYY-MM-DD`, or a `Date` for the day that it falls on in `timezone`. */
  start_date?: string | Date | undefined;
  /** The last day, inclusive: `YYYY-MM-DD`, or a `Date` for the day that it falls on in `timezone`. */
  end_date?: string | Date | undefined;
  /** The zone of the two days: `UTC`, or a name such as `Asia/Seoul`. Default `UTC`. Timestamps stay UTC. */
  timezone?: string | undefined;
}

/** A page of an export. */
export interface ExportPage extends Page<Message> {
  /** The zone that the service applied to the days. */
  readonly timezone: string;
  /** Between which times the messages of this page lie, in milliseconds UTC. Absent on an empty page. */
  readonly reached?: { readonly newest: number; readonly oldest: number };
}

/** `chat.exports` */
export class ExportCalls {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Exports the messages of a channel, newest first. `pageSize` is 100 to 1,000, 100 when left out.
   *
   * Throws `NotFoundError` when there is no such channel, `BadRequestError` for a cursor of another export.
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

function readExportPage(data: unknown, _answer: Answer, fail: Fail): Fetched<Message> {
  const page = readPage<Message>(data, "messages", fail);
  const { timezone } = Object(data);
  const newest = page.items[0]?.created_at;
  const oldest = page.items.at(-1)?.created_at;
  return { ...page, extra: { timezone, ...(newest !== undefined && { reached: { newest, oldest } }) } };
}
