import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { invalidField } from "../../errors/service-error";
import type { KeyMaker } from "../../security/secret";
import type { Receivers } from "../webhooks/delivery/receivers";
import type { HookSet } from "./hook-set";
import { presentHook, presentHookWithCalls } from "./present";
import {
  createHook,
  deleteHook,
  listHooks,
  requireHook,
  rotateSecret,
  type SealedHook,
  updateHook,
} from "./store";

export interface HookDeps extends ChatDeps {
  readonly keyMaker: KeyMaker;
  readonly receivers: Receivers;
  readonly hooks: Pick<HookSet, "forget">;
}

const rotationMs = limits.webhookRotationHours * 3_600_000;

export const hookHandlers = ({ now, keyMaker, receivers, hooks }: HookDeps) => {
  const withSecret = async (hook: SealedHook) => ({
    ...presentHook(hook),
    secret: await keyMaker.open(Buffer.from(hook.sealed, "base64")),
  });
  const requirePermitted = async (url: string) => {
    const urlError = await receivers.findUrlError(url);
    if (urlError !== undefined) throw invalidField("body", "url", urlError);
  };
  return defineHandlers(contract.hooks, {
    create: async ({ body, writer }) => {
      await requirePermitted(body.url);
      const { url, callers, timeout_ms: timeoutMs = limits.hookTimeoutMs.default } = body;
      const hook = { url, operations: [...new Set(body.operations)], callers, timeoutMs };
      const created = await createHook(writer, keyMaker, { ...hook, onFailure: body.on_failure }, now());
      hooks.forget();
      return { status: 201, body: await withSecret(created) };
    },
    list: async ({ db }) => ({
      status: 200,
      body: { hooks: (await listHooks(db, keyMaker)).map(presentHook) },
    }),
    get: async ({ params, db }) => ({
      status: 200,
      body: presentHookWithCalls(await requireHook(db, keyMaker, params.hook_id), now()),
    }),
    update: async ({ params, body, writer }) => {
      if (body.url !== undefined) await requirePermitted(body.url);
      const { url, callers, timeout_ms: timeoutMs, on_failure: onFailure } = body;
      const operations = body.operations && [...new Set(body.operations)];
      const change = { url, operations, callers, timeoutMs, onFailure };
      const updated = await updateHook(writer, keyMaker, params.hook_id, change, now());
      hooks.forget();
      return { status: 200, body: presentHook(updated) };
    },
    delete: async ({ params, writer }) => {
      await deleteHook(writer, keyMaker, params.hook_id);
      hooks.forget();
      return { status: 200, body: undefined };
    },
    rotate: async ({ params, writer }) => {
      const time = now();
      const times = { now: time, previousUntil: time + rotationMs };
      const rotated = await rotateSecret(writer, keyMaker, params.hook_id, times);
      hooks.forget();
      return { status: 200, body: await withSecret(rotated) };
    },
  });
};
