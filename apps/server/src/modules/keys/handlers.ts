import { contract, futureTimeRule, isScope, scopeRule } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { invalidField } from "../../errors/service-error";
import { localsOf } from "../../http/locals";
import type { Writer } from "../../write/writer";
import { presentCaller, presentSubKey } from "./present";
import { createSubKey, deleteSubKey, listSubKeys } from "./store";

export const keyHandlers = ({ now, keyMaker, keyRing }: ChatDeps) => {
  const deleteKey = async (body: { key: string }, writer: Writer) => {
    await deleteSubKey(writer, keyMaker, body.key);
    keyRing.forget();
    return { status: 200, body: undefined } as const;
  };
  return defineHandlers(contract.keys, {
    list: async ({ db }) => {
      const keys = await listSubKeys(db, keyMaker);
      return { status: 200, body: keys.map((key) => presentSubKey(key, keyMaker)) };
    },
    self: async ({ res }) => {
      const { caller } = localsOf(res);
      if (caller === undefined) throw new Error("Every request is authenticated.");
      return { status: 200, body: presentCaller(caller) };
    },
    create: async ({ body, writer }) => {
      const { user_id: userId, label, scopes = [], expires_at: expiresAt } = body ?? {};
      const unknown = scopes.findIndex((scope) => !isScope(scope));
      if (unknown >= 0) throw invalidField("body", `scopes.${unknown}`, scopeRule);
      const createdAt = now();
      if (expiresAt !== undefined && expiresAt <= createdAt)
        throw invalidField("body", "expires_at", futureTimeRule);
      const created = await createSubKey(writer, keyMaker, {
        userId,
        label,
        scopes: [...new Set(scopes)],
        expiresAt,
        createdAt,
      });
      keyRing.forget();
      return { status: 201, body: presentSubKey(created, keyMaker) };
    },
    delete: ({ body, writer }) => deleteKey(body, writer),
    revoke: ({ body, writer }) => deleteKey(body, writer),
  });
};
