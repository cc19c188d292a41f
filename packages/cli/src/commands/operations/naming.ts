import type { FieldData, OperationData } from "./operation";

/** `profile_url` is the option `--profile-url`; `deleteKey` the command `delete-key`. */
export function optionName(name: string): string {
  return name.replaceAll("_", "-");
}

export function commandName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A body field that is an argument: an id, or the only field when it is required. */
export function isPositional({ body }: OperationData, field: FieldData): boolean {
  const { name, kind, required, secret } = field;
  if (field.isOptionalArgument) return true;
  if (!required || secret || kind === "object" || kind === "json" || kind === "map") return false;
  return name.endsWith("_id") || body.length === 1;
}

/** The name under which the parser keeps `--profile-url`. */
export function attributeName(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Whether an operation deletes what cannot be restored: it asks before, or takes `--yes`. */
export function isDeletion({ id, method }: OperationData): boolean {
  return method === "DELETE" || id === "privacy.erase";
}

/** Whether the operation gives a user or channel its id. */
export function isCreation({ id }: OperationData): boolean {
  return id === "users.create" || id === "channels.create";
}

/** Whether the SDK fetches page after page. */
export function isPaged({ query }: OperationData): boolean {
  return query.some(({ name }) => name === "next");
}
