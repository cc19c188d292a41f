interface Entity {
  meta?: unknown;
  updated_at?: unknown;
  user?: unknown;
  members?: unknown;
}

/** An absent `meta` stands for an empty one: of users, channels and messages, wherever they are in an answer. */
export function fillMeta(answer: object): void {
  const { users, channels, messages } = answer as { users?: unknown; channels?: unknown; messages?: unknown };
  const list = Array.isArray(answer) ? answer : (users ?? channels ?? messages);
  if (Array.isArray(list)) for (const entry of list) fillEntity(entry);
  else fillEntity(answer);
}

// Pages have thousands of entries: named properties and no search among them cost next to nothing.
function fillEntity(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const entity: Entity = value;
  // Sub keys have neither.
  if (entity.meta === undefined || entity.meta === null)
    if (entity.updated_at !== undefined) entity.meta = {};
  const { user, members } = entity;
  if (user !== undefined) fillEntity(user);
  if (members !== undefined && Array.isArray(members)) for (const member of members) fillEntity(member);
}
