import type { Io } from "./io";

/** One line on a terminal that is written again and again. Elsewhere, such as in a log, a new line now and then. */
export interface Progress {
  add(count: number): void;
  /** Adds what was done before: it counts for the share, and not for the rate. */
  resume(count: number): void;
  end(): void;
}

const intervalsMs = { terminal: 200, other: 10_000 };

export function startProgress({ stderr }: Io, unit: string, total: number | undefined): Progress {
  const isTerminal = stderr.isTTY === true;
  const startedAt = performance.now();
  let count = 0;
  let earlier = 0;
  const draw = () => {
    const seconds = (performance.now() - startedAt) / 1_000;
    const line = formatProgress({ unit, count, earlier, total, seconds });
    if (!isTerminal) return void stderr.write(`${line}\n`);
    stderr.write(`\r${line.slice(0, (stderr.columns || 80) - 1)}\u001b[K`);
    drawn.add(stderr);
  };
  const timer = setInterval(draw, isTerminal ? intervalsMs.terminal : intervalsMs.other);
  timer.unref();
  return {
    add(more) {
      count += more;
    },
    resume(more) {
      count += more;
      earlier += more;
    },
    end() {
      clearInterval(timer);
      clearProgress(stderr);
    },
  };
}

/** The streams whose last line shows the progress. */
const drawn = new WeakSet<Io["stderr"]>();

/** Removes the line of the progress, if there is one, so that a message can take its place. */
export function clearProgress(stderr: Io["stderr"]): void {
  if (drawn.delete(stderr)) stderr.write("\r\u001b[K");
}

interface State {
  readonly unit: string;
  readonly count: number;
  /** The part of `count` that was done before `seconds`. */
  readonly earlier: number;
  readonly total: number | undefined;
  readonly seconds: number;
}

const barWidth = 20;

export function formatProgress({ unit, count, earlier, total, seconds }: State): string {
  const rate = seconds > 0 ? (count - earlier) / seconds : 0;
  const facts = `${format(count)} ${unit}, ${format(rate)}/s`;
  if (total === undefined || total === 0) return facts;
  const share = Math.min(1, count / total);
  const done = Math.round(share * barWidth);
  const bar = `${"#".repeat(done)}${".".repeat(barWidth - done)}`;
  const left = rate > 0 ? `, ${formatSeconds((total - count) / rate)} left` : "";
  return `${bar} ${Math.floor(share * 100)} %  ${facts}${left}`;
}

const format = (value: number) => Math.round(value).toLocaleString("en-US");

function formatSeconds(value: number): string {
  const seconds = Math.max(0, Math.round(value));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
