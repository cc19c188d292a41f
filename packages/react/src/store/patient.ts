/** The call waits for a service that cannot be reached: for 24 days, the longest time that the client accepts. */
export const patient = { maxDowntimeMs: 2 ** 31 - 1 } as const;
