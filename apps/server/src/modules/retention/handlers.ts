import { contract } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import { presentChannel } from "../../chat/channels/present";
import type { ChatDeps } from "../../chat/deps";
import { setRetention } from "./store";

export const retentionHandlers = ({ now, wake }: ChatDeps) =>
  defineHandlers(contract.channels, {
    setRetention: async ({ params, body, writer }) => {
      const channel = await setRetention(writer, params.channel_id, body, now());
      wake("erasing messages by age");
      // An erasure can wait for the end of a hold.
      wake("erasing users");
      return { status: 200, body: presentChannel(channel) };
    },
  });
