/** Removes every secret from a text that a server or a custom `fetch` produced. */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) if (secret) clean = clean.replaceAll(secret, replaceSecret);
  return clean;
}

/** Shorter ones, as tests have them, also occur in words. */
const minLengthInWords = 8;

function replaceSecret(secret: string, index: number, text: string): string {
  const around = text.charAt(index - 1) + text.charAt(index + secret.length);
  return secret.length < minLengthInWords && /\w/.test(around) ? secret : "[secret]";
}

/**
 * A copy of an error with its name, message, stack, code and cause only: errors of HTTP libraries often contain the whole
 * request, headers included.
 */
export function copyCause(error: unknown, secrets: Iterable<string>, depth = 0): Error {
  const original = error instanceof Error ? error : new Error(String(error));
  const copy = new Error(redact(original.message, secrets));
  copy.name = original.name;
  copy.stack = redact(original.stack ?? "", secrets);
  if ("code" in original) Object.assign(copy, { code: redact(String(original.code), secrets) });
  if (original.cause !== undefined && depth < 4) copy.cause = copyCause(original.cause, secrets, depth + 1);
  return copy;
}
