/** Only one line of a conversation may be opened by its key, so what is written is kept by it, too. */
const draftName = (userId: string | undefined, channelId: string) => `chat draft ${userId} ${channelId}`;

export const readDraft = (userId: string | undefined, channelId: string): string =>
  globalThis.localStorage?.getItem(draftName(userId, channelId)) ?? "";

export function writeDraft(userId: string | undefined, channelId: string, text: string): void {
  const name = draftName(userId, channelId);
  if (text.trim() === "") localStorage.removeItem(name);
  else localStorage.setItem(name, text);
}
