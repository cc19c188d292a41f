export const superuser = "madang";

/** The URL of a database of the embedded PostgreSQL, for a client that knows `require_auth`. */
export const urlOf = (authority: string, password: string, database: string) =>
  `postgresql://${superuser}:${password}@${authority}/${database}?require_auth=scram-sha-256`;
