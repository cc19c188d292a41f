import { expect, test } from "vitest";
import { auditLevelOf } from "./audit-level";
import { eventStreamOperation } from "./event-stream";
import { operations } from "./operations";

// What `MADANG_AUDIT=changes` records beside what is done in the console.
const recordedByDefault = /^(users|keys|webhooks|privacy)\.|^channels\.setRetention$/;

test.each([...operations, eventStreamOperation])("$id is recorded from its setting on", (operation) => {
  const ofChange = recordedByDefault.test(operation.id) ? "changes" : "all";
  if (operation.id === "signals.send") expect(auditLevelOf(operation)).toBe("never");
  else expect(auditLevelOf(operation)).toBe(operation.route.method === "GET" ? "reads" : ofChange);
});
