import type { OperationId } from "@madang/contract";
import type { Operation } from "../src/index";

/** The method of the SDK for each operation of the contract. A new operation without a method does not compile. */
export const methodOf = {
  "users.list": "users.list",
  "users.get": "users.get",
  "users.create": "users.create",
  "users.update": "users.update",
  "users.delete": "users.delete",
  "users.mergeMeta": "users.meta.merge",
  "users.deleteMeta": "users.meta.delete",
  "channels.create": "channels.create",
  "channels.update": "channels.update",
  "channels.delete": "channels.delete",
  "members.list": "channels.members.list",
  "members.join": "channels.members.join",
  "members.leave": "channels.members.leave",
  "managers.list": "channels.managers.list",
  "managers.add": "channels.managers.add",
  "managers.remove": "channels.managers.remove",
  "exports.messages": "exports.messages",
  "keys.list": "keys.list",
  "keys.create": "keys.create",
  "keys.delete": "keys.delete",
  "extensions.getChannel": "channels.get",
  "extensions.listChannels": "channels.list",
  "extensions.freezeChannel": "channels.freeze",
  "extensions.sendMessage": "messages.send",
  "extensions.revokeManager": "channels.managers.revoke",
  "extensions.deleteMetaKey": "users.meta.deleteKey",
  "extensions.revokeKey": "keys.revoke",
} as const satisfies Record<OperationId, Operation>;
