import { masterKey } from "./server";

export const consoleHeaders = { "X-Madang-Console": "1", "Sec-Fetch-Site": "same-origin" };

/** Sends the request that the sign-in form of the console sends. */
export function requestSession(
  url: string,
  body: unknown = { key: masterKey, actor: "Jane Doe" },
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}/console/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...consoleHeaders, Origin: url, ...headers },
    body: JSON.stringify(body),
  });
}

/** Signs in to the console and returns the `Cookie` header that the browser sends from then on. */
export async function signIn(url: string, key = masterKey, actor = "Jane Doe"): Promise<string> {
  const response = await requestSession(url, { key, actor });
  if (response.status !== 204) throw new Error(`Signing in failed: ${await response.text()}`);
  return cookieOf(response);
}

/** The `Cookie` header with what the response set. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** Sends a request as the page of the console does. */
export function sendAs(
  cookie: string,
  url: string,
  { headers, ...init }: RequestInit & { headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  return fetch(url, { ...init, headers: { ...consoleHeaders, Cookie: cookie, ...headers } });
}
