/** Requests that a server refuses, so that a validating proxy sees refusals too. Not broken JSON: Prism never passes it on. */
export async function provokeRefusals(
  baseUrl: string,
  apiKey: string,
  fetch: typeof globalThis.fetch,
): Promise<void> {
  const authorization = `Bearer ${apiKey}`;
  const json = { authorization, "content-type": "application/json" };
  const post = (path: string, body: string, headers: Record<string, string> = json) =>
    expectRefusal(path, { method: "POST", headers, body });
  await expectRefusal("/v1/users");
  await expectRefusal("/v1/users?limit=4", { headers: { authorization } });
  await expectRefusal("/v1/users?next=foreign", { headers: { authorization } });
  await expectRefusal("/v1/users/nobody", { headers: { authorization } });
  await expectRefusal("/v1/group/channels/nowhere/members", { headers: { authorization } });
  await post("/v1/users", '{"user_id":"kim"}');
  await post("/v1/users", "<xml/>", { authorization, "content-type": "text/xml" });
  await post("/v1/group/channels", '{"channel_id":"room_9","name":"Room","members":["nobody"]}');
  await expectRefusal("/v1/applications/keys", {
    method: "DELETE",
    headers: json,
    body: '{"key":"sk_none"}',
  });

  async function expectRefusal(path: string, init: RequestInit = {}): Promise<void> {
    const { status } = await fetch(baseUrl + path, init);
    if (status < 400) throw new Error(`${init.method ?? "GET"} ${path} was not refused.`);
  }
}
