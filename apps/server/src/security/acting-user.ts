/** The user as whom a request acts. It has the rights of this user alone. */
export interface ActingUser {
  readonly userId: string;
  readonly userPk: number;
  /** The keys of the metadata of others that users see. */
  readonly publicMeta: ReadonlySet<string>;
}
