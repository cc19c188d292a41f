import type { HookRow, requireHook } from "./store";

export function presentHook({ hookId, url, operations, callers, timeoutMs, onFailure, ...times }: HookRow) {
  return {
    hook_id: hookId,
    url,
    operations: [...operations],
    callers,
    timeout_ms: timeoutMs,
    on_failure: onFailure,
    created_at: times.createdAt,
    updated_at: times.updatedAt,
  };
}

export function presentHookWithCalls(hook: Awaited<ReturnType<typeof requireHook>>, now: number) {
  const { attempts, pausedUntil } = hook;
  return {
    ...presentHook(hook),
    ...(pausedUntil !== null && pausedUntil > now && { paused_until: pausedUntil }),
    attempts: [...attempts],
  };
}
