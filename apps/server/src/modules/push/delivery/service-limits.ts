import { providerServices } from "../device-secrets";

interface State {
  inFlight: number;
  max: number;
  /** Whether a push was ever accepted. */
  isProven: boolean;
}

/** A service for which pushes are due. */
export interface DueService {
  readonly service: string;
  /** Whether the last push of any process failed there. */
  readonly isFailing: boolean;
}

const maxPerService = 50;
const initialMax = 8;
/** All services together that have accepted nothing yet: anybody can register a device at a service that never responds. */
const maxUnproven = 100;
/** How many of these are kept for services that do not fail. */
const reservedForOthers = 50;
const maxServices = 10_000;
/** How many of these are of one user: its devices may name as many services as it wants, each of which is a new one. */
export const unprovenPerUser = 24;

/**
 * How many pushes of this process may be under way at each push service: more after each success, fewer after each failure. So a service
 * that is slow or dead takes no connections and memory from the others.
 */
export class ServiceLimits {
  readonly #services = new Map<string, State>();
  /** How many pushes of each user are under way at services that had accepted nothing. */
  readonly #unprovenOfUsers = new Map<number, number>();

  begin(service: string): void {
    this.#stateOf(service).inFlight += 1;
  }

  /** `isAccepted` is undefined if nothing was sent. */
  end(service: string, isAccepted: boolean | undefined): void {
    const state = this.#stateOf(service);
    state.inFlight -= 1;
    if (isAccepted === undefined) return;
    state.isProven ||= isAccepted;
    state.max = isAccepted ? Math.min(maxPerService, state.max * 2) : Math.max(1, Math.floor(state.max / 2));
  }

  /** Counts a push of a user until the returned function is called, if it goes to a service that has accepted nothing yet. */
  beginOf(userPk: number, service: string): () => void {
    if (this.#stateOf(service).isProven) return () => undefined;
    const countOf = () => this.#unprovenOfUsers.get(userPk) ?? 0;
    this.#unprovenOfUsers.set(userPk, countOf() + 1);
    return () => {
      if (countOf() > 1) this.#unprovenOfUsers.set(userPk, countOf() - 1);
      else this.#unprovenOfUsers.delete(userPk);
    };
  }

  /** The users who wait until one of their pushes has ended. */
  busyUsers(): number[] {
    return [...this.#unprovenOfUsers].flatMap(([userPk, count]) =>
      count >= unprovenPerUser ? [userPk] : [],
    );
  }

  /** How many pushes may begin at each of these services. Those that may get none are left out. */
  freeOf(services: readonly DueService[]): Map<string, number> {
    const free = new Map<string, number>();
    let unproven = maxUnproven;
    for (const { isProven, inFlight } of this.#services.values()) if (!isProven) unproven -= inFlight;
    const states = services.map((each) => ({ ...this.#stateOf(each.service, each.isFailing), ...each }));
    for (const { service, max, inFlight, isProven } of states.sort((one, other) => other.max - one.max)) {
      const shared = max < initialMax ? unproven - reservedForOthers : unproven;
      const count = isProven ? max - inFlight : Math.min(max - inFlight, shared);
      if (count <= 0) continue;
      if (!isProven) unproven -= count;
      free.set(service, count);
    }
    return free;
  }

  #stateOf(service: string, isFailing = false): State {
    const known = this.#services.get(service);
    if (known !== undefined) return known;
    if (this.#services.size >= maxServices)
      for (const [name, { inFlight }] of this.#services) if (inFlight === 0) this.#services.delete(name);
    // Only Web Push devices name their service, so these are known to be real.
    const isProven = !isFailing && providerServices.includes(service);
    const state = { inFlight: 0, max: isFailing ? 1 : initialMax, isProven };
    this.#services.set(service, state);
    return state;
  }
}
