import { type EventRule, eventRules } from "@madang/contract";
import type { EventRow } from "../store";
import type { Role, RoleChange, RoleRow } from "./user-channels-store";

/** The part of an event that decides who sees it. */
type SeenEvent = Pick<EventRow, "pk" | "type" | "channelPk" | "userPk" | "members">;

const rules = new Map<string, EventRule>(Object.entries(eventRules));
const keysAlone: EventRule = { seenBy: "keys" };

/** The rule of a type. One that this version does not know is for the application alone. */
const ruleOf = (type: string): EventRule => rules.get(type) ?? keysAlone;

type RoleState = Pick<RoleRow, "isIn" | "changes">;

const latestOf = (changes: readonly RoleChange[]) => changes.at(-1)?.pk ?? 0;

/** Whether the role was held at an event. Before the first known change, it was what this change ended. */
function wasIn(changes: readonly RoleChange[], pk: number): boolean {
  const before = changes.findLast((change) => change.pk <= pk);
  return before?.isBeginning ?? changes[0]?.isBeginning !== true;
}

/**
 * The channels of a user: what is loaded once, and then follows from the events themselves. The keys of the events of a channel are
 * in the order of their effects.
 */
export class UserChannels {
  readonly userPk: number;
  readonly #onChange: (channelPk: number, isIn: boolean) => void;
  readonly #roles = new Map<number, Partial<Record<Role, RoleState>>>();
  /** What the feed said before the roles were loaded. Undefined afterwards. */
  #early: SeenEvent[] | undefined = [];

  constructor(userPk: number, onChange: (channelPk: number, isIn: boolean) => void = () => undefined) {
    this.userPk = userPk;
    this.#onChange = onChange;
  }

  load(rows: readonly RoleRow[]): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const { channelPk, role, ...state } of rows) this.#set(channelPk, role, state);
    for (const event of early) {
      this.noteBeginning(event);
      this.noteEnd(event);
    }
  }

  /** The keys of the channels in which the user is. */
  list(): number[] {
    return [...this.#roles.keys()].filter((channelPk) => this.has(channelPk));
  }

  /** Whether the user is in the channel, and was when the event with the key happened: in this stay or an earlier one. */
  has(channelPk: number, pk?: number): boolean {
    const roles = Object.values(this.#roles.get(channelPk) ?? {});
    const isIn = roles.some((role) => role.isIn);
    return isIn && (pk === undefined || roles.some(({ changes }) => wasIn(changes, pk)));
  }

  /**
   * Takes over the beginning of a role, before the event is shown. The beginning that is known is that of a role that has ended, or the
   * live feed has not passed it yet.
   */
  noteBeginning(event: SeenEvent): void {
    const { type, channelPk, pk, userPk } = event;
    const { begins: role } = ruleOf(type);
    if (role === undefined || userPk !== this.userPk) return;
    if (this.#early !== undefined) {
      this.#early.push(event);
      return;
    }
    const { changes = [] } = this.#roles.get(channelPk)?.[role] ?? {};
    if (pk <= latestOf(changes)) return;
    this.#set(channelPk, role, { isIn: true, changes: [...changes, { pk, isBeginning: true }] });
  }

  /** Takes over the end of a role, or of the channel, after the event was shown. */
  noteEnd(event: SeenEvent): void {
    const { type, channelPk, pk, userPk } = event;
    const { ends: role } = ruleOf(type);
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
    const { isIn = false, changes = [] } = this.#roles.get(channelPk)?.[role] ?? {};
    if (isIn && pk > latestOf(changes))
      this.#set(channelPk, role, { isIn: false, changes: [...changes, { pk, isBeginning: false }] });
  }

  /** Whether the user sees the event: what concerns itself, and its channels since it is in them. */
  sees(event: SeenEvent): boolean {
    const { type, channelPk, pk, userPk, members } = event;
    const { seenBy, begins, ends } = ruleOf(type);
    const isOwn = userPk === this.userPk;
    if (seenBy === "keys" || (seenBy === "self" && !isOwn)) return false;
    // What happened to the user itself is in no channel.
    if ((seenBy === "self" && channelPk === 0) || this.has(channelPk, pk)) return true;
    // The own beginnings and ends, and the end of a channel, whose roles end with it.
    return (isOwn && (begins ?? ends) !== undefined) || (members?.includes(this.userPk) ?? false);
  }

  #set(channelPk: number, role: Role, state: RoleState): void {
    const wasIn = this.has(channelPk);
    this.#roles.set(channelPk, { ...this.#roles.get(channelPk), [role]: state });
    const isIn = this.has(channelPk);
    if (isIn !== wasIn) this.#onChange(channelPk, isIn);
  }
}
