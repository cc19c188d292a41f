import { setTimeout as sleep } from "node:timers/promises";
import type { Erasure } from "@madang/client";
import type { Session } from "../../session";

const intervalMs = 500;

/** The erasure when it is done. Holds may keep it running: then what they keep is reported once. */
export async function waitForErasure(
  { io, output, connectPatiently }: Session,
  erasureId: string,
): Promise<Erasure> {
  const chat = await connectPatiently();
  const { signal } = io;
  let isHoldReported = false;
  for (;;) {
    const erasure = await chat.privacy.get(erasureId, { signal });
    if (erasure.status === "done") return erasure;
    const { held } = erasure.erased;
    if (held !== undefined && !isHoldReported) {
      const kept = held === 0 ? "Reactions, mentions or reports" : `${held} messages`;
      output.note(`${kept} are in channels on hold, and will be erased when the holds end.`);
      isHoldReported = true;
    }
    await sleep(intervalMs, undefined, { signal });
  }
}
