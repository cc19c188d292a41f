export { listHistory } from "./fixtures";
export type { Interaction, Interactions, Key, Request, Response } from "./interaction";
export { listInteractions, requireAccepted } from "./interactions/all";
export * as placeholders from "./placeholders";
export { problem } from "./problem";
export { serverStateProblems, uncoveredCodes } from "./server-states";
export { volatileFields } from "./volatile";
export type { History, NewChannel, NewMessage, NewUser, World } from "./world";
export { requestTime, worldTime } from "./world";
