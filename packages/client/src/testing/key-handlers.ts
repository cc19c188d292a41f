import { limits } from "@madang/contract";
import type { KeyDeletion } from "../generated/types";
import type { Handler } from "./handler";
import { ServiceError } from "./service-error";

const deleteKey: Handler = ({ body }, { world }) => {
  const { key }: KeyDeletion = body;
  if (!world.keys.delete(key)) throw new ServiceError("key_not_found", "There is no such sub key.");
  return {};
};

export const keyHandlers = {
  "keys.list": (_, { world }) => ({ body: [...world.keys.values()] }),
  "keys.create": (_, { world, now }) => {
    const { size } = world.keys;
    if (size >= limits.subKeys)
      throw new ServiceError("key_limit_exceeded", `${size} sub keys exist; no more can be created.`);
    const key = { key: `sk_fake_${world.nextNumber()}`, created_at: now };
    world.keys.set(key.key, key);
    return { body: key };
  },
  "keys.delete": deleteKey,
  "keys.revoke": deleteKey,
} as const satisfies Record<string, Handler>;
