import type { Caller } from "../auth/caller";
import type { Locals } from "../locals";

/** A request as log lines name it. */
export const describeRequest = ({ requestId, caller }: Locals): object => ({
  request_id: requestId,
  ...describeCaller(caller),
});

/** A caller as log lines name it. */
export const describeCaller = (caller: Caller | undefined): object => ({
  ...(caller && { caller: caller.kind }),
  ...(caller !== undefined && caller.kind !== "master" && { key_id: caller.id, key_label: caller.label }),
  ...(caller?.kind === "user" && { acting_user_id: caller.userId }),
});
