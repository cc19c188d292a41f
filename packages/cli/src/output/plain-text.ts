// Control characters, and characters that change the direction of what follows.
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A text as one line that a terminal only displays: what could move the cursor or change colours is escaped. */
export function toPlainText(text: string): string {
  return text
    .normalize("NFC")
    .replace(unprintable, (character) => (character === "\n" ? "\\n" : escapeCharacter(character)));
}

/** A value as one line of JSON. JSON itself allows some control characters. */
export function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(/[\u007f-\u009f]/g, escapeCharacter)}\n`;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
