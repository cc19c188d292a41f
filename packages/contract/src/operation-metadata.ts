import { limits } from "./rules/limits";

/** A named value for the documentation. A test checks each one against the contract. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** What a client may send and what the server responds with. Operations without a body leave the part out. */
export interface OperationExamples {
  readonly query?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, Example>>;
  readonly responses?: Readonly<Record<string, Example>>;
}

/**
 * Which keys may call an operation, besides the master key:
 * - `any_key`: a sub key without scopes, and one with a scope that covers the operation.
 * - `named_scope`: a sub key with a scope that names the operation or its group. `read` is not enough.
 * - `any_scope`: every sub key, whatever its scopes.
 * - `master_key`: none.
 */
export type Access = "any_key" | "named_scope" | "any_scope" | "master_key";

/**
 * Who may call an operation as a user, with a token or a user key:
 * - `member`: the participants and managers of the channel. For others the channel does not exist, here and below.
 * - `self`: the user itself, where the request names a user.
 * - `author`: the sender of the message, while it may send to the channel.
 * - `author_or_manager`: the sender of the message unless the channel is frozen, and the managers of the channel.
 * - `manager`: the managers of the channel.
 * - `no`: nobody.
 */
export const userRights = ["member", "self", "author", "author_or_manager", "manager", "no"] as const;
export type UserRight = (typeof userRights)[number];

/** What the method of the SDK needs besides what follows from the route, and how it reads where the route says too little. */
export interface SdkMetadata {
  /** What the method does, where `summary` and `description` speak of the wire. */
  readonly description?: string;
  /** Code that calls it, where the call with the first example says too little. */
  readonly example?: string;
  /** The argument that callers must give, although the service does not require it. */
  readonly requires?: "body" | "query";
  /** The name of the type of its filters. Default: `UsersListQuery` for `users.list`. Operations with the same filters can share it. */
  readonly query?: string;
  /** The list that pages through the items, if the response has several. */
  readonly items?: string;
  /** The name of the type of a page that has more than its items. */
  readonly page?: string;
  /** Whether a failed call is repeated: the default. */
  readonly isRetried?: false;
}

/** What a server and a client must know about an operation besides its schemas. Carried as ts-rest route metadata. */
export interface OperationMetadata {
  readonly access: Access;
  readonly user: UserRight;
  /** The field of the body that names the user itself. It may be left out when acting as a user. */
  readonly selfField?: "user_id" | "member" | "reporter_user_id";
  /** Whether the interface document does not show the operation: the default, as the document does not grow. */
  readonly extension: boolean;
  /** The setting `MADANG_AUDIT` from which on it is recorded, if it differs from that of its resource. `never`: it changes nothing. */
  readonly auditedFrom?: "changes" | "all" | "never";
  /** The operation that this one repeats without a body, for proxies that drop the body of a DELETE. */
  readonly variantOf?: string;
  /** Whether a request that is sent again changes nothing, so that the SDK sends it without an idempotency key. */
  readonly isRepeatable?: boolean;
  /** Whether a page of the list may have no items although others follow: a search that is cut, or a page with other lists. */
  readonly hasEmptyPages?: boolean;
  /** How large the body may be, in bytes. */
  readonly maxBodyBytes: number;
  readonly examples: OperationExamples;
  readonly sdk: SdkMetadata;
}

const defaults: Omit<OperationMetadata, "access" | "user"> = {
  extension: true,
  maxBodyBytes: limits.bodyBytes,
  examples: {},
  sdk: {},
};

/**
 * Fills in the defaults. `access` and `user` have none, so that a new operation is never open by accident.
 */
export function metadata(
  own: Partial<OperationMetadata> & Pick<OperationMetadata, "access" | "user">,
): OperationMetadata {
  return { ...defaults, ...own };
}

/** The only example of its kind. */
export function example(summary: string, value: unknown): Readonly<Record<string, Example>> {
  return { default: { summary, value } };
}
