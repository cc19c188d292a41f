/** Every type of an event. The list may grow: a client ignores what it does not know. */
export const eventTypes = [
  "user.created",
  "user.updated",
  "user.deleted",
  "channel.created",
  "channel.updated",
  "channel.deleted",
  "member.joined",
  "member.left",
  "member.read",
  "member.muted",
  "member.unmuted",
  "member.banned",
  "member.unbanned",
  "manager.added",
  "manager.removed",
  "message.created",
  "message.updated",
  "message.deleted",
  "message.pinned",
  "message.unpinned",
  "reaction.added",
  "reaction.removed",
  "messages.imported",
  "report.created",
  "report.resolved",
  "webhook.disabled",
] as const;

export type EventType = (typeof eventTypes)[number];

export const isEventType = (text: string): text is EventType =>
  (eventTypes as readonly string[]).includes(text);
