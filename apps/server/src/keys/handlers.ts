import { contract } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import type { Deps } from "../deps";
import { createSubKey, deleteSubKey, listSubKeys } from "./store";

export const keyHandlers = ({ db, now, keyMaker, keyRing }: Deps) =>
  initServer().router(contract.keys, {
    list: async () => ({
      status: 200,
      body: (await listSubKeys(db, keyMaker)).map(({ key, createdAt }) => ({ key, created_at: createdAt })),
    }),
    create: async () => {
      const { key, createdAt } = await createSubKey(db, keyMaker, now());
      keyRing.forget();
      return { status: 201, body: { key, created_at: createdAt } };
    },
    delete: async ({ body }) => {
      await deleteSubKey(db, keyMaker, body.key);
      keyRing.forget();
      return { status: 200, body: undefined };
    },
  });

/** For callers behind a proxy that drops the body of a DELETE. */
export const keyExtensionHandlers = ({ db, keyMaker, keyRing }: Deps) =>
  initServer().router(
    { revokeKey: contract.extensions.revokeKey },
    {
      revokeKey: async ({ body }) => {
        await deleteSubKey(db, keyMaker, body.key);
        keyRing.forget();
        return { status: 200, body: undefined };
      },
    },
  );
