import type { Module } from "../../chat/module";
import { searchHandlers } from "./handlers";
import { createIndexer } from "./indexer";

/*
 * How a search works. A search returns exactly what reading every message would find, newest first.
 *
 * - `signature.ts`: 32 consecutive messages of a channel are a block, whose signature says which grams it may contain.
 * - `indexer.ts`, with the statements of `index-store.ts`: a consumer of the feed of events, which signs blocks in the background.
 * - `changes-store.ts`: what was edited or imported after the position of that consumer, and may be missing in signatures.
 * - `store.ts`: a source finds ranges of messages before a position: blocks whose signature has every gram of the terms,
 *   changes, and what follows the newest block.
 * - `find.ts`: reads these ranges from new to old, and compares the texts with the terms (`match.ts`).
 */

export const search = {
  handlers: searchHandlers,
  // May be late, because searches read messages directly until they are indexed.
  consumers: ({ db }) => [{ name: "indexing messages for the search", consume: createIndexer(db) }],
} satisfies Module;
