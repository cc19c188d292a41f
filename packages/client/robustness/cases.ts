import type { Case } from "./bench";
import { keys } from "./cases/keys";
import { lists } from "./cases/lists";
import { responses } from "./cases/responses";
import { time } from "./cases/time";
import { webhooks } from "./cases/webhooks";

/** Everything that the faulty server does, and how the SDK must react. */
export const cases: readonly Case[] = [...lists, ...responses, ...time, ...keys, ...webhooks];
