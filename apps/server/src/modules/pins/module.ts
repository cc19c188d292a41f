import { pinHandlers } from "./handlers";

export const pins = { handlers: pinHandlers };
