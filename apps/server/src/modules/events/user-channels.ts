import type { EventRow } from "./store";
import type { Role, RoleRow } from "./user-channels-store";

/** The part of an event that decides who sees it. */
type SeenEvent = Pick<EventRow, "pk" | "type" | "channelPk" | "userPk" | "members">;

/** The events with which roles begin and end. */
const beginnings: Readonly<Record<string, Role>> = { "member.joined": "member", "manager.added": "manager" };
const ends: Readonly<Record<string, Role>> = { "member.left": "member", "manager.removed": "manager" };

/** Never shown to users. */
const hidden = /^(report|webhook)\.|^member\.(un)?banned$/;

/**
 * The channels of a user: what is loaded once, and then follows from the events themselves. The keys of the events of a channel are
 * in the order of their effects.
 */
export class UserChannels {
  readonly userPk: number;
  readonly #onChange: (channelPk: number, isIn: boolean) => void;
  readonly #roles = new Map<number, Partial<Record<Role, { isIn: boolean; since: number }>>>();
  /** What the feed said before the roles were loaded. Undefined afterwards. */
  #early: SeenEvent[] | undefined = [];

  constructor(userPk: number, onChange: (channelPk: number, isIn: boolean) => void = () => undefined) {
    this.userPk = userPk;
    this.#onChange = onChange;
  }

  load(rows: readonly RoleRow[]): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const { channelPk, role, isIn, since } of rows) this.#set(channelPk, role, { isIn, since });
    for (const event of early) {
      this.noteBeginning(event);
      this.noteEnd(event);
    }
  }

  /** The keys of the channels in which the user is. */
  list(): number[] {
    return [...this.#roles.keys()].filter((channelPk) => this.has(channelPk));
  }

  /** Whether the user is in the channel, and was when the event with the key happened. */
  has(channelPk: number, pk = Number.POSITIVE_INFINITY): boolean {
    const roles = Object.values(this.#roles.get(channelPk) ?? {});
    return roles.some(({ isIn, since }) => isIn && pk >= since);
  }

  /**
   * Takes over the beginning of a role, before the event is shown. The beginning that is known is that of a role that has ended, or the
   * live feed has not passed it yet.
   */
  noteBeginning(event: SeenEvent): void {
    const { type, channelPk, pk, userPk } = event;
    const role = beginnings[type];
    if (role === undefined || userPk !== this.userPk) return;
    if (this.#early !== undefined) {
      this.#early.push(event);
      return;
    }
    if (pk <= (this.#roles.get(channelPk)?.[role]?.since ?? 0)) return;
    this.#set(channelPk, role, { isIn: true, since: pk });
  }

  /** Takes over the end of a role, or of the channel, after the event was shown. */
  noteEnd(event: SeenEvent): void {
    const { type, channelPk, pk, userPk } = event;
    const role = ends[type];
    const isOwnEnd = role !== undefined && userPk === this.userPk;
    if (!isOwnEnd && type !== "channel.deleted") return;
    if (this.#early !== undefined) {
      this.#early.push(event);
      return;
    }
    if (role === undefined) {
      if (this.#roles.delete(channelPk)) this.#onChange(channelPk, false);
      return;
    }
    const known = this.#roles.get(channelPk)?.[role];
    // An older end than the last beginning is over.
    if (known?.isIn && pk > known.since) this.#set(channelPk, role, { isIn: false, since: known.since });
  }

  /** Whether the user sees the event: what concerns itself, and its channels since it is in them. */
  sees(event: SeenEvent): boolean {
    const { type, channelPk, userPk, members } = event;
    const isOwn = userPk === this.userPk;
    if (hidden.test(type)) return false;
    if (type.startsWith("user.")) return isOwn;
    const isIn = this.has(channelPk, event.pk);
    if (type === "member.muted" || type === "member.unmuted") return isOwn && isIn;
    if (type === "channel.deleted") return isIn || (members?.includes(this.userPk) ?? false);
    return isIn || (isOwn && (type in beginnings || type in ends));
  }

  #set(channelPk: number, role: Role, state: { isIn: boolean; since: number }): void {
    const wasIn = this.has(channelPk);
    this.#roles.set(channelPk, { ...this.#roles.get(channelPk), [role]: state });
    const isIn = this.has(channelPk);
    if (isIn !== wasIn) this.#onChange(channelPk, isIn);
  }
}
