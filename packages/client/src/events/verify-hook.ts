import type { Message, MessagePart } from "../generated/types";
import { verifySigned, type WebhookHeaders } from "./verify-webhook";

/** The request that a hook makes: a message as it would be stored. */
export interface HookRequest {
  /** The operation that is checked. At the end of a streamed message, `messages.finish`. */
  operation: "messages.send" | "messages.update" | "messages.finish";
  /** The channel. */
  channel_id: string;
  /** The message. Absent when it is new. */
  message_id?: string;
  /** The sender. */
  user_id: string;
  /** The text. Empty if there is none. */
  content: string;
  /** What a text cannot hold. */
  parts?: MessagePart[];
  /** Of a file message: the file. */
  file?: Extract<Message, { type: "file" }>["file"];
  /** The uploaded files: `chat.files.get` returns their addresses. */
  attachments?: { file_id: string }[];
  /** Its metadata. */
  meta?: Record<string, string>;
  /** The message to which it replies. */
  reply_to?: string;
  /** The mentioned users. */
  mentions?: string[];
}

/** The response of your server, as JSON with a status of 200. Fields that `replace` omits stay as they are. */
export type HookResponse =
  | { action: "accept" }
  | { action: "reject"; reason?: string }
  | { action: "replace"; content?: string; parts?: MessagePart[]; meta?: Record<string, string> };

/**
 * Verifies a request of a hook (Standard Webhooks 1.0) and returns it. Throws `WebhookVerificationError`.
 *
 * @param secret The secret of the hook, or several. For 24 hours after a rotation, requests are signed with the old and the new one.
 * @param headers The headers of the request.
 * @param body The body as it was received, not parsed.
 * @example const { content } = await verifyHook(secret, request.headers, await request.text());
 */
export async function verifyHook(
  secret: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
): Promise<HookRequest> {
  // The server has signed it: it is a request of a hook.
  return (await verifySigned(secret, headers, body)) as HookRequest;
}
