import type { Queryable, Statement } from "./db";

/** A random value that all processes of the service share: made by the first that asks for it, and never changed. */
export async function requireSecret(
  db: Queryable,
  name: string,
  randomBytes: (length: number) => Buffer,
): Promise<Buffer> {
  await db.query(make, [name, randomBytes(32)]);
  const [secret] = await db.query(read, [name]);
  if (secret === undefined) throw new Error(`The secret ${name} is missing from the database.`);
  return secret.value;
}

const make: Statement<unknown> = {
  name: "secrets.make",
  text: "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
};

const read: Statement<{ value: Buffer }> = {
  name: "secrets.read",
  text: "SELECT value FROM secrets WHERE name = $1",
};
