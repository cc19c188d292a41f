/** A sub key, a master key that the server created, or the token of a user. */
const prefixedKey = /\b([sm]k|ut)_[\w-]{20,}/gi;

/** A percent-encoded ASCII character, encoded once or several times. */
const encodedCharacter = /%(?:25)*([2-7][0-9a-f])/gi;

/** Removes API keys from a client's text before it is logged, however they are percent-encoded. */
export function createKeyMask(masterKeys: readonly string[]): (text: string) => string {
  return (text) => {
    const decoded = text.includes("%") ? decode(text) : text;
    const withoutMaster = masterKeys.reduce((rest, masterKey) => rest.replaceAll(masterKey, "…"), decoded);
    const masked = withoutMaster.replaceAll(prefixedKey, "$1_…");
    return masked === decoded ? text : masked;
  };
}

/** Three times, because the digits of an encoded character may be encoded themselves. */
function decode(text: string): string {
  const once = (encoded: string) =>
    encoded.replaceAll(encodedCharacter, (_match, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return once(once(once(text)));
}
