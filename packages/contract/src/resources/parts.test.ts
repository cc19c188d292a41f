import { expect, test } from "vitest";
import type * as z from "zod";
import { newParts } from "./parts";
import { signalData } from "./signal";

test.each([
  ["9007199254740991", undefined],
  ["-9007199254740991", undefined],
  ["0.1", undefined],
  ["1.5e-300", undefined],
  ["9007199254740993", "1.rows.0.id"],
  ["-1064990775659729017", "1.rows.0.id"],
  ["1e400", "1.rows.0.id"],
])("a number that would come back as another one is rejected, with its place: %s", (number, place) => {
  const value = JSON.parse(`{"type":"table","rows":[{"id":${number}}]}`);
  const placeIn = (schema: z.ZodType, sent: unknown) =>
    schema.safeParse(sent).error?.issues[0]?.path.join(".");
  expect(placeIn(newParts, [{ type: "rule" }, value])).toBe(place);
  expect(placeIn(signalData, value)).toBe(place?.replace("1.", ""));
});
