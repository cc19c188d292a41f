import type { Socket } from "node:net";

/**
 * From now on, parses at most one packet per turn of the event loop, of all connections that this was called for. Node
 * parses all chunks of a packet at once, at a microsecond each: a packet of 64 kB may have 11,000. It would also parse
 * further packets in the same turn.
 */
export function readInTurns(socket: Socket): void {
  let isHeld = false;
  let isWanted = false;
  const hold = () => {
    if (isHeld) return;
    isHeld = true;
    // A socket that is paused already is resumed by what paused it.
    isWanted = !socket.isPaused();
    socket.pause();
    takeTurn(() => {
      isHeld = false;
      if (isWanted) socket.resume();
    });
  };
  socket.on("data", hold).on("resume", () => {
    if (!isHeld) return;
    isWanted = true;
    socket.pause();
  });
  hold();
}

/** What waits for its turn, of all connections. */
const waiting: (() => void)[] = [];

function takeTurn(step: () => void): void {
  if (waiting.push(step) === 1) setImmediate(runNext);
}

function runNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(runNext);
}
