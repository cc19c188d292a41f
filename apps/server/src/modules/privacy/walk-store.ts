import { lockSome } from "../../chat/channels/lock-store";
import type { Queryable, Statement } from "../../db/db";

/** What a step of an erasure did. */
export interface Step<At> {
  /** Where the next step continues. Undefined: everything was visited. */
  readonly next: At | undefined;
  /** The channels on hold in which it left something. */
  readonly heldChannels?: readonly number[];
  readonly heldMessages?: number;
}

/** A row of a user in a channel. */
export interface Found {
  readonly channelPk: number;
}

/** One kind of rows of a user in channels. */
export interface Kind<Row extends Found> {
  /** The next rows of a user after a position, in the order of the positions. */
  pick(schema: Queryable, userPk: number, after: readonly number[]): Promise<Row[]>;
  positionOf(row: Row): readonly number[];
  /** The position before all others. */
  readonly start: readonly number[];
  /** Erases rows of a user while their channels are locked. Returns the channels of the erased rows, without deleted channels. */
  erase(schema: Queryable, rows: readonly Row[], userPk: number): Promise<readonly Found[]>;
  /** Whether the rows are the messages of the user, which the erasure counts. */
  readonly isMessages: boolean;
}

/** Erases the next rows of a user in a schema, except in channels on hold, and counts what it erased. */
export type Walk = (
  tx: Queryable,
  of: { readonly erasurePk: number; readonly schema: number; readonly userPk: number },
  after: readonly number[] | undefined,
) => Promise<Step<readonly number[]>>;

export const walk =
  <Row extends Found>(kind: Kind<Row>): Walk =>
  async (tx, { erasurePk, schema: index, userPk }, after = kind.start) => {
    const schema = tx.schemas()[index];
    if (schema === undefined) return { next: undefined };
    const { picked, locked, erased } = await schema.transaction(async (part) => {
      const picked = await kind.pick(part, userPk, after);
      const channels = picked.length === 0 ? [] : await lockSome(part, channelsOf(picked));
      const locked = new Map(channels.map((each) => [each.pk, each]));
      const free = picked.filter((row) => locked.get(row.channelPk)?.isHeld === false);
      return { picked, locked, erased: free.length === 0 ? [] : await kind.erase(part, free, userPk) };
    });
    if (picked.length === 0) return { next: undefined };
    if (erased.length > 0)
      await tx.query(count, [erasurePk, kind.isMessages ? erased.length : 0, channelsOf(erased)]);
    // The next step begins with the first row whose channel was not locked.
    const left = picked.findIndex((row) => !locked.has(row.channelPk));
    const visited = left < 0 ? picked : picked.slice(0, left);
    const held = visited.filter((row) => locked.get(row.channelPk)?.isHeld === true);
    const last = visited.at(-1);
    return {
      next: last === undefined ? after : kind.positionOf(last),
      heldChannels: channelsOf(held),
      heldMessages: kind.isMessages ? held.length : 0,
    };
  };

const channelsOf = (rows: readonly Found[]) => [...new Set(rows.map(({ channelPk }) => channelPk))];

/** Each channel counts once. */
const count: Statement<unknown> = {
  name: "privacy.count",
  text: `WITH added AS (
      INSERT INTO erasure_channels (erasure_pk, channel_pk) SELECT $1::bigint, unnest($3::bigint[])
      ON CONFLICT DO NOTHING RETURNING 1
    )
    UPDATE erasures SET erased_messages = erased_messages + $2::bigint,
      erased_channels = erased_channels + (SELECT count(*) FROM added)
    WHERE pk = $1 RETURNING 1`,
};
