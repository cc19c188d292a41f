/** Takes every secret out of a text, should a server or a custom `fetch` repeat one. */
export function redact(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const secret of secrets) if (secret) clean = clean.replaceAll(secret, "[secret]");
  return clean;
}

/**
 * A copy of an error that carries name, message, code and cause and nothing else: errors of HTTP libraries
 * often hold the whole request, headers included.
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
