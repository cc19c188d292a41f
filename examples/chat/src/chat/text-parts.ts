/** A part of a text: a link, a mention, or words. */
export interface TextPart {
  readonly kind: "words" | "link" | "mention";
  readonly text: string;
}

/** A text in parts. `names` are those of the people whom it mentions. */
export function splitText(text: string, names: readonly string[]): TextPart[] {
  const mentions = names.map((name) => `@${name}`);
  const pattern = new RegExp(['https?://[^\\s<>"]+', ...mentions.map(escapePattern)].join("|"), "gu");
  const parts: TextPart[] = [];
  let end = 0;
  const add = (kind: TextPart["kind"], from: number, part: string) => {
    if (from > end) parts.push({ kind: "words", text: text.slice(end, from) });
    if (part !== "") parts.push({ kind, text: part });
    end = from + part.length;
  };
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (mentions.includes(found)) add("mention", index, found);
    else {
      // The punctuation of the sentence is not part of the address.
      const address = found.replace(/[.,;:!?'"]+$|\)+$/u, "");
      if (URL.canParse(address)) add("link", index, address);
    }
  }
  add("words", text.length, "");
  return parts;
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
