import type { OperationId } from "@madang/contract";
import type { Operation } from "../src/index";

/** The method of the SDK for each operation of the contract. A new operation without a method does not compile. */
export const methodOf = {
  "users.list": "users.list",
  "users.get": "users.get",
  "users.create": "users.create",
  "users.update": "users.update",
  "users.delete": "users.delete",
  "users.meta.merge": "users.meta.merge",
  "users.meta.delete": "users.meta.delete",
  "channels.create": "channels.create",
  "channels.update": "channels.update",
  "channels.delete": "channels.delete",
  "channels.members.list": "channels.members.list",
  "channels.members.join": "channels.members.join",
  "channels.members.leave": "channels.members.leave",
  "channels.managers.list": "channels.managers.list",
  "channels.managers.add": "channels.managers.add",
  "channels.managers.remove": "channels.managers.remove",
  "exports.messages": "exports.messages",
  "keys.list": "keys.list",
  "keys.create": "keys.create",
  "keys.delete": "keys.delete",
  "channels.get": "channels.get",
  "channels.list": "channels.list",
  "channels.freeze": "channels.freeze",
  "messages.send": "messages.send",
  "channels.managers.removeByPath": "channels.managers.revoke",
  "users.meta.deleteKey": "users.meta.deleteKey",
  "keys.revoke": "keys.revoke",
} as const satisfies Record<OperationId, Operation>;
