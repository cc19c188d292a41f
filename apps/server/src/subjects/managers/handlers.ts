import { contract } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import type { Deps } from "../deps";
import { presentEntry } from "../members/present";
import { addManager, listManagers, removeManager } from "./store";

export const managerHandlers = ({ db, now }: Deps) =>
  initServer().router(contract.channels.managers, {
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
    removeByPath: async ({ params }) => {
      await removeManager(db, params.channel_id, params.user_id);
      return { status: 200, body: undefined };
    },
  });
