import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rival, startRival } from "../races/rival";
import { callPatiently } from "../support/call";
import { report, scale } from "../support/report";
import { startServer, type TestServer } from "../support/server";

/** The inbox of users with blocks and preferences, through two servers, compared with a simple model after each step. */

let server: TestServer;
let rival: Rival;
beforeAll(async () => {
  server = await startServer();
  rival = await startRival(server.databaseUrl);
});
afterAll(async () => {
  await rival.close();
  await server.close();
});

const steps = scale(300, 10_000);
const users = ["user_a", "user_b", "user_c"] as const;
/** Two of them are one-to-one. */
const rooms: Readonly<Record<string, readonly User[]>> = {
  pair_ab: ["user_a", "user_b"],
  pair_ac: ["user_a", "user_c"],
  group_1: users,
  group_2: users,
  group_3: users,
};
/** What a channel is for a participant: at most one of these. */
const places = ["hidden", "archived", "pinned"] as const;

type User = (typeof users)[number];
type Place = (typeof places)[number];

interface Message {
  readonly id: string;
  readonly number: number;
  readonly sender: User;
  isDeleted: boolean;
}

interface Participation {
  /** The number of the newest message that it has read, or that was there when it joined. */
  readUntil: number;
  notify: "all" | "mentions" | "none";
  quietUntil: number;
  place: Place | undefined;
  /** The number of the newest message when the channel was hidden. */
  hiddenAt: number;
}

interface Room {
  readonly messages: Message[];
  readonly participations: Map<User, Participation>;
}

const participate = (readUntil: number): Participation => ({
  readUntil,
  notify: "all",
  quietUntil: 0,
  place: undefined,
  hiddenAt: 0,
});

class InboxModel {
  readonly rooms = new Map<string, Room>();
  readonly blocks = new Set<string>();
  #count = 0;

  constructor() {
    for (const [id, members] of Object.entries(rooms))
      this.rooms.set(id, {
        messages: [],
        participations: new Map(members.map((user) => [user, participate(0)])),
      });
  }

  room(id: string): Room {
    const room = this.rooms.get(id);
    if (room === undefined) throw new Error(`There is no channel ${id}.`);
    return room;
  }

  get newest(): number {
    return this.#count;
  }

  addMessage(id: string, sender: User, messageId: string): void {
    this.room(id).messages.push({ id: messageId, number: ++this.#count, sender, isDeleted: false });
  }

  /** Whether a message of the user is rejected: in a channel of two of whom one has blocked the other. */
  isRejected(id: string, sender: User): boolean {
    const [one, two, third] = rooms[id] ?? [];
    if (one === undefined || two === undefined || third !== undefined) return false;
    const other = sender === one ? two : one;
    return this.blocks.has(`${sender} ${other}`) || this.blocks.has(`${other} ${sender}`);
  }

  /** Each channel of a user, as its lists and totals have it. */
  lines(user: User): Line[] {
    return [...this.rooms].flatMap(([id, { messages, participations }]) => {
      const own = participations.get(user);
      if (own === undefined) return [];
      const { readUntil, notify, quietUntil, place, hiddenAt } = own;
      const kept = messages.filter(({ isDeleted }) => !isDeleted);
      const isUnread = ({ number, sender }: Message) =>
        number > readUntil && sender !== user && !this.blocks.has(`${user} ${sender}`);
      const isHidden = place === "hidden" && !kept.some(({ number }) => number > hiddenAt);
      const shown = place === "hidden" && !isHidden ? undefined : place;
      const isQuiet = notify === "none" || quietUntil > Date.now() || isHidden || place === "archived";
      return [{ id, unread: Math.min(100, kept.filter(isUnread).length), place: shown, isQuiet }];
    });
  }
}

interface Line {
  readonly id: string;
  readonly unread: number;
  readonly place: Place | undefined;
  readonly isQuiet: boolean;
}

function totalsOf(lines: readonly Line[]) {
  const sum = (some: readonly Line[]) => some.reduce((total, { unread }) => total + unread, 0);
  const loud = lines.filter(({ isQuiet }) => !isQuiet);
  return {
    unread_count: sum(loud),
    channel_count: loud.filter(({ unread }) => unread > 0).length,
    quiet_unread_count: sum(lines.filter(({ isQuiet }) => isQuiet)),
  };
}

// Random, but the same in every run.
let seed = Number(process.env.MADANG_SEED ?? 7);
const random = (max: number) => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % max;
};
const pick = <Item>(list: readonly [Item, ...Item[]] | readonly Item[]): Item => {
  const item = list[random(list.length)];
  if (item === undefined) throw new Error("The list is empty.");
  return item;
};

async function send(method: string, path: string, body?: unknown) {
  return callPatiently(random(2) === 0 ? server.url : rival.url, method, `/v1${path}`, { body });
}

async function read(path: string) {
  const { status, body } = await send("GET", path);
  expect(status, path).toBe(200);
  return body;
}

/** Makes a random change, and returns its name. */
async function change(model: InboxModel): Promise<string> {
  const id = pick(Object.keys(rooms));
  const { messages, participations } = model.room(id);
  const user = pick(rooms[id] ?? []);
  const own = participations.get(user);
  const path = `/group/channels/${id}`;
  const kind = random(100);
  if (kind < 35) {
    const { status, body } = await send("POST", `${path}/messages`, {
      user_id: user,
      type: "text",
      content: "Hi",
    });
    const expected = own === undefined ? 403 : model.isRejected(id, user) ? 403 : 201;
    expect(status, `${user} sends to ${id}`).toBe(expected);
    if (status === 201) model.addMessage(id, user, body.message_id);
    return `${user} sends to ${id}`;
  }
  if (kind < 45) {
    const kept = messages.filter(({ isDeleted }) => !isDeleted).slice(-3);
    if (kept.length === 0) return "nothing to delete";
    const message = pick(kept);
    expect((await send("DELETE", `${path}/messages/${message.id}`)).status).toBe(200);
    message.isDeleted = true;
    return `message ${message.number} of ${id} is deleted`;
  }
  if (kind < 53) {
    const { status } = await send("PUT", `${path}/members/${user}/read`, {});
    expect(status).toBe(own === undefined ? 403 : 200);
    if (own !== undefined) own.readUntil = model.newest;
    return `${user} reads ${id}`;
  }
  if (kind < 63) {
    const other = pick(users.filter((one) => one !== user));
    const isBlock = random(2) === 0;
    expect((await send(isBlock ? "PUT" : "DELETE", `/users/${user}/blocks/${other}`)).status).toBe(200);
    if (isBlock) model.blocks.add(`${user} ${other}`);
    else model.blocks.delete(`${user} ${other}`);
    return `${user} ${isBlock ? "blocks" : "ends the block of"} ${other}`;
  }
  if (kind < 69) {
    await send("PUT", `${path}/${own === undefined ? "join" : "leave"}`, { member: user });
    if (own === undefined) participations.set(user, participate(model.newest));
    else participations.delete(user);
    return `${user} ${own === undefined ? "joins" : "leaves"} ${id}`;
  }
  const wanted = makePreferences();
  const { status } = await send("PUT", `${path}/members/${user}/preferences`, wanted);
  // On a busy machine, the end of a short silence may have passed when the server reads the request, which then changes nothing.
  if (status === 400 && wanted.quiet_until != null && wanted.quiet_until < Date.now())
    return `${user} wants a silence of ${id} that has ended`;
  expect(status).toBe(own === undefined ? 403 : 200);
  if (own !== undefined) setPreferences(own, wanted, model.newest);
  if (wanted.quiet_until != null && wanted.quiet_until < Date.now() + 1_000) await sleep(shortMs + 50);
  return `${user} wants ${JSON.stringify(wanted)} of ${id}`;
}

const shortMs = 200;

interface Wanted extends Partial<Record<Place, boolean>> {
  readonly notify?: Participation["notify"];
  readonly quiet_until?: number | null;
}

function makePreferences(): Wanted {
  const kind = random(10);
  if (kind < 3) return { notify: pick(["all", "mentions", "none"] as const) };
  // A short silence has ended when the step has.
  if (kind < 5)
    return {
      quiet_until: pick([null, Date.now() + 3_600_000, random(4) === 0 ? Date.now() + shortMs : null]),
    };
  const place = { [pick(places)]: random(3) > 0 };
  return kind < 9 ? place : { ...place, notify: pick(["all", "none"] as const) };
}

function setPreferences(own: Participation, wanted: Wanted, newest: number): void {
  if (wanted.notify !== undefined) own.notify = wanted.notify;
  if (wanted.quiet_until !== undefined) own.quietUntil = wanted.quiet_until ?? 0;
  for (const place of places) {
    if (wanted[place] === false && own.place === place) own.place = undefined;
    if (wanted[place] !== true) continue;
    own.place = place;
    own.hiddenAt = newest;
  }
}

/** The totals equal the sums over the lines of all lists, and both are those of the model. */
async function check(model: InboxModel, user: User, history: string): Promise<void> {
  const filters = ["", "hidden=true", "archived=true", "pinned=true"];
  const lists = filters.map((filter) => read(`/users/${user}/channels?limit=30&${filter}`));
  const [unread, ...pages] = await Promise.all([read(`/users/${user}/unread`), ...lists]);
  const expected = model.lines(user);
  const shown = pages.map(({ channels }, index) =>
    channels.map(({ channel_id: id, unread_count, preferences = {} }: ShownLine) => {
      const { notify, quiet_until: until = 0, hidden, archived, pinned_at } = preferences;
      const place = hidden ? "hidden" : archived ? "archived" : pinned_at ? "pinned" : undefined;
      const isQuiet = notify === "none" || until > Date.now() || index === 1 || index === 2;
      return { id, unread: unread_count, place, isQuiet };
    }),
  );
  const byId = (lines: readonly Line[]) => lines.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const inPlace = (...some: readonly (Place | undefined)[]) =>
    byId(expected.filter(({ place }) => some.includes(place)));
  expect(shown.map(byId), history).toEqual([
    inPlace(undefined, "pinned"),
    inPlace("hidden"),
    inPlace("archived"),
    inPlace("pinned"),
  ]);
  const all = shown.slice(0, 3).flat();
  expect(unread, history).toEqual(totalsOf(all));
  expect(unread, history).toEqual(totalsOf(expected));
}

interface ShownLine {
  readonly channel_id: string;
  readonly unread_count: number;
  readonly preferences?: {
    readonly notify?: string;
    readonly quiet_until?: number;
    readonly hidden?: true;
    readonly archived?: true;
    readonly pinned_at?: number;
  };
}

test("the totals of a user equal the sums over its lists after any change of messages, blocks and preferences", async () => {
  for (const user_id of users) await send("POST", "/users", { user_id, name: "User" });
  for (const [channel_id, members] of Object.entries(rooms))
    await send("POST", "/group/channels", { channel_id, name: "Room", members });
  const model = new InboxModel();
  const history: string[] = [];
  for (let step = 0; step < steps; step++) {
    history.push(await change(model));
    // Joining and messages have the time of the clock, which has to go on in between.
    await sleep(2);
    await check(model, pick(users), history.slice(-12).join("; "));
  }
  await report({
    fault: "random changes of messages, blocks and preferences: totals against the lists and a model",
    load: "2 servers",
    sent: steps,
    acknowledged: steps,
  });
});
