import { moderationHandlers } from "./handlers";

export const moderation = { handlers: moderationHandlers };
