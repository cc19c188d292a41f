import { limits } from "../rules/limits";

/** The sections of the document: the routers of the contract, in the same order. */
export const tags = {
  users: { name: "Users", description: "The users of the application." },
  "users.meta": { name: "User metadata", description: "Key-value metadata of a user." },
  "users.devices": {
    name: "Devices",
    description: `The devices to which messages for a user are pushed: at most ${limits.devicesPerUser}.`,
  },
  "users.blocks": { name: "Blocks", description: "The users whom a user has blocked." },
  "channels.meta": { name: "Channel metadata", description: "Key-value metadata of a channel." },
  channels: { name: "Channels", description: "Group channels." },
  "channels.members": {
    name: "Members",
    description: `The participants of a channel: at most ${limits.membersPerChannel} users.`,
  },
  "channels.managers": {
    name: "Managers",
    description: `The managers of a channel, who may send messages while it is frozen: at most ${limits.managersPerChannel} users.`,
  },
  "channels.bans": {
    name: "Bans",
    description: "The users who cannot be participants or managers of a channel.",
  },
  messages: { name: "Messages", description: "The messages of a channel." },
  "messages.reactions": {
    name: "Reactions",
    description: `Reactions to a message: at most ${limits.reactionsPerMessage} different ones, one of each for each user.`,
  },
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
  filters: {
    name: "Filters",
    description: `Words and patterns that messages must not contain: at most ${limits.filters} filters.`,
  },
  hooks: {
    name: "Hooks",
    description: `Programs of the application that check messages before they are stored: at most ${limits.hooks}. Requires the master key.`,
  },
  signals: { name: "Signals", description: "What is stored nowhere: typing, progress." },
  reports: { name: "Reports", description: "What moderators should look at." },
  files: {
    name: "Files",
    description: "The files of messages: created, uploaded to an address of their own, then sent.",
  },
  audit: {
    name: "Audit",
    description: "Who did what, when and why. Requires the master key or a key with a scope that names it.",
  },
  privacy: {
    name: "Privacy",
    description:
      "What is stored about a user, and its erasure. Sub keys need a scope that names the operation.",
  },
  push: { name: "Push", description: "How messages are pushed to devices." },
  presence: { name: "Presence", description: "Which users are online." },
  usage: { name: "Usage", description: "How much the service is used." },
} as const;
