import { contract } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { once } from "../../idempotency/once";
import type { Deps } from "../deps";
import { presentEntry } from "../members/present";
import { addManager, listManagers, removeManager } from "./store";

export const managerHandlers = ({ db, now }: Deps) =>
  initServer().router(contract.channels.managers, {
    list: async ({ params }) => ({
      status: 200,
      body: (await listManagers(db, params.channel_id)).map(presentEntry),
    }),
    add: async ({ params, body, res }) => {
      await addManager(once(db, res), params.channel_id, body.manager, now());
      return { status: 200, body: undefined };
    },
    remove: async ({ params, body, res }) => {
      await removeManager(once(db, res), params.channel_id, body.manager);
      return { status: 200, body: undefined };
    },
    removeByPath: async ({ params, res }) => {
      await removeManager(once(db, res), params.channel_id, params.user_id);
      return { status: 200, body: undefined };
    },
  });
