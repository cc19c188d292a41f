import { contract } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import type { Module } from "../../chat/module";
import { requirePresence } from "../events/live/listener-presence";
import { eraseLastSeen, removeLastSeen } from "./online-store";
import type { Presence } from "./presence";
import { presentPresence } from "./present";
import { listShared, listStatuses } from "./status-store";

export interface PresenceDeps extends ChatDeps {
  /** Undefined where it is turned off. */
  readonly presence: Presence | undefined;
}

export const presence = {
  handlers: ({ db, presence: own }: PresenceDeps) => ({
    presence: defineHandlers(contract.presence, {
      list: async ({ query, acting }) => {
        const { hasLastSeen } = requirePresence(own);
        const statuses = await listStatuses(db, [...new Set(query.user_ids)]);
        if (acting === undefined)
          return {
            status: 200,
            body: { presence: statuses.map((status) => presentPresence(status, hasLastSeen)) },
          };
        const others = statuses.filter(({ userPk }) => userPk !== acting.userPk);
        const shared = await listShared(
          db,
          others.map(({ userPk }) => ({ viewerPk: acting.userPk, userPk })),
        );
        const found = new Map(shared.map((pair) => [pair.userPk, pair]));
        const shown = statuses.flatMap((status) => {
          const pair = found.get(status.userPk);
          if (pair?.isBlocked)
            return [presentPresence({ ...status, isOnline: false, lastSeenAt: null }, hasLastSeen)];
          return pair !== undefined || status.userPk === acting.userPk
            ? [presentPresence(status, hasLastSeen)]
            : [];
        });
        return { status: 200, body: { presence: shown } };
      },
    }),
  }),
  removeUsers: removeLastSeen,
  eraseRest: [eraseLastSeen],
} satisfies Module;
