import { ValidationError } from "../errors/errors";
import type { Operation } from "../generated/types";

/** The ids in a query, where commas separate them: the service would take one that has a comma for several. */
export function joinIds(
  name: string,
  ids: readonly string[] | undefined,
  operation: Operation,
): string | undefined {
  if (ids?.some((id) => String(id).includes(","))) {
    const instead = name === "external_ids" ? " Ask for such a message by its `message_id`." : "";
    throw new ValidationError(name, `Must have no id with a comma.${instead}`, operation, "query");
  }
  return ids?.join();
}
