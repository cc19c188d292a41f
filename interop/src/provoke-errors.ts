/**
 * Sends requests that get errors, so that the proxy validates those responses. No invalid JSON: Prism does not forward
 * it.
 */
export async function provokeErrors(
  baseUrl: string,
  apiKey: string,
  fetch: typeof globalThis.fetch,
): Promise<void> {
  const authorization = `Bearer ${apiKey}`;
  const json = { authorization, "content-type": "application/json" };
  const post = (path: string, body: string, headers: Record<string, string> = json) =>
    expectError(path, { method: "POST", headers, body });
  await expectError("/v1/users");
  await expectError("/v1/users?limit=4", { headers: { authorization } });
  await expectError("/v1/users?next=foreign", { headers: { authorization } });
  await expectError("/v1/users/unknown", { headers: { authorization } });
  await expectError("/v1/group/channels/unknown/members", { headers: { authorization } });
  await post("/v1/users", '{"user_id":"kim"}');
  await post("/v1/users", "<xml/>", { authorization, "content-type": "text/xml" });
  await post("/v1/group/channels", '{"channel_id":"channel_9","name":"Lunch","members":["unknown"]}');
  await expectError("/v1/applications/keys", {
    method: "DELETE",
    headers: json,
    body: '{"key":"sk_none"}',
  });

  async function expectError(path: string, init: RequestInit = {}): Promise<void> {
    const { status } = await fetch(baseUrl + path, init);
    if (status < 400) throw new Error(`${init.method ?? "GET"} ${path} did not get an error.`);
  }
}
