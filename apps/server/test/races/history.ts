import { isDeepStrictEqual } from "node:util";
import type { Model, ModelResponse } from "../properties/model";
import type { Step } from "../properties/steps";

/** A step with its response, the time of sending and the time of receiving. */
export interface Event {
  readonly step: Step;
  readonly response: ModelResponse;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** A possible state of the model after some of the changes. */
interface State {
  readonly applied: ReadonlySet<Event>;
  readonly model: Model;
}

/**
 * Returns the events that no order of the changes explains: in no possible state between the request and its response
 * would the model have responded in this way. `isChange` selects the events that change the state for others.
 */
export function findUnexplained(
  start: Model,
  events: readonly Event[],
  isChange: (event: Event) => boolean,
): string[] {
  const changes = events.filter(isChange);
  const states = listStates({ applied: new Set(), model: start }, changes);
  if (states.length === 0) return ["no order of the changes explains their responses"];
  const others = events.filter((event) => !isChange(event));
  return others
    .filter((event) => !states.some((state) => isPossible(state, event, changes) && explains(state, event)))
    .map(({ step, response }) => `${step.name}: ${response.status} ${JSON.stringify(response.body)}`);
}

/** Every state on a path to one in which all changes are applied. Empty if no order explains the changes. */
function listStates(start: State, changes: readonly Event[]): State[] {
  const states: State[] = [];
  const known = new Map<string, boolean>();
  const reachesEnd = (state: State): boolean => {
    const { applied, model } = state;
    const key = `${changes.map((change) => (applied.has(change) ? 1 : 0)).join("")} ${model.describe()}`;
    const isKnown = known.get(key);
    if (isKnown !== undefined) return isKnown;
    const left = changes.filter((change) => !applied.has(change));
    const firstReceivedAt = Math.min(...left.map(({ receivedAt }) => receivedAt));
    // A change that was sent after the response to another one comes after it.
    const next = left.filter(({ sentAt }) => sentAt <= firstReceivedAt).map((change) => apply(state, change));
    const reached = next.map((each) => each !== undefined && reachesEnd(each));
    const isOnPath = left.length === 0 || reached.includes(true);
    known.set(key, isOnPath);
    if (isOnPath) states.push(state);
    return isOnPath;
  };
  reachesEnd(start);
  return states;
}

/** The state after one more change. Undefined if the model responds differently. */
function apply({ applied, model }: State, change: Event): State | undefined {
  const changed = model.copy();
  const isExplained = isDeepStrictEqual(change.step.expected(changed), change.response);
  return isExplained ? { applied: new Set([...applied, change]), model: changed } : undefined;
}

/** Whether the state may have existed between the request and its response. */
function isPossible({ applied }: State, event: Event, changes: readonly Event[]): boolean {
  return changes.every((change) =>
    applied.has(change) ? change.sentAt <= event.receivedAt : change.receivedAt >= event.sentAt,
  );
}

const explains = ({ model }: State, { step, response }: Event) =>
  isDeepStrictEqual(step.expected(model.copy()), response);
