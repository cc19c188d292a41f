import { contract } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import { requireMaySend } from "../../chat/channels/may-send";
import type { ChatDeps } from "../../chat/deps";
import { explainRejection } from "../../chat/messages/may-send-store";
import { clientOf } from "../../http/locals";
import { listBlockers } from "./blockers-store";
import type { Signals } from "./signals";

export interface SignalDeps extends ChatDeps {
  readonly signals: Pick<Signals, "send">;
}

export const signalsModule = {
  handlers: ({ now, signals }: SignalDeps) => ({
    signals: defineHandlers(contract.signals, {
      send: async ({ params: { channel_id: channelId }, body, acting, res, db }) => {
        const { user_id: userId = null, type, data } = body;
        const [found, blockerPks] = await Promise.all([
          explainRejection(db, channelId, { userId }, acting),
          userId === null ? [] : listBlockers(db, channelId, userId),
        ]);
        if (userId !== null) requireMaySend(found, userId);
        const sender = userId === null ? `key ${clientOf(res).name}` : `user ${userId}`;
        const event = {
          type: "signal" as const,
          channel_id: channelId,
          ...(userId !== null && { user_id: userId }),
          created_at: now(),
          data: { type, ...(data && { data }) },
        };
        signals.send({ event, channelPk: found.channelPk, blockerPks }, sender);
        return { status: 200, body: undefined };
      },
    }),
  }),
};
