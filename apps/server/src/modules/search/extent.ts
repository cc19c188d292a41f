import { columnsOf } from "../../db/row";
import type { Position } from "../../paging/position";

/** Messages of a channel: after `from`, up to and including `to`. */
export interface Extent {
  readonly channelPk: number;
  readonly fromAt: number;
  readonly fromPk: number;
  readonly toAt: number;
  readonly toPk: number;
}

export const fromOf = ({ fromAt, fromPk }: Omit<Extent, "channelPk">): Position => ({
  createdAt: fromAt,
  pk: fromPk,
});

export const toOf = ({ toAt, toPk }: Omit<Extent, "channelPk">): Position => ({ createdAt: toAt, pk: toPk });

export const valuesOf = (extents: readonly Extent[]) =>
  columnsOf(extents, "channelPk", "fromAt", "fromPk", "toAt", "toPk");
