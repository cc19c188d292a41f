import type { Tx } from "../db/db";

/** A row of a person in a channel. */
export interface InChannel {
  readonly channelPk: number;
}

/** One kind of rows of a user in channels, which an erasure walks through and removes. */
export interface PersonalRows<Row extends InChannel = InChannel> {
  /** The next rows of a user after a position, in the order of the positions. */
  pick(tx: Tx, userPk: number, after: readonly number[]): Promise<Row[]>;
  positionOf(row: Row): readonly number[];
  /** The position before all others. */
  readonly start: readonly number[];
  /** Whether they are messages, which an erasure counts. */
  readonly areMessages?: true;
  /** Erases rows of a user while their channels are locked. Returns the channels of the erased rows, without deleted channels. */
  erase(tx: Tx, rows: readonly Row[], userPk: number): Promise<readonly InChannel[]>;
}

/** What a step of an erasure did. */
export interface ErasureStep<At = readonly number[]> {
  /** Where the next step continues. Undefined: everything was visited. */
  readonly next: At | undefined;
  /** The channels on hold in which it left something. */
  readonly heldChannels?: readonly number[];
  readonly heldMessages?: number;
}

/**
 * Erases a part of what a module stores of users outside of channels, in a transaction, and continues after the position that the
 * step before returned. No request that knows the users is running any more.
 */
export type EraseRest = (
  tx: Tx,
  users: readonly number[],
  after: readonly number[] | undefined,
) => Promise<ErasureStep>;
