import { afterAll, expect, test } from "vitest";
import { chatWith } from "../../../../test/support/chat";
import { startServer } from "../../../../test/support/server";
import { untilBlocking } from "../../../../test/support/until-blocking";
import type { Tx } from "../../../db/db";
import { numberEvents } from "../../events/numbering/number-store";
import { assignEvents } from "./queue-store";

const server = await startServer({ settings: { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" } });
const chat = chatWith(server);
afterAll(() => server.close());

test.each([0, 1])(
  "events are assigned to no queue while the webhook is changed, which locks queue %i first",
  async (first) => {
    const user_id = `kim_${first}`;
    const rooms = [`room_${first}_0`, `room_${first}_1`];
    await chat.users.create({ user_id, name: "Kim" });
    for (const channel_id of rooms)
      await chat.channels.create({ channel_id, name: "Room", members: [user_id] });
    const types = ["message.created"] as const;
    const { webhook_id: webhookId } = await chat.webhooks.create({ url: "http://127.0.0.1:9/", types });
    const [{ pk } = expect.fail()] = await server.db.query<{ pk: number }>(findWebhook, [webhookId]);
    const assign = async () => {
      for (const room of rooms) await chat.messages.send(room, { user_id, type: "text", content: "Hi" });
      await numberEvents(server.db, { waitsForLock: true });
      return assignEvents(server.db, { pk, webhookId });
    };
    const before = await assign();
    const found = await server.db.query<{ channelPk: number }>(findQueues, [pk]);
    expect(found).toHaveLength(2);
    const [own, other] = first === 0 ? found : found.toReversed();
    const lock = (tx: Tx, queue: typeof own) => tx.query(lockQueue, [pk, queue?.channelPk]);
    // As `webhooks.update` does, one queue after the other.
    const { assigned } = await server.db.transaction(async (tx) => {
      await tx.query(change, [pk]);
      await lock(tx, own);
      const assigned = assign();
      await untilBlocking((text) => tx.query({ name: "test.blocking", text }));
      await lock(tx, other);
      return { assigned };
    });
    expect(await assigned).toBeGreaterThan(before ?? expect.fail());
  },
);

const findWebhook = { name: "test.find-webhook", text: "SELECT pk FROM webhooks WHERE webhook_id = $1" };
const findQueues = {
  name: "test.find-queues",
  text: `SELECT channel_pk AS "channelPk" FROM webhook_queues WHERE webhook_pk = $1 ORDER BY channel_pk`,
};
const change = {
  name: "test.change",
  text: "UPDATE webhooks SET failing_since = 1 WHERE pk = $1 RETURNING 1",
};
/** Fails if another transaction has the queue. */
const lockQueue = {
  name: "test.lock-queue",
  text: "SELECT 1 FROM webhook_queues WHERE webhook_pk = $1 AND channel_pk = $2 FOR UPDATE NOWAIT",
};
