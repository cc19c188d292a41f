/** The user as whom a request acts. It has the rights of this user alone. */
export interface ActingUser {
  readonly userId: string;
  readonly userPk: number;
  /** The keys of the metadata of others that users see. */
  readonly publicMeta: ReadonlySet<string>;
  /** The last revocation before the token of the request. A later one ends the token. Absent with a key. */
  readonly revocation?: number | undefined;
}
