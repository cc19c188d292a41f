import { contract } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { localsOf } from "../../http/caller";
import type { Deps } from "../deps";
import { batchMessages } from "./batch";
import { presentMessage } from "./present";

export const messageHandlers = ({ db, now }: Deps) => {
  const send = batchMessages(db, now);
  return initServer().router(contract.messages, {
    send: async ({ params, body, res }) => {
      const message = {
        channelId: params.channel_id,
        senderId: body.user_id,
        content: body.type === "text" ? body.content : undefined,
        file: body.type === "file" ? body.file : undefined,
        meta: body.meta ?? {},
      };
      return { status: 201, body: presentMessage(await send(message, localsOf(res).claim)) };
    },
  });
};
