import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { connectTo, createDatabase } from "../../test/support/database";
import { resealSecrets } from "./reseal-secrets";
import { openKeyMaker } from "./secret";

const database = await createDatabase();
const db = connectTo(database.url);
afterAll(async () => {
  await db.close();
  await database.drop();
});

const open = (current: string, previous?: string) => openKeyMaker(db, { current, previous }, randomBytes);

/** Every stored secret, as it is in the database. */
async function readSealed(): Promise<Buffer[]> {
  const text = `SELECT sealed FROM sub_keys UNION ALL SELECT secret FROM webhooks
    UNION ALL SELECT previous_secret FROM webhooks WHERE previous_secret IS NOT NULL`;
  return (await db.query<{ sealed: Buffer }>({ name: "test.read-sealed", text })).map(({ sealed }) => sealed);
}

test("after a change of the master key, every stored secret opens with the new one and none with the old one", async () => {
  const [first, second] = ["mk_the-first-master-key", "mk_the-second-master-key"];
  const old = await open(first);
  const texts = ["sub key", "secret", "previous secret", "only secret"];
  const [subKey, secret, previous, only] = texts.map((text) => old.seal(text));
  const insertKey =
    "INSERT INTO sub_keys (master_id, digest, sealed, created_at) VALUES ($1, 'digest', $2, 1)";
  await db.query({ name: "test.insert-key", text: insertKey }, [old.masterId, subKey]);
  const insertWebhooks = `INSERT INTO webhooks (webhook_id, master_id, url, secret, previous_secret, created_at, updated_at)
    VALUES ('wh_1', $1, 'https://one.test', $2, $3, 1, 1), ('wh_2', $1, 'https://two.test', $4, NULL, 1, 1)`;
  await db.query({ name: "test.insert", text: insertWebhooks }, [old.masterId, secret, previous, only]);

  await resealSecrets(db, await open(second, first));
  expect(await readSealed()).toHaveLength(4);
  for (const sealed of await readSealed()) await old.open(sealed);

  const current = await open(second);
  await resealSecrets(db, current);
  const opened = await Promise.all((await readSealed()).map((sealed) => current.open(sealed)));
  expect(opened.toSorted()).toEqual(texts.toSorted());
  for (const sealed of await readSealed()) await expect(old.open(sealed)).rejects.toThrow();
});
