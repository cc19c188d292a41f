export { type HookRequest, type HookResponse, verifyHook } from "./events/verify-hook";
export {
  type DeliveredEvent,
  type PingEvent,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from "./events/verify-webhook";
