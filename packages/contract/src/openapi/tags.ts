import { limits } from "../limits";

/** The sections of the document: the routers of the contract, in the same order. */
export const tags = {
  users: { name: "Users", description: "The users of the application." },
  "users.meta": { name: "User metadata", description: "Key-value metadata of a user." },
  channels: { name: "Channels", description: "Group channels." },
  "channels.members": {
    name: "Members",
    description: `The participants of a channel: at most ${limits.membersPerChannel} users.`,
  },
  "channels.managers": {
    name: "Managers",
    description: `The managers of a channel, who may send messages while it is frozen: at most ${limits.managersPerChannel} users.`,
  },
  messages: { name: "Messages", description: "The messages of a channel." },
  events: { name: "Events", description: "The changes of all resources, in order." },
  exports: { name: "Exports", description: "Bulk export of a channel's messages, page by page." },
  imports: { name: "Imports", description: "Import of messages from another service." },
  keys: {
    name: "Keys",
    description: "Sub keys, which can replace the master key and can be revoked. Requires the master key.",
  },
  webhooks: {
    name: "Webhooks",
    description: `URLs that get the events of the service: at most ${limits.webhooks}. Requires the master key.`,
  },
} as const;
