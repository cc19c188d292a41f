import { setTimeout as sleep } from "node:timers/promises";
import { contain } from "../../errors/contain";
import { clientClassFor } from "./client";
import { connectionStringFor } from "./connection-string";

interface Notifications {
  /** Resolves when the first connection receives notifications, or could not be opened, at the latest after a second. */
  readonly started: Promise<void>;
  close(): Promise<void>;
}

interface NotificationSettings {
  readonly url: string;
  /** What to do with the messages of each channel of PostgreSQL. */
  readonly onMessage: Readonly<Record<string, (payload: string) => void>>;
  /** Called when the connection is lost or cannot be opened. It is opened again after a second. */
  readonly onError: (error: Error) => void;
  /** Called when a message could not be handled. */
  readonly onInvalid: (error: unknown) => void;
}

const retryMs = 1_000;
/** How long opening the connection may take, on a busy machine too. */
const openMs = 5_000;
/** How long a start waits for it. */
const maxStartMs = 1_000;
const keepAliveMs = 10_000;

/**
 * Receives notifications (NOTIFY) on its own connection. Notifications that are sent while there is no connection are
 * lost, so they may only speed something up.
 */
export function receiveNotifications({
  url,
  onMessage,
  onError,
  onInvalid,
}: NotificationSettings): Notifications {
  const Client = clientClassFor(url);
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  let client: InstanceType<typeof Client>;

  const open = async () => {
    const opened = new Client({
      connectionString: connectionStringFor(url),
      application_name: "madang events",
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      connectionTimeoutMillis: openMs,
    });
    client = opened;
    let isLost = false;
    const lose = (error: Error) => {
      if (isLost || isClosed) return;
      isLost = true;
      onError(error);
      void opened.end().catch(() => undefined);
      retry = setTimeout(() => void open(), retryMs);
    };
    opened.on("error", lose);
    opened.on("end", () => lose(new Error("The database closed the connection for notifications.")));
    // Anything that may connect to the database can notify.
    opened.on("notification", ({ channel, payload }) =>
      contain(() => onMessage[channel]?.(payload ?? ""), onInvalid),
    );
    try {
      await opened.connect();
      const channels = Object.keys(onMessage).map((channel) => `LISTEN ${channel}`);
      await opened.query(channels.join("; "));
    } catch (error) {
      lose(error as Error);
    }
  };
  // A pooler may let the first statement wait.
  const started = Promise.race([open(), sleep(maxStartMs, undefined, { ref: false })]);

  return {
    started,
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await client.end().catch(() => undefined);
    },
  };
}
