import { type Db, readSchemas, type Statement } from "../../../db/db";

export type Role = "member" | "manager";

/** A role of a user in a channel. */
export interface RoleRow {
  readonly channelPk: number;
  readonly role: Role;
  /** Whether the user has it now. */
  readonly isIn: boolean;
  /** Its beginnings and ends, oldest first, as far as their events are stored. */
  readonly changes: readonly RoleChange[];
}

export interface RoleChange {
  /** The key of the event. */
  readonly pk: number;
  readonly isBeginning: boolean;
}

/** The roles of a user, and those that ended while their events are stored. */
export async function listRoles(
  db: Db,
  userPk: number,
  catchUp: () => Promise<void>,
): Promise<readonly RoleRow[]> {
  if (!db.isDistributed) return db.query(list, [userPk]);
  // Roles and events are on different nodes: the events are read until no role has changed meanwhile.
  for (let earlier: string | undefined; ; ) {
    const roles = (await readSchemas(db, listCurrent, [userPk])).flat();
    await catchUp();
    const changed = await db.query(listChanged, [userPk]);
    if (JSON.stringify(changed) === earlier) return join(roles, changed);
    earlier = JSON.stringify(changed);
  }
}

type Current = Pick<RoleRow, "channelPk" | "role">;
type Changed = Omit<RoleRow, "isIn">;

function join(roles: readonly Current[], changed: readonly Changed[]): RoleRow[] {
  const nameOf = ({ channelPk, role }: Current) => `${channelPk} ${role}`;
  const current = new Map<string, RoleRow>(
    roles.map((role) => [nameOf(role), { ...role, isIn: true, changes: [] }]),
  );
  for (const one of changed) current.set(nameOf(one), { ...one, isIn: current.has(nameOf(one)) });
  return [...current.values()];
}

const current = `SELECT roles.* FROM (
      SELECT channel_pk AS "channelPk", 'member' AS role FROM members WHERE user_pk = $1
      UNION ALL SELECT channel_pk, 'manager' FROM managers WHERE user_pk = $1) AS roles
    JOIN channels c ON c.pk = roles."channelPk" AND c.deleted_at IS NULL`;

const changed = `SELECT channel_pk AS "channelPk", role,
      json_agg(json_build_object('pk', pk, 'isBeginning', "isBeginning") ORDER BY pk) AS changes
    FROM (
      SELECT channel_pk, pk, type IN ('member.joined', 'manager.added') AS "isBeginning",
        CASE WHEN type IN ('member.joined', 'member.left') THEN 'member' ELSE 'manager' END AS role
      FROM events
      WHERE user_pk = $1 AND type IN ('member.joined', 'member.left', 'manager.added', 'manager.removed')
    ) AS change GROUP BY channel_pk, role`;

const list: Statement<RoleRow> = {
  name: "events.list-roles",
  text: `SELECT "channelPk", role, current.role IS NOT NULL AS "isIn", COALESCE(changes, '[]') AS changes
    FROM (${current}) AS current FULL JOIN (${changed}) AS changed USING ("channelPk", role)`,
};

const listCurrent: Statement<Current> = { name: "events.list-current-roles", text: current };
const listChanged: Statement<Changed> = {
  name: "events.list-changed-roles",
  text: `${changed} ORDER BY 1, 2`,
};
