import { ServiceError } from "../../errors/service-error";

export const notStreaming = (channelId: string, messageId: string) =>
  new ServiceError(
    "message_not_streaming",
    `The message ${JSON.stringify(messageId)} in the channel ${channelId} is not being written. It has ended, or was sent complete.`,
  );
