import type { PushProvider } from "@madang/contract";
import type { DeviceRow } from "./devices-store";
import type { PushOutcome } from "./providers/outcome";
import type { ServiceRow } from "./services-store";

export function presentDevice(row: DeviceRow) {
  return {
    device_id: row.deviceId,
    provider: row.provider as PushProvider,
    ...(row.locale !== null && { locale: row.locale }),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    ...(row.lastPushAt !== null && {
      last_push: {
        at: row.lastPushAt,
        ...(row.lastPushStatus !== null && { status: row.lastPushStatus }),
        ...(row.lastPushError !== null && { error: row.lastPushError }),
      },
    }),
  };
}

export function presentPing({ status, durationMs, error }: PushOutcome) {
  return {
    ...(status !== null && { status }),
    duration_ms: durationMs,
    ...(error !== null && { error }),
  };
}

export function presentService(row: ServiceRow) {
  return {
    service: row.service,
    provider: row.provider as PushProvider,
    device_count: row.deviceCount,
    waiting_count: row.waitingCount,
    ...(row.failingSince !== null && { failing_since: row.failingSince }),
    ...(row.error !== null && { error: row.error }),
  };
}
