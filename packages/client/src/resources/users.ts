import { BaseUsers } from "../generated/resources";
import type { NewUser, UpsertResult } from "../generated/types";
import type { CallOptions } from "../options";
import type { Api } from "./api";

/** Per request. */
const maxUsers = 100;

/** `chat.users` */
export class Users extends BaseUsers {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    super(api);
    this.#api = api;
  }

  /**
   * Creates the users that do not exist and updates the others, any number of them, with a request for every 100. Yields a result for
   * each user, in their order.
   *
   * A user without changes is `unchanged`: it is not written, and has no event. An omitted `profile_url` keeps its
   * value, an empty string clears it, and metadata is merged. A user whose metadata would have more than 10 pairs gets the code
   * `meta_limit_exceeded`, and the others are stored. Requests are sent as you read the results; leave the loop to stop.
   *
   * Throws `BadRequestError` if a user breaks a rule: its request stores nothing; earlier requests are stored.
   *
   * @param users The users, as an array or a generator, which is read as they are sent. If an id occurs twice, the later user is stored last.
   * @param options Timeouts, retries, headers and signal of each request. The first request has the idempotency key, the others have it with `-1`, `-2` and so on.
   * @example for await (const { user_id, result } of chat.users.upsertMany([{ user_id: "kim_01", name: "Kim" }])) console.log(user_id, result);
   */
  async *upsertMany(
    users: Iterable<NewUser> | AsyncIterable<NewUser>,
    options?: CallOptions,
  ): AsyncGenerator<UpsertResult, void, undefined> {
    let index = 0;
    for await (const batch of inRequests(users)) {
      const key = options?.idempotencyKey;
      const own = index > 0 && key !== undefined && { idempotencyKey: `${key}-${index}` };
      const sent = await this.#api.callWithin(
        "users.upsertMany",
        { body: { users: batch } },
        { ...options, ...own },
      );
      yield* sent.results;
      index += 1;
    }
  }
}

/** Splits users into requests, none of which may have an id twice. */
async function* inRequests(users: Iterable<NewUser> | AsyncIterable<NewUser>): AsyncGenerator<NewUser[]> {
  let batch = new Map<string, NewUser>();
  for await (const user of users) {
    if (batch.size === maxUsers || batch.has(user.user_id)) {
      yield [...batch.values()];
      batch = new Map();
    }
    batch.set(user.user_id, user);
  }
  if (batch.size > 0) yield [...batch.values()];
}
