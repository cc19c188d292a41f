import { futureTimeRule, limits } from "@madang/contract";
import type { KeyDeletion, NewSubKey } from "../generated/types";
import type { Handler } from "./handler";
import { ServiceError } from "./service-error";

const deleteKey: Handler = ({ body }, { world }) => {
  const { key }: KeyDeletion = body;
  if (!world.keys.delete(key)) throw new ServiceError("key_not_found", "There is no such sub key.");
  return {};
};

export const keyHandlers = {
  "keys.list": (_, { world }) => ({ body: [...world.keys.values()] }),
  "keys.create": ({ body }, { world, now }) => {
    const { label, expires_at }: NewSubKey = body ?? {};
    if (expires_at !== undefined && expires_at <= now)
      throw new ServiceError("invalid_request", "The body field expires_at is invalid.", [
        { in: "body", path: "expires_at", message: futureTimeRule },
      ]);
    const { size } = world.keys;
    if (size >= limits.subKeys)
      throw new ServiceError("key_limit_exceeded", `${size} sub keys exist; no more can be created.`);
    const number = world.nextNumber();
    const key = {
      key: `sk_fake_${number}`,
      key_id: `key_fake_${number}`,
      ...(label !== undefined && { label }),
      created_at: now,
      ...(expires_at !== undefined && { expires_at }),
    };
    world.keys.set(key.key, key);
    return { body: key };
  },
  "keys.delete": deleteKey,
  "keys.revoke": deleteKey,
} as const satisfies Record<string, Handler>;
