import type { AuditEntry, AuditListQuery } from "../generated/types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions } from "../paging/page";
import type { Pager } from "../paging/pager";
import type { Api } from "../transport/call";

/** Which entries, where to begin, and the page size. */
export interface AuditListOptions extends ListOptions, AuditListQuery {}

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
    return createPager(this.#api, "audit.list", page, options, {
      read: ({ entries, next }) => ({ items: entries, next }),
    });
  }
}
