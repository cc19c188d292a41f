import { contract } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import type { Deps } from "../deps";
import { presentEntry } from "../members/present";
import { addManager, listManagers, removeManager } from "./store";

export const managerHandlers = ({ db, now }: Deps) =>
  initServer().router(contract.managers, {
    list: async ({ params }) => ({
      status: 200,
      body: (await listManagers(db, params.channel_id)).map(presentEntry),
    }),
    add: async ({ params, body }) => {
      await addManager(db, params.channel_id, body.manager, now());
      return { status: 200, body: undefined };
    },
    remove: async ({ params, body }) => {
      await removeManager(db, params.channel_id, body.manager);
      return { status: 200, body: undefined };
    },
  });

/** For callers behind a proxy that drops the body of a DELETE. */
export const managerExtensionHandlers = ({ db }: Deps) =>
  initServer().router(
    { revokeManager: contract.extensions.revokeManager },
    {
      revokeManager: async ({ params }) => {
        await removeManager(db, params.channel_id, params.user_id);
        return { status: 200, body: undefined };
      },
    },
  );
