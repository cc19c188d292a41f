/** Whether a text can be the id of a user or a channel. */
export const isId = (text: string) => /^[a-z0-9_]{4,80}$/.test(text);
