import type {
  Erasure,
  Message,
  NewErasure,
  Person,
  PersonalBan,
  PersonalFile,
  PersonalMembership,
  PersonalMention,
  PersonalMute,
  PersonalReaction,
  PrivacyExportQuery,
  PrivacyListQuery,
  Report,
} from "../generated/types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions, Page } from "../paging/page";
import type { Pager } from "../paging/pager";
import type { Api } from "../transport/call";

/** Where to begin, and the page size. */
export interface ErasureListOptions extends ListOptions, PrivacyListQuery {}

/** Where to begin, and the page size. */
export interface PersonalPageOptions extends ListOptions, PrivacyExportQuery {}

/** A page of what is stored about one user. The items are the messages, oldest first. */
export interface PersonalPage extends Page<Message> {
  /** The user of this page. The pages of one user follow each other. */
  readonly user: Person;
  /** The next memberships and manager roles of the user, oldest first. */
  readonly memberships: PersonalMembership[];
  /** The next reactions of the user, oldest first. */
  readonly reactions: PersonalReaction[];
  /** The next messages that mention the user, by channel, oldest first. */
  readonly mentions: PersonalMention[];
  /** The next mutes of the user, by channel. */
  readonly mutes: PersonalMute[];
  /** The next bans of the user, by channel. */
  readonly bans: PersonalBan[];
  /** The next reports about the user, about a message of the user, or by the user, oldest first. */
  readonly reports: Report[];
  /** The next files of the user, oldest first. */
  readonly files: PersonalFile[];
}

/** `chat.privacy` */
export class Privacy {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Begins to erase every user that ever had an id, also deleted ones. A background job of the service goes on; `get`
   * shows when it is done. Throws `NotFoundError` when no user ever had the id.
   *
   * @param erasure The id, and whether the messages of the users are erased or kept without their sender.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { erasure_id } = await chat.privacy.erase({ user_id: "kim_01", messages: "erase" });
   */
  erase(erasure: NewErasure, options?: CallOptions): Promise<Erasure> {
    return this.#api.call("privacy.erase", { body: erasure }, options);
  }

  /**
   * Lists erasures, newest first.
   *
   * @param page Where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const { user_id, status } of chat.privacy.list()) console.log(user_id, status);
   */
  list(page: ErasureListOptions = {}, options?: CallOptions): Pager<Erasure> {
    return createPager(this.#api, "privacy.list", page, options, {
      read: ({ erasures, next }) => ({ items: erasures, next }),
    });
  }

  /**
   * Gets an erasure: its progress or its result. Throws `NotFoundError` when it does not exist.
   *
   * @param erasureId The id of the erasure, as the service returned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { status } = await chat.privacy.get("era_1");
   */
  get(erasureId: string, options?: CallOptions): Promise<Erasure> {
    return this.#api.call("privacy.get", { path: { erasure_id: erasureId } }, options);
  }

  /**
   * Lists what is stored about every user that ever had an id, also deleted ones: the items are the messages, and each
   * page also has the user, memberships, reactions, mentions, mutes, bans, reports and files. Throws `NotFoundError` when no user ever had the id.
   *
   * @param userId The id of the users: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param page Where to begin, and the page size: 1 to 1,000, default 100.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const { user, memberships, items } of chat.privacy.export("kim_01").pages()) console.log(user, memberships, items);
   */
  export(
    userId: string,
    page: PersonalPageOptions = {},
    options?: CallOptions,
  ): Pager<Message, PersonalPage> {
    return createPager(this.#api, "privacy.export", page, options, {
      path: { user_id: userId },
      read: ({ messages, next, ...page }) => ({ items: messages, next, extra: () => page }),
    });
  }
}
