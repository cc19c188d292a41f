import { connection } from "./connection";

/** What gateways and a service without its database respond with. */
const unreachable = [502, 503, 504];

/**
 * A `fetch` for requests with the cookie of the session. The header tells the service that a page of its own sent the request: other
 * origins cannot set it.
 */
export async function sessionFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("X-Madang-Console", "1");
  try {
    const response = await fetch(url, { ...init, headers, credentials: "same-origin" });
    connection.set(unreachable.includes(response.status) ? "lost" : "connected");
    return response;
  } catch (error) {
    if (!init.signal?.aborted) connection.set("lost");
    throw error;
  }
}
