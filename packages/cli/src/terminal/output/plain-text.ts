// Control characters, and characters that change the direction of what follows.
const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A text as one line that a terminal only displays: what could move the cursor or change colours is escaped. */
export function toPlainText(text: string): string {
  return text
    .normalize("NFC")
    .replace(unprintable, (character) => (character === "\n" ? "\\n" : escapeCharacter(character)));
}

/** A value as one line of JSON. JSON itself allows some of these characters. */
export function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(unprintable, escapeCharacter)}\n`;
}

/** An argument of a command that users may copy to their shell. */
export function toArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
