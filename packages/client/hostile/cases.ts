import type { Case } from "./bench";
import { answers } from "./cases/answers";
import { keys } from "./cases/keys";
import { lists } from "./cases/lists";
import { time } from "./cases/time";

/** Everything that the hostile server does, and what the SDK has to make of it. */
export const cases: readonly Case[] = [...lists, ...answers, ...time, ...keys];
