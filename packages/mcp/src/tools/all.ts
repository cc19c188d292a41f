import type { Tool } from "../tool";
import * as messages from "./messages";
import * as moderation from "./moderation";
import * as operations from "./operations";
import * as people from "./people";

/** Tasks first: a model prefers what it reads first. */
export const tools: readonly Tool[] = [people, messages, moderation, operations].flatMap((each): Tool[] =>
  Object.values(each),
);
