import type { ErasureStep } from "../../chat/erasure";
import { lockCollection } from "../../db/citus/collect-events";
import { everySchema, type Statement, type Tx } from "../../db/db";

const eventsPerStep = 5_000;

/**
 * Removes what the events of the users say from one page of the events: reactions, and until when a user was muted or banned. The position
 * is the index of a database and the key of an event.
 */
export async function eraseDetails(
  tx: Tx,
  users: readonly number[],
  [index = 0, channelPk = 0, pk = 0]: readonly number[] = [],
): Promise<ErasureStep> {
  // The feed comes last, because events move from the schemas to it.
  const schema = everySchema(tx).toReversed()[index];
  if (schema === undefined) return { next: undefined };
  // What another process is moving was read before it was erased.
  if (schema === tx) await lockCollection(tx);
  const [last] = await schema.query(eraseEvents, [channelPk, pk, eventsPerStep, users]);
  return { next: last === undefined ? [index + 1] : [index, last.channelPk, last.pk] };
}

const eraseEvents: Statement<{ channelPk: number; pk: number }> = {
  name: "events.erase-details",
  text: `WITH page AS MATERIALIZED (
      SELECT channel_pk, pk, user_pk = ANY ($4::bigint[]) AND detail IS NOT NULL AS is_of
      FROM events WHERE (channel_pk, pk) > ($1::bigint, $2::bigint) ORDER BY channel_pk, pk LIMIT $3
    ), erased AS (
      UPDATE events e SET detail = NULL FROM page
      WHERE is_of AND e.channel_pk = page.channel_pk AND e.pk = page.pk
    )
    SELECT channel_pk AS "channelPk", pk FROM page ORDER BY channel_pk DESC, pk DESC LIMIT 1`,
};
