import { contract, futureTimeRule, isScope, scopeRule } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { invalidField } from "../../errors";
import { localsOf } from "../../http/locals";
import { once } from "../../idempotency/once";
import type { Writer } from "../../idempotency/writer";
import type { Deps } from "../deps";
import { presentCaller, presentSubKey } from "./present";
import { createSubKey, deleteSubKey, listSubKeys } from "./store";

export const keyHandlers = ({ db, now, keyMaker, keyRing }: Deps) => {
  const deleteKey = async (body: { key: string }, writer: Writer) => {
    await deleteSubKey(writer, keyMaker, body.key);
    keyRing.forget();
    return { status: 200, body: undefined } as const;
  };
  return initServer().router(contract.keys, {
    list: async () => {
      const keys = await listSubKeys(db, keyMaker);
      return { status: 200, body: keys.map((key) => presentSubKey(key, keyMaker)) };
    },
    self: async ({ res }) => {
      const { caller } = localsOf(res);
      if (caller === undefined) throw new Error("Every request is authenticated.");
      return { status: 200, body: presentCaller(caller) };
    },
    create: async ({ body, res }) => {
      const { label, scopes = [], expires_at: expiresAt } = body ?? {};
      const unknown = scopes.findIndex((scope) => !isScope(scope));
      if (unknown >= 0) throw invalidField("body", `scopes.${unknown}`, scopeRule);
      const createdAt = now();
      if (expiresAt !== undefined && expiresAt <= createdAt)
        throw invalidField("body", "expires_at", futureTimeRule);
      const created = await createSubKey(once(db, res), keyMaker, {
        label,
        scopes: [...new Set(scopes)],
        expiresAt,
        createdAt,
      });
      keyRing.forget();
      return { status: 201, body: presentSubKey(created, keyMaker) };
    },
    delete: ({ body, res }) => deleteKey(body, once(db, res)),
    revoke: ({ body, res }) => deleteKey(body, once(db, res)),
  });
};
