/** Markup that needs no escaping. Only `html` and `prose` create it. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | readonly Html[];

/** A template whose values are escaped unless they are markup themselves. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(markup)));
}

export const nothing = new Html("");

/** Joins markup without line breaks. */
export function concat(parts: readonly Html[]): Html {
  return new Html(parts.map(({ text }) => text).join(""));
}

/** Text of the contract: escaped, with `backticks` as code. */
export function prose(text: string): Html {
  return new Html(escapeText(text).replace(/`([^`]+)`/g, "<code>$1</code>"));
}

function markup(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === "string" || typeof value === "number") return escapeText(String(value));
  return value.map(({ text }) => text).join("\n");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
