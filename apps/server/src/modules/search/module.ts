import type { ChatDeps } from "../../chat/deps";
import type { Module } from "../../chat/module";
import { searchHandlers } from "./handlers";
import { createIndexer } from "./indexer";

export const search = {
  handlers: (deps: ChatDeps) => {
    // Once, so that its limit holds for the searches of all operations.
    const { messages, searchMessages, search, searchAll } = searchHandlers(deps);
    return { users: { messages, searchMessages }, messages: { search, searchAll } };
  },
  // May be late, because searches read messages directly until they are indexed.
  consumers: ({ db }) => [{ name: "indexing messages for the search", consume: createIndexer(db) }],
} satisfies Module;
