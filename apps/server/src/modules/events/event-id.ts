/** Where an event is stored, with its time: after a restore, another event can have the same key. */
export interface EventKey {
  /** 0 for an event that belongs to no channel. */
  readonly channelPk: number;
  readonly eventId: string;
}

export function formatEventId({ createdAt, pk }: { createdAt: number; pk: number }): string {
  return `evt_${createdAt}_${pk}`;
}

/** The values that find an event in statements. */
export function eventKeyOf({ channelPk, eventId }: EventKey): [number, number, number] {
  const [, createdAt, pk] = eventId.split("_");
  return [channelPk, Number(pk), Number(createdAt)];
}
