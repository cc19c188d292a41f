import type { AuditEntry } from "../generated/types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions } from "../paging/page";
import type { Pager } from "../paging/pager";
import type { Api } from "../transport/call";

/** Which entries, where to begin, and the page size. */
export interface AuditListOptions extends ListOptions {
  /** Only what this sub key called. */
  key_id?: string | undefined;
  /** Only what names this user. */
  user_id?: string | undefined;
  /** Only what names this channel. */
  channel_id?: string | undefined;
  /** Only calls of this operation, such as `users.delete`. */
  operation?: string | undefined;
  /** Only entries at or after this time, in milliseconds. */
  from?: number | undefined;
  /** Only entries before this time, in milliseconds. */
  to?: number | undefined;
  /** How many entries the service puts on a page: 1 to 100, default 30. */
  pageSize?: number | undefined;
}

/** `chat.audit` */
export class Audit {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the audit log, newest first. Requires the master key or a sub key with a scope that names it.
   *
   * @param page Which entries, where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const { at, actor } of chat.audit.list({ user_id: "park_03" })) console.log(at, actor);
   */
  list(page: AuditListOptions = {}, options?: CallOptions): Pager<AuditEntry> {
    const { key_id, user_id, channel_id, operation, from, to } = page;
    return createPager(this.#api, "audit.list", page, options, {
      request: () => ({ query: { key_id, user_id, channel_id, operation, from, to } }),
      read: ({ entries, next }) => ({ items: entries, next }),
    });
  }
}
