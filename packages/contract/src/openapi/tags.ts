import { limits } from "../limits";

/** The chapters of the document: the routers of the contract, in its order. */
export const tags = {
  users: { name: "Users", description: "The people of the application, and key-value metadata about them." },
  channels: { name: "Channels", description: "Group channels: create, rename, delete." },
  members: {
    name: "Members",
    description: `Who takes part in a channel: at most ${limits.membersPerChannel} users.`,
  },
  managers: {
    name: "Managers",
    description: `Who may send in a frozen channel: at most ${limits.managersPerChannel} users.`,
  },
  exports: { name: "Exports", description: "The history of a channel in bulk, page by page." },
  keys: {
    name: "Keys",
    description:
      "Sub keys, which can be used instead of the master key and revoked. Only the master key may.",
  },
  extensions: {
    name: "Extensions",
    description:
      "Operations beyond the documented interface, without which its own rules cannot be used. Each is marked `x-madang-extension`.",
  },
} as const;
