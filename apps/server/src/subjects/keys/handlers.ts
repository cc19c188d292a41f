import { contract } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import type { Queryable } from "../../db/db";
import { once } from "../../idempotency/once";
import type { Deps } from "../deps";
import { createSubKey, deleteSubKey, listSubKeys } from "./store";

export const keyHandlers = ({ db, now, keyMaker, keyRing }: Deps) => {
  const deleteKey = async (body: { key: string }, writer: Queryable) => {
    await deleteSubKey(writer, keyMaker, body.key);
    keyRing.forget();
    return { status: 200, body: undefined } as const;
  };
  return initServer().router(contract.keys, {
    list: async () => ({
      status: 200,
      body: (await listSubKeys(db, keyMaker)).map(({ key, createdAt }) => ({ key, created_at: createdAt })),
    }),
    create: async ({ res }) => {
      const { key, createdAt } = await createSubKey(once(db, res), keyMaker, now());
      keyRing.forget();
      return { status: 201, body: { key, created_at: createdAt } };
    },
    delete: ({ body, res }) => deleteKey(body, once(db, res)),
    revoke: ({ body, res }) => deleteKey(body, once(db, res)),
  });
};
