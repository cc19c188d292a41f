export { listHistory } from "./fixtures";
export type { Interaction, Interactions, Response } from "./interaction";
export { listInteractions, requireAccepted } from "./interactions/all";
export * as placeholders from "./placeholders";
export { problem } from "./problem";
export type { Key, Request } from "./request";
export { callerCodes, serverStateProblems, uncoveredCodes } from "./server-states";
export { isVolatile } from "./volatile";
export type {
  History,
  NewBlock,
  NewChannel,
  NewErasure,
  NewFile,
  NewMessage,
  NewReport,
  NewUser,
  NewWebhook,
  Settings,
  World,
} from "./world";
export { requestTime, worldTime } from "./world";
