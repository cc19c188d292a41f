import { type Reader, readSchemas, type Statement } from "../../db/db";

export type Role = "member" | "manager";

/** A role of a user in a channel, now or earlier. */
export interface RoleRow {
  readonly channelPk: number;
  readonly role: Role;
  readonly isIn: boolean;
  /** The event with which the role last began. 0 if it is no longer stored. */
  readonly since: number;
}

/** The roles of a user, and those that ended while their events are stored. */
export async function listRoles(
  db: Reader,
  userPk: number,
  catchUp: () => Promise<void>,
): Promise<readonly RoleRow[]> {
  if (!db.isDistributed) return db.query(list, [userPk]);
  // Roles and events are on different nodes: the events are read until no role has begun meanwhile.
  for (let earlier: string | undefined; ; ) {
    const roles = (await readSchemas(db, listCurrent, [userPk])).flat();
    await catchUp();
    const begun = await db.query(listBegun, [userPk]);
    if (JSON.stringify(begun) === earlier) return join(roles, begun);
    earlier = JSON.stringify(begun);
  }
}

type Current = Pick<RoleRow, "channelPk" | "role">;
type Begun = Omit<RoleRow, "isIn">;

function join(roles: readonly Current[], begun: readonly Begun[]): RoleRow[] {
  const nameOf = ({ channelPk, role }: Current) => `${channelPk} ${role}`;
  const current = new Map(roles.map((role) => [nameOf(role), { ...role, isIn: true, since: 0 }]));
  for (const one of begun) current.set(nameOf(one), { ...one, isIn: current.has(nameOf(one)) });
  return [...current.values()];
}

const current = `SELECT roles.* FROM (
      SELECT channel_pk AS "channelPk", 'member' AS role FROM members WHERE user_pk = $1
      UNION ALL SELECT channel_pk, 'manager' FROM managers WHERE user_pk = $1) AS roles
    JOIN channels c ON c.pk = roles."channelPk" AND c.deleted_at IS NULL`;

const begun = `SELECT channel_pk AS "channelPk", CASE type WHEN 'member.joined' THEN 'member' ELSE 'manager' END AS role,
      max(pk) AS since
    FROM events WHERE user_pk = $1 AND type IN ('member.joined', 'manager.added') GROUP BY channel_pk, type`;

const list: Statement<RoleRow> = {
  name: "events.list-roles",
  text: `SELECT "channelPk", role, current.role IS NOT NULL AS "isIn", COALESCE(since, 0) AS since
    FROM (${current}) AS current FULL JOIN (${begun}) AS begun USING ("channelPk", role)`,
};

const listCurrent: Statement<Current> = { name: "events.list-current-roles", text: current };
const listBegun: Statement<Begun> = { name: "events.list-begun-roles", text: `${begun} ORDER BY 1, 2` };
