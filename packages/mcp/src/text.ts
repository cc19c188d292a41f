import type { Outcome } from "./result";

/** The response of a list, with its size and how to go on. */
export function describePage(response: unknown, name: string, hint: string): Outcome {
  const data: Record<string, unknown> = Array.isArray(response)
    ? { [name]: response }
    : { ...Object(response) };
  const entries = data[name];
  const count = Array.isArray(entries) ? entries.length : 0;
  const more =
    typeof data.next === "string" ? "There are more: call it again with `next` as cursor." : "These are all.";
  return { data, text: `${count} ${name}. ${more} ${hint}` };
}
