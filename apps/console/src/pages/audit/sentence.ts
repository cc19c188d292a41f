import type { AuditEntry } from "@madang/client";
import type { Texts } from "../../text/en";
import type { Language } from "../../text/language";
import { sentences } from "./sentences";

/** What an entry says, in a sentence with ids. An operation without a sentence is named. */
export function sentenceOf(
  entry: AuditEntry,
  language: Language,
  t: Pick<Texts, "aMessage" | "masterKey">,
): string {
  const { operation, actor, acting_user_id: actingId, key_id: keyId } = entry;
  const { user_id: userId, channel_id: channelId, message_id: messageId, subject = "" } = entry;
  const values: Readonly<Record<string, string>> = {
    who: actor ?? actingId ?? keyId ?? t.masterKey,
    user: userId ?? actingId ?? "",
    channel: channelId ?? subject,
    message: messageId === undefined ? "" : t.aMessage,
    subject,
  };
  const sentence = sentences[language][operation] ?? `{who}: ${operation}`;
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
