import type { Interaction, Interactions, Response } from "./interaction";
import { type Broken, invalid } from "./refusal";
import type { Request } from "./request";

/** The values on both sides of a rule, each under a name that completes the sentence. */
export interface Rule<Value> {
  readonly accepts: Readonly<Record<string, Value>>;
  readonly refuses: Readonly<Record<string, unknown>>;
}

/** Both sides of a rule at one place of one operation. */
export function rule<Value>(
  place: Broken["in"],
  path: string,
  { accepts, refuses }: Rule<Value>,
  take: (value: Value) => Interaction,
): Interactions {
  return {
    ...each(accepts, (name) => `accepts ${path} ${name}`, take),
    ...each(
      refuses,
      (name) => `refuses ${path} ${name}`,
      // What the types of an interaction forbid is just what the service must refuse.
      (value) => refused(take(value as Value), invalid(place, path)),
    ),
  };
}

/** One interaction for each value. */
export function each<Value>(
  values: Readonly<Record<string, Value>>,
  name: (key: string) => string,
  make: (value: Value) => Interaction,
): Interactions {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [name(key), make(value)]));
}

/** The request of an interaction with another answer. The world stays away: it may be one that cannot exist. */
export function refused({ request }: Interaction, response: Response): Interaction {
  return { ...(request && { request }), response };
}

/** An interaction with parts of its request changed. */
export function changed(
  interaction: Interaction,
  request: Request,
  response = interaction.response,
): Interaction {
  return { ...interaction, request: { ...interaction.request, ...request }, response };
}
