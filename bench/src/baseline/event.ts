/** A statement that stores an event for each row of `from`, as each change of the server does. */
export function insertEvent(type: string, about: Readonly<Record<string, string>>, from: string): string {
  return `INSERT INTO events (type, ${Object.keys(about).join(", ")})
    SELECT '${type}', ${Object.values(about).join(", ")} FROM ${from}`;
}
