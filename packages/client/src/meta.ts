interface Entity {
  meta?: unknown;
  updated_at?: unknown;
  user?: unknown;
  members?: unknown;
}

/** Adds an empty `meta` to the users, channels and messages of a response that have none. */
export function fillMeta(data: object): void {
  const { users, channels, messages } = data as { users?: unknown; channels?: unknown; messages?: unknown };
  const list = Array.isArray(data) ? data : (users ?? channels ?? messages);
  if (Array.isArray(list)) for (const entry of list) fillEntity(entry);
  else fillEntity(data);
}

// A page can have a thousand entries: reading named properties is cheap, searching for them is not.
function fillEntity(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const entity: Entity = value;
  // Sub keys have neither `meta` nor `updated_at`.
  if (entity.meta === undefined || entity.meta === null)
    if (entity.updated_at !== undefined) entity.meta = {};
  const { user, members } = entity;
  if (user !== undefined) fillEntity(user);
  if (members !== undefined && Array.isArray(members)) for (const member of members) fillEntity(member);
}
