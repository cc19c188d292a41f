import { limits } from "@madang/contract";
import * as z from "zod";
import type { UrlOf } from "../../chat/attachments";
import { rejectUnknownUser } from "../../chat/users/store";
import type { Db } from "../../db/db";
import { type Cursors, rejectDifferentParameters } from "../../paging/cursor";
import { jsonBytes } from "../../paging/page-bytes";
import { takePage } from "../../paging/page-query";
import { listPersons, lists, type PersonalList, type PersonalPosition } from "./export-store";
import { presentPerson } from "./present";

/** Where the next page begins: at a user, and in each of its lists after a position. A list without one has ended. */
interface Cursor {
  readonly limit: number;
  readonly userPk?: number;
  /** Absent: every list of the user begins. */
  readonly after?: Readonly<Record<string, PersonalPosition>> | undefined;
}

interface Query {
  readonly limit?: number | undefined;
  readonly next?: string | undefined;
}

/** A page of what is stored about the users that ever had an id. The users come one after the other. */
export async function exportPerson(
  { db, cursors }: { readonly db: Db & Db; readonly cursors: Cursors },
  userId: string,
  query: Query,
  urlOf: UrlOf,
) {
  const scope = `privacy.export ${userId}`;
  const { limit, userPk, after } = openCursor(cursors, scope, query);
  const persons = await listPersons(db, userId);
  const index = userPk === undefined ? 0 : persons.findIndex(({ pk }) => pk === userPk);
  const person = persons[index] ?? rejectUnknownUser(userId);
  const positions: Record<string, PersonalPosition> = {};
  const read = async <Entry extends object, Presented>(
    name: string,
    list: PersonalList<Entry, Presented>,
  ): Promise<Presented[]> => {
    const start = after === undefined ? list.start : after[name];
    if (start === undefined) return [];
    const { items, last } = takePage(await list.read(db, person.pk, start, limit + 1), limit, jsonBytes);
    if (last !== undefined) positions[name] = list.positionOf(last);
    return items.map((item) => list.present(item, urlOf));
  };
  const page = {
    user: presentPerson(person),
    memberships: await read("memberships", lists.memberships),
    messages: await read("messages", lists.messages),
    reactions: await read("reactions", lists.reactions),
    mentions: await read("mentions", lists.mentions),
    mutes: await read("mutes", lists.mutes),
    bans: await read("bans", lists.bans),
    reports: await read("reports", lists.reports),
    files: await read("files", lists.files),
    devices: await read("devices", lists.devices),
    blocks: await read("blocks", lists.blocks),
  };
  const following = persons[index + 1];
  const continuation: Cursor | undefined =
    Object.keys(positions).length > 0
      ? { limit, userPk: person.pk, after: positions }
      : following && { limit, userPk: following.pk };
  return { ...page, ...(continuation && { next: cursors.sign(scope, continuation) }) };
}

function openCursor(cursors: Cursors, scope: string, { limit, next }: Query): Cursor {
  if (next === undefined) return { limit: limit ?? limits.personalPage.default };
  const cursor = cursors.open(scope, next, "next", content);
  rejectDifferentParameters({ limit }, { limit: cursor.limit });
  return cursor;
}

/** The content was signed above, possibly in another version. */
const content = z.object({
  limit: z.int().min(limits.personalPage.min).max(limits.personalPage.max),
  userPk: z.int(),
  after: z.record(z.string(), z.array(z.union([z.int(), z.string()]))).optional(),
});
