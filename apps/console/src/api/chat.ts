import { ChatClient } from "@madang/client";
import { sessionKey } from "../session/session";
import { basePath } from "./base-path";
import { queryClient } from "./query-client";
import { sessionFetch } from "./session-fetch";

/** The SDK, with the session of this page instead of a key. */
export const chat = new ChatClient({
  baseUrl: location.origin + basePath,
  session: true,
  async fetch(url, init) {
    const response = await sessionFetch(url, init);
    // The session ended, or its key was deleted: the page asks to sign in again and keeps its address.
    if (response.status === 401) queryClient.setQueryData(sessionKey, null);
    return response;
  },
});
