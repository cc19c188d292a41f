/** Values that exist only at run time. The test that replays an interaction replaces them. */

/** The `next` of the world's page. */
export const next = "<next>";
/** The same with one character changed. */
export const modifiedNext = "<next, modified>";
/** The same without its last character. */
export const truncatedNext = "<next, truncated>";
/** The `newer` of the world's page. */
export const newer = "<newer>";
/** The id of a message of the world: the first one that was stored has the number 1. It has the form of an id. */
export const message = (number: number) => `message-${number}`;
/** The first sub key of the world. */
export const subKey = "<sub key>";
/** The deleted sub key of the world. */
export const deletedSubKey = "<deleted sub key>";
/** The id of the first webhook of the world. It has the form of an id. */
export const webhook = "webhook-1";
/** The id of the first filter of the world. It has the form of an id. */
export const filter = "filter-1";
/** The id of the first hook of the world. It has the form of an id. */
export const hook = "hook-1";
/** The id of the first report of the world. It has the form of an id. */
export const report = "report-1";
/** The id of the first erasure of the world. It has the form of an id. */
export const erasure = "erasure-1";
/** The id of a file of the world: the first one has the number 1. It has the form of an id. */
export const file = (number: number) => `file-${number}`;
/** The master key inside a header value. */
export const masterKey = "<master key>";
