import { limits, type PushProvider } from "@madang/contract";
import type { ErasureStep } from "../../chat/erasure";
import { rejectUnknownUser, requireUserPk } from "../../chat/users/store";
import { type Database, type Db, defineLock, type Statement, type Tx } from "../../db/db";
import { type Field, fromPrisma, type Row, selectList } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import { invalidToken } from "../../security/user-tokens";
import type { Writer } from "../../write/writer";

const selection = {
  deviceId: true,
  provider: true,
  locale: true,
  createdAt: true,
  updatedAt: true,
  lastPushAt: true,
  lastPushStatus: true,
  lastPushError: true,
} as const satisfies { readonly [Name in Field<"Device">]?: true };

/** What a device shows: nothing of its token or endpoint. */
export type DeviceRow = Row<"Device", keyof typeof selection>;

export interface NewDevice {
  readonly deviceId: string;
  readonly provider: PushProvider;
  readonly service: string;
  readonly digest: Buffer;
  readonly sealed: Buffer;
  readonly locale: string | undefined;
}

/**
 * Registers a device. A lock of its token or endpoint and one of the user make the changes of several requests follow each other: a
 * token belongs to one device, the limit is exact, and no request whose token was revoked meanwhile registers one. The lock of the user
 * blocks no send.
 */
export async function registerDevice(
  writer: Writer,
  userId: string,
  { deviceId, provider, service, digest, sealed, locale }: NewDevice,
  now: number,
): Promise<DeviceRow> {
  const { acting } = writer.request;
  const [registered] = await writer.writeAll(async (tx) => {
    await tx.query(lockDigest, [digest.toString("hex")]);
    const [user] = await tx.query(lockUser, [userId]);
    if (user === undefined) return [];
    await tx.query(lockDevices, [digest, user.pk, deviceId]);
    await tx.query(takeOver, [digest, user.pk, deviceId]);
    const values = [user.pk, deviceId, provider, service, digest, sealed, locale ?? null, now];
    const stored = await tx.query(upsert, [...values, acting?.userPk ?? null, acting?.revocation ?? null]);
    if (stored.length === 0) throw invalidToken();
    await tx.query(moveEntries, [user.pk, deviceId]);
    await tx.query(removeOldest, [user.pk, limits.devicesPerUser]);
    return stored;
  });
  return registered ?? rejectUnknownUser(userId);
}

/** Removes a device, with what waits for it, if the user has it. */
export async function removeDevice(writer: Writer, userId: string, deviceId: string): Promise<void> {
  const [removed] = await writer.writeAll((tx) => tx.query(remove, [userId, deviceId]));
  if (removed === undefined) await requireUserPk(writer.db, userId);
}

/** The devices of a user, the last registered one first. */
export async function listDevices(db: Database, userId: string): Promise<DeviceRow[]> {
  const userPk = await requireUserPk(db, userId);
  const rows = await db.prisma.device.findMany({
    select: selection,
    where: { userPk },
    orderBy: [{ updatedAt: "desc" }, { pk: "desc" }],
  });
  return rows.map(fromPrisma);
}

export type SealedDevice = Row<"Device", "pk" | "sealed" | "digest">;

export async function requireDevice(db: Db, userId: string, deviceId: string): Promise<SealedDevice> {
  const [found] = await db.query(find, [userId, deviceId]);
  if (found === undefined) return rejectUnknownUser(userId);
  if (found.pk === null)
    throw new ServiceError("device_not_found", `The user ${userId} has no device ${deviceId}.`);
  return found;
}

/** Whether there is any device. */
export async function hasDevices(db: Db): Promise<boolean> {
  const [found] = await db.query(findAny);
  return found?.hasAny === true;
}

/** Removes the devices of users, with what waits for them. */
export async function removeDevicesOf(tx: Tx, users: readonly number[]): Promise<void> {
  await tx.query(removeOf, [users]);
}

export async function eraseDevices(tx: Tx, users: readonly number[]): Promise<ErasureStep> {
  await removeDevicesOf(tx, users);
  return { next: undefined };
}

const columns = selectList(Object.keys(selection));

const lockDigest = defineLock("devices.lock-digest", "'madang device ' || $1::text");

const lockUser: Statement<{ pk: number }> = {
  name: "devices.lock-user",
  text: "SELECT pk FROM users WHERE user_id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE",
};

/** In the order of their keys, as the push does before it stores something for devices: it comes before all of this, or after. */
const lockDevices: Statement<unknown> = {
  name: "devices.lock",
  text: `SELECT pk FROM devices WHERE pk IN (
      SELECT pk FROM devices WHERE digest = $1
      UNION ALL SELECT pk FROM devices WHERE user_pk = $2 AND device_id = $3) ORDER BY pk FOR UPDATE`,
};

const takeOver: Statement<unknown> = {
  name: "devices.take-over",
  text: "DELETE FROM devices WHERE digest = $1 AND NOT (user_pk = $2 AND device_id = $3)",
};

/** No row: the token of the request was revoked after it had been checked. */
const upsert: Statement<DeviceRow> = {
  name: "devices.upsert",
  text: `INSERT INTO devices AS device (user_pk, device_id, provider, service, digest, sealed, locale, created_at, updated_at)
    SELECT $1::bigint, $2, $3, $4, $5::bytea, $6::bytea, $7, $8::bigint, $8::bigint
    WHERE NOT EXISTS (SELECT FROM token_revocations WHERE user_pk = $9 AND pk > $10)
    ON CONFLICT (user_pk, device_id) DO UPDATE SET provider = excluded.provider, service = excluded.service,
      digest = excluded.digest, sealed = excluded.sealed, locale = excluded.locale,
      updated_at = GREATEST(excluded.updated_at, device.updated_at + 1),
      last_push_at = CASE WHEN device.digest = excluded.digest THEN device.last_push_at END,
      last_push_status = CASE WHEN device.digest = excluded.digest THEN device.last_push_status END,
      last_push_error = CASE WHEN device.digest = excluded.digest THEN device.last_push_error END
    RETURNING ${columns}`,
};

/** What waits for the device goes to its new push service, which may be slower than the one for which it was stored. */
const moveEntries: Statement<unknown> = {
  name: "devices.move-entries",
  text: `UPDATE push_entries entry SET service = device.service FROM devices device
    WHERE device.user_pk = $1 AND device.device_id = $2 AND entry.device_pk = device.pk AND entry.service <> device.service`,
};

const removeOldest: Statement<unknown> = {
  name: "devices.remove-oldest",
  text: `DELETE FROM devices WHERE pk IN (
      SELECT pk FROM devices WHERE user_pk = $1 ORDER BY updated_at DESC, pk DESC OFFSET $2)`,
};

const remove: Statement<{ pk: number }> = {
  name: "devices.remove",
  text: `DELETE FROM devices WHERE device_id = $2
        AND user_pk = (SELECT pk FROM users WHERE user_id = $1 AND deleted_at IS NULL)
      RETURNING pk`,
};

const removeOf: Statement<unknown> = {
  name: "devices.remove-of-users",
  text: "DELETE FROM devices WHERE user_pk = ANY ($1::bigint[])",
};

/** No row: there is no such user. A row without a device: it has no such device. */
const find: Statement<SealedDevice | { readonly pk: null }> = {
  name: "devices.find",
  text: `SELECT device.pk, sealed, digest FROM users u
    LEFT JOIN devices device ON device.user_pk = u.pk AND device_id = $2
    WHERE user_id = $1 AND deleted_at IS NULL`,
};

const findAny: Statement<{ readonly hasAny: boolean }> = {
  name: "devices.find-any",
  text: 'SELECT EXISTS (SELECT FROM devices) AS "hasAny"',
};
