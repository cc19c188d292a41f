import { client } from "../generated/hey-api/client.gen.ts";
import * as api from "../generated/hey-api/sdk.gen.ts";

/** Calls every operation through the functions that @hey-api/openapi-ts generated. */
export async function tourWithHeyApi(
  baseUrl: string,
  key: string,
  fetch: typeof globalThis.fetch,
): Promise<void> {
  client.setConfig({ baseUrl, fetch, auth: key, throwOnError: true });
  const user = { path: { user_id: "hey_kim" } };
  const room = { path: { channel_id: "hey_room" } };
  for (const user_id of ["hey_kim", "hey_park"]) await api.usersCreate({ body: { user_id, name: "Kim" } });
  await api.usersList({ query: { limit: 5 } });
  await api.usersGet(user);
  await api.usersUpdate({ ...user, body: { name: "김" } });
  await api.usersMetaMerge({ ...user, body: { meta: { team: "blue" } } });
  await api.usersMetaDelete({ ...user, body: { keys: ["team"] } });
  await api.channelsCreate({ body: { channel_id: "hey_room", name: "Lunch", members: ["hey_kim"] } });
  await api.channelsUpdate({ ...room, body: { name: "점심" } });
  await api.channelsGet(room);
  await api.channelsList({ query: { limit: 5 } });
  await api.channelsMembersJoin({ ...room, body: { member: "hey_park" } });
  await api.channelsMembersList(room);
  await api.channelsManagersAdd({ ...room, body: { manager: "hey_kim" } });
  await api.channelsManagersList(room);
  await api.channelsFreeze({ ...room, body: { freeze: true } });
  await api.messagesSend({ ...room, body: { user_id: "hey_kim", type: "text", content: "Hello" } });
  await api.exportsMessages({ ...room, query: { limit: 100, timezone: "Asia/Seoul" } });
  await api.channelsManagersRemove({ ...room, body: { manager: "hey_kim" } });
  await api.channelsManagersAdd({ ...room, body: { manager: "hey_park" } });
  await api.channelsManagersRemoveByPath({ path: { channel_id: "hey_room", user_id: "hey_park" } });
  await api.usersMetaDeleteKey({ path: { user_id: "hey_kim", key: "team" } });
  await api.channelsMembersLeave({ ...room, body: { member: "hey_park" } });
  const { data } = await api.keysCreate({ throwOnError: true });
  await api.keysList();
  await api.keysDelete({ body: { key: data.key } });
  const other = await api.keysCreate({ throwOnError: true });
  await api.keysRevoke({ body: { key: other.data.key } });
  await api.channelsDelete(room);
  await api.usersDelete(user);
  await api.usersDelete({ path: { user_id: "hey_park" } });
}
