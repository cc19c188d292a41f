import { contract } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { once } from "../../idempotency/once";
import type { Deps } from "../deps";
import { presentEntry } from "./present";
import { joinChannel, leaveChannel, listMembers } from "./store";

export const memberHandlers = ({ db, now }: Deps) =>
  initServer().router(contract.channels.members, {
    list: async ({ params }) => ({
      status: 200,
      body: (await listMembers(db, params.channel_id)).map(presentEntry),
    }),
    join: async ({ params, body, res }) => {
      await joinChannel(once(db, res), params.channel_id, body.member, now());
      return { status: 200, body: undefined };
    },
    leave: async ({ params, body, res }) => {
      await leaveChannel(once(db, res), params.channel_id, body.member);
      return { status: 200, body: undefined };
    },
  });
