import type { Queryable, Statement } from "../../db/db";
import type { KeyMaker } from "../../security/secret";

/** What waits for a webhook, and since when it had nothing but failures: null when its last attempt succeeded. */
export interface WebhookQueue {
  readonly webhookId: string;
  /** Channels, and events without a channel. */
  readonly lanes: number;
  readonly failingSince: number | null;
}

export function readQueues(db: Queryable, { masterId }: KeyMaker): Promise<WebhookQueue[]> {
  return db.query(read, [masterId]);
}

const read: Statement<WebhookQueue> = {
  name: "webhooks.read-queues",
  text: `SELECT webhook_id AS "webhookId", failing_since AS "failingSince",
      (SELECT count(*) FROM webhook_lanes WHERE webhook_pk = pk) AS lanes
    FROM webhooks WHERE master_id = $1 ORDER BY pk`,
};
