import { isDeepStrictEqual } from "node:util";
import type { Answer, Model } from "../properties/model";
import type { Step } from "../properties/steps";

/** A step that was taken: when its request was sent, when the response was there, and what it was. */
export interface Event {
  readonly step: Step;
  readonly answer: Answer;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** A state that the model may have been in, after the changes that were made until then. */
interface Moment {
  readonly made: ReadonlySet<Event>;
  readonly model: Model;
}

/**
 * The events whose response was false throughout the request: at no moment of it, in no order of the changes that the
 * times allow, would the model have given it. `isChange` says which events changed something that others can notice.
 */
export function findFalse(
  start: Model,
  events: readonly Event[],
  isChange: (event: Event) => boolean,
): string[] {
  const changes = events.filter(isChange);
  const moments = listMoments({ made: new Set(), model: start }, changes);
  if (moments.length === 0) return ["no order of the changes explains their responses"];
  const others = events.filter((event) => !isChange(event));
  return others
    .filter((event) => !moments.some((moment) => mayBe(moment, event, changes) && explains(moment, event)))
    .map(({ step, answer }) => `${step.name}: ${answer.status} ${JSON.stringify(answer.seen)}`);
}

/** Every moment on the way to a state in which all changes are made. Empty when no order leads there. */
function listMoments(start: Moment, changes: readonly Event[]): Moment[] {
  const moments: Moment[] = [];
  const known = new Map<string, boolean>();
  const reachesEnd = (moment: Moment): boolean => {
    const { made, model } = moment;
    const key = `${changes.map((change) => (made.has(change) ? 1 : 0)).join("")} ${model.describe()}`;
    const isKnown = known.get(key);
    if (isKnown !== undefined) return isKnown;
    const left = changes.filter((change) => !made.has(change));
    const firstAnsweredAt = Math.min(...left.map(({ answeredAt }) => answeredAt));
    // One that was sent after another had been answered comes after it.
    const next = left
      .filter(({ sentAt }) => sentAt <= firstAnsweredAt)
      .map((change) => after(moment, change));
    const reached = next.map((each) => each !== undefined && reachesEnd(each));
    const isOnTheWay = left.length === 0 || reached.includes(true);
    known.set(key, isOnTheWay);
    if (isOnTheWay) moments.push(moment);
    return isOnTheWay;
  };
  reachesEnd(start);
  return moments;
}

/** The moment after one more change; none when the model would have responded to it otherwise. */
function after({ made, model }: Moment, change: Event): Moment | undefined {
  const changed = model.copy();
  const isExplained = isDeepStrictEqual(change.step.expected(changed), change.answer);
  return isExplained ? { made: new Set([...made, change]), model: changed } : undefined;
}

/** Whether the moment may lie between the request and its response. */
function mayBe({ made }: Moment, event: Event, changes: readonly Event[]): boolean {
  return changes.every((change) =>
    made.has(change) ? change.sentAt <= event.answeredAt : change.answeredAt >= event.sentAt,
  );
}

const explains = ({ model }: Moment, { step, answer }: Event) =>
  isDeepStrictEqual(step.expected(model.copy()), answer);
