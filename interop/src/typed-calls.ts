import createClient from "openapi-fetch";
import * as heyApi from "../generated/hey-api/sdk.gen.ts";
import type { paths } from "../generated/openapi.d.ts";

// Only type-checked: the generated types accept valid calls and reject invalid ones.
export async function typedCalls(): Promise<void> {
  const client = createClient<paths>({ baseUrl: "http://127.0.0.1:3000" });
  const user = { path: { user_id: "kim_01" } };
  const { data } = await client.GET("/v1/users/{user_id}", { params: user });
  const name: string | undefined = data?.name;
  await client.POST("/v1/group/channels", {
    body: { channel_id: "room_1", name: name ?? "", members: ["kim_01"] },
  });
  // @ts-expect-error A limit is a number.
  await client.GET("/v1/users", { params: { query: { limit: "many" } } });
  const { data: created } = await heyApi.usersCreate({ body: { user_id: "kim_01", name: "Kim" } });
  const createdAt: number | undefined = created?.created_at;
  await heyApi.usersUpdate({ ...user, body: { name: `Kim ${createdAt}` } });
  // @ts-expect-error A user has a name.
  await heyApi.usersUpdate({ ...user, body: {} });
}
