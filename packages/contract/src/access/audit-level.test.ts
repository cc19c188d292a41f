import { expect, test } from "vitest";
import { operations } from "../operation-list";
import { eventStreamOperation } from "../operations/events/event-stream";
import { auditLevelOf } from "./audit-level";

// What `MADANG_AUDIT=changes` records beside what is done in the console.
const recordedByDefault =
  /^(users(?!\.(devices|blocks))|keys|webhooks|privacy|filters|hooks)\.|^channels\.(setRetention|setSlowMode|freeze|bans\.|members\.(un)?mute)|^messages\.delete$|^reports\.resolve$/;

/** A signal is gone when it was sent, and a trial changes nothing. Tokens are made for every page that opens. */
const exceptions: Readonly<Record<string, string>> = {
  "signals.send": "never",
  "filters.try": "never",
  "users.createToken": "all",
};

test.each([...operations, eventStreamOperation])("$id is recorded from its setting on", (operation) => {
  const ofChange = recordedByDefault.test(operation.id) ? "changes" : "all";
  const level = exceptions[operation.id] ?? (operation.route.method === "GET" ? "reads" : ofChange);
  expect(auditLevelOf(operation)).toBe(level);
});
