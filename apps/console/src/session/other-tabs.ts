import { queryClient } from "../api/query-client";
import { sessionKey } from "./session";

const channel = new BroadcastChannel("madang-console-session");

/** Somebody has signed in or out here: the other tabs forget what they show, and ask who is signed in. */
export function notifyOtherTabs(): void {
  channel.postMessage(undefined);
}

channel.onmessage = async () => {
  await closePages();
  await queryClient.invalidateQueries({ queryKey: sessionKey });
};

/** Shows the form, which forgets what was loaded. */
export async function closePages(): Promise<void> {
  // What was asked before would sign in again.
  await queryClient.cancelQueries({ queryKey: sessionKey });
  queryClient.setQueryData(sessionKey, null);
}
