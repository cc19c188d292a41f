export type { Interaction, Interactions, Key, Request, Response } from "./interaction";
export { interactions, listInteractions, requireAccepted } from "./interactions/all";
export { listHistory } from "./messages";
export { refusal } from "./refusal";
export * as standIns from "./stand-ins";
export { exemptions, stateRefusals } from "./states";
export { volatileFields } from "./volatile";
export type { NewChannel, NewMessage, NewUser, World } from "./world";
export { requestTime, worldTime } from "./world";
