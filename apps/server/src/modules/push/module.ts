import type { JobDeps, Module } from "../../chat/module";
import { sweepPushes } from "./delivery/queue-store";
import { eraseDevices, removeDevicesOf } from "./devices-store";
import { pushHandlers } from "./handlers";

/** `Pushes` run besides its jobs: they follow the feed, and react to each response of a push service. */
export const push = {
  handlers: pushHandlers,
  jobs: ({ db }: JobDeps) => [{ name: "removing old pushes", step: () => sweepPushes(db) }],
  removeUsers: removeDevicesOf,
  eraseRest: [eraseDevices],
} satisfies Module;
