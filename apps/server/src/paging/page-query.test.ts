import { expect, test } from "vitest";
import { createCursors } from "./cursor";
import { openPageQuery } from "./page-query";

const cursors = createCursors(new Uint8Array(32).fill(7));

test("a cursor that another version of the service sealed in another shape is refused, not stumbled over", () => {
  for (const content of [{ name: "Kim", limit: 15, before: { createdAt: 1, pk: 1 } }, [], null, "next", 7]) {
    const next = cursors.seal("users", content);
    expect(() => openPageQuery(cursors, "users", { next }, 15)).toThrow("not made by this list");
  }
});
