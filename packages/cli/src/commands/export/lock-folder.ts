import { constants, open, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { CommandError } from "../../terminal/exit-codes";

type Release = () => Promise<void>;

/**
 * Locks a folder until the lock is released or the process ends. The operating system holds the lock: a process that is
 * killed leaves none. Throws when another process has it.
 */
export async function lockFolder(folder: string, takenMessage: string): Promise<Release> {
  try {
    return await lock(folder);
  } catch (error) {
    if (["EADDRINUSE", "EAGAIN"].includes(Object(error).code)) throw new CommandError(takenMessage);
    // A system or a file system without such locks does not prevent the work.
    return async () => {};
  }
}

async function lock(folder: string): Promise<Release> {
  if (process.platform !== "linux" && process.platform !== "win32") return openExclusively(folder);
  const { dev, ino } = await stat(folder, { bigint: true });
  const name = `madang-export-${dev}-${ino}`;
  return listen(process.platform === "linux" ? `\0${name}` : `\\\\.\\pipe\\${name}`);
}

/** An abstract socket of Linux, or a named pipe of Windows: only one process can listen on a name. */
async function listen(name: string): Promise<Release> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => server.on("error", reject).listen(name, resolve));
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** `open` of macOS and BSD locks the file with this flag. Node has no name for it. */
const O_EXLOCK = 0x20;

async function openExclusively(folder: string): Promise<Release> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK;
  const file = await open(join(folder, "lock"), flags);
  return () => file.close();
}
