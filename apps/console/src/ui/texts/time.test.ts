import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { RestrictionBadge } from "./restriction";
import { Time } from "./time";

// The service accepts it as the end of a mute, a ban and a suspension.
const latest = Number.MAX_SAFE_INTEGER;

test("a time that is later than any date is shown as the last date", () => {
  expect(renderToString(createElement(Time, { ms: latest }))).toContain("275760");
  expect(renderToString(createElement(Time, { ms: latest, format: "ago" }))).toContain("in ");
  expect(renderToString(createElement(RestrictionBadge, { label: "muted", until: latest }))).toMatch(
    /muted until \d/,
  );
});
