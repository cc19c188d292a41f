/** Stand for what exists only when an interaction is replayed. A half that knows the real value puts it in. */

/** The `next` of the world's page. */
export const earlierNext = "<next>";
/** The same with one character changed. */
export const changedNext = "<next, changed>";
/** The same without its last character. */
export const cutNext = "<next, cut>";
/** A sub key of the world. */
export const existingSubKey = "<sub key>";
/** One that was deleted. */
export const deletedSubKey = "<deleted sub key>";
/** The master key, where it stands inside a header. */
export const masterKey = "<master key>";
