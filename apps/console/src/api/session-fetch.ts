import { connection } from "./connection";

/** What gateways and a service without its database respond with. */
const unreachable = [502, 503, 504];

/** A `fetch` for requests with the cookie of the session. It notes whether the service can be reached. */
export async function sessionFetch(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    const response = await fetch(url, { ...init, credentials: "same-origin" });
    connection.set(unreachable.includes(response.status) ? "lost" : "connected");
    return response;
  } catch (error) {
    if (!init.signal?.aborted) connection.set("lost");
    throw error;
  }
}
