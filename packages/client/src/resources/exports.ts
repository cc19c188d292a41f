import { ValidationError } from "../errors/errors";
import type { ExportsMessagesQuery } from "../generated/resources";
import type { Message, MessagePage } from "../generated/types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { Page } from "../paging/page";
import type { PageData } from "../paging/page-iterator";
import type { Pager } from "../paging/pager";
import type { Api } from "./api";

/** The messages to export. */
export interface ExportRange extends Omit<ExportsMessagesQuery, "start_date" | "end_date"> {
  /** The first day, inclusive: `YYYY-MM-DD`, or a `Date` for its day in `timezone`. */
  start_date?: string | Date | undefined;
  /** The last day, inclusive: `YYYY-MM-DD`, or a `Date` for its day in `timezone`. */
  end_date?: string | Date | undefined;
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
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Exports the messages of a channel, newest first.
   *
   * Throws `NotFoundError` when the channel does not exist, `BadRequestError` for a cursor of another export.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param range The days, their time zone, and the page size: 100 to 1,000, default 100.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const message of chat.exports.messages("room_1", { start_date: "2024-01-01" })) console.log(message);
   */
  messages(channelId: string, range: ExportRange = {}, options?: CallOptions): Pager<Message, ExportPage> {
    const { start_date, end_date, ...page } = range;
    return createPager(this.#api, "exports.messages", page, options, {
      path: { channel_id: channelId },
      filters: () => ({
        start_date: formatDay("start_date", start_date, page.timezone),
        end_date: formatDay("end_date", end_date, page.timezone),
      }),
      read: readPage,
    });
  }
}

function readPage({ messages, next, timezone }: MessagePage): PageData<Message> {
  return {
    items: messages,
    next,
    extra: (items) => {
      const newest = items[0]?.created_at;
      const oldest = items.at(-1)?.created_at;
      return { timezone, ...(newest !== undefined && { reached: { newest, oldest } }) };
    },
  };
}

/** A day as `YYYY-MM-DD`; for a `Date`, its day in the time zone. */
export function formatDay(
  name: string,
  day: string | Date | undefined,
  timeZone = "UTC",
): string | undefined {
  if (!(day instanceof Date)) return day;
  try {
    // Swedish dates are those of ISO 8601.
    return new Intl.DateTimeFormat("sv", { timeZone }).format(day).padStart(10, "0");
  } catch {
    throw new ValidationError(
      name,
      "Must be a valid Date, and timezone a zone such as Asia/Seoul.",
      "exports.messages",
    );
  }
}
