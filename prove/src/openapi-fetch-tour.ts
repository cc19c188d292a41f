import createClient from "openapi-fetch";
import type { paths } from "../generated/openapi.d.ts";

/** Calls every operation through openapi-fetch, with the types that openapi-typescript generated. */
export async function tourWithOpenapiFetch(
  baseUrl: string,
  apiKey: string,
  fetch: typeof globalThis.fetch,
): Promise<void> {
  const client = createClient<paths>({ baseUrl, fetch, headers: { Authorization: `Bearer ${apiKey}` } });
  const user = { path: { user_id: "oaf_kim" } };
  const room = { path: { channel_id: "oaf_room" } };
  for (const user_id of ["oaf_kim", "oaf_park"])
    must(await client.POST("/v1/users", { body: { user_id, name: "Kim", meta: { team: "blue" } } }));
  const page = must(await client.GET("/v1/users", { params: { query: { limit: 5 } } }));
  if (Array.isArray(page)) throw new Error("A bare array was answered to a request without base_user_id.");
  const older = must(await client.GET("/v1/users", { params: { query: { base_user_id: "oaf_park" } } }));
  if (!Array.isArray(older)) throw new Error("No bare array was answered to a request with base_user_id.");
  must(await client.GET("/v1/users/{user_id}", { params: user }));
  must(await client.PUT("/v1/users/{user_id}", { params: user, body: { name: "김" } }));
  must(await client.PUT("/v1/users/{user_id}/meta", { params: user, body: { meta: { floor: "3" } } }));
  must(await client.DELETE("/v1/users/{user_id}/meta", { params: user, body: { keys: ["team"] } }));
  must(
    await client.POST("/v1/group/channels", {
      body: { channel_id: "oaf_room", name: "Lunch", members: ["oaf_kim"] },
    }),
  );
  must(await client.PUT("/v1/group/channels/{channel_id}", { params: room, body: { name: "점심" } }));
  must(await client.GET("/v1/group/channels/{channel_id}", { params: room }));
  must(await client.GET("/v1/group/channels", { params: { query: { limit: 5 } } }));
  done(
    await client.PUT("/v1/group/channels/{channel_id}/join", { params: room, body: { member: "oaf_park" } }),
  );
  must(await client.GET("/v1/group/channels/{channel_id}/members", { params: room }));
  done(
    await client.POST("/v1/group/channels/{channel_id}/managers", {
      params: room,
      body: { manager: "oaf_kim" },
    }),
  );
  must(await client.GET("/v1/group/channels/{channel_id}/managers", { params: room }));
  must(await client.PUT("/v1/group/channels/{channel_id}/freeze", { params: room, body: { freeze: true } }));
  must(
    await client.POST("/v1/group/channels/{channel_id}/messages", {
      params: room,
      body: { user_id: "oaf_kim", type: "text", content: "Hello" },
    }),
  );
  const query = { limit: 100, timezone: "Asia/Seoul" };
  must(await client.GET("/v1/exports/group/channels/{channel_id}/messages", { params: { ...room, query } }));
  done(
    await client.DELETE("/v1/group/channels/{channel_id}/managers", {
      params: room,
      body: { manager: "oaf_kim" },
    }),
  );
  done(
    await client.PUT("/v1/group/channels/{channel_id}/leave", { params: room, body: { member: "oaf_park" } }),
  );
  done(
    await client.POST("/v1/group/channels/{channel_id}/managers", {
      params: room,
      body: { manager: "oaf_park" },
    }),
  );
  const manager = { path: { channel_id: "oaf_room", user_id: "oaf_park" } };
  done(await client.DELETE("/v1/group/channels/{channel_id}/managers/{user_id}", { params: manager }));
  const key = { path: { user_id: "oaf_kim", key: "floor" } };
  must(await client.DELETE("/v1/users/{user_id}/meta/{key}", { params: key }));
  const created = must(await client.POST("/v1/applications/keys"));
  must(await client.GET("/v1/applications/keys"));
  done(await client.DELETE("/v1/applications/keys", { body: { key: created.key } }));
  const other = must(await client.POST("/v1/applications/keys"));
  done(await client.POST("/v1/applications/keys/revoke", { body: { key: other.key } }));
  done(await client.DELETE("/v1/group/channels/{channel_id}", { params: room }));
  done(await client.DELETE("/v1/users/{user_id}", { params: user }));
  done(await client.DELETE("/v1/users/{user_id}", { params: { path: { user_id: "oaf_park" } } }));
}

interface Answered<Data> {
  readonly data?: Data;
  readonly response: Response;
}

function must<Data>(answered: Answered<Data>): Data {
  done(answered);
  if (answered.data === undefined) throw new Error(`${answered.response.url} answered no body.`);
  return answered.data;
}

function done({ response }: Answered<unknown>): void {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}.`);
}
