// Also what a scope must name: the messages of all channels, and the audit log.
const support = ["read", "users.messages", "messages.searchAll", "audit.*"];
const moderation = ["messages.*", "channels.*", "reports.*", "users.suspend", "users.unsuspend"];

/** The scopes of a new key for a role. */
export const roleScopes = { read: ["read"], support, moderator: [...support, ...moderation] } as const;

/** What a moderator's key has besides that of support staff. */
export const moderationScopes = moderation;
