import { limits } from "@madang/contract/limits";

const { minLength, maxLength } = limits.userId;

/** What the id of a user or a channel looks like, for the `pattern` of an input. */
export const idPattern = `[a-z0-9_]{${minLength},${maxLength}}`;

const id = new RegExp(`^${idPattern}$`);

/** Whether a text can be the id of a user or a channel. */
export const isId = (text: string) => id.test(text);
