import type { ClientOptions } from "@madang/client";

/** Observers of a client that report when the server stops responding, and when it responds again. */
export function reportOutages(
  note: (text: string) => void,
): Required<Pick<ClientOptions, "onRetry" | "onResponse">> {
  let isDown = false;
  return {
    onRetry({ attempt, reason }) {
      // One failure may be a proxy that closes a connection.
      if (isDown || attempt === 1 || !isOutage(reason)) return;
      isDown = true;
      note("The server does not respond. Trying again…");
    },
    onResponse({ status }) {
      if (!isDown || isOutage(String(status))) return;
      isDown = false;
      note("The server responds again.");
    },
  };
}

const isOutage = (reason: string) => /^(?:connection|timeout|5\d\d)$/.test(reason);
