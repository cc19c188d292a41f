/** What a service pushes: the payload of a notification. Without texts, if the service leaves them out (`MADANG_PUSH_CONTENT`). */
export interface PushPayload {
  /** `message`, or `ping` for a test. */
  readonly type: string;
  readonly channel_id?: string;
  readonly channel_name?: string;
  readonly message_id?: string;
  readonly user_id?: string;
  readonly user_name?: string;
  readonly title?: string;
  readonly body?: string;
  /** In milliseconds since the Unix epoch. */
  readonly created_at?: number;
  /** The unread messages of the user, for the badge. */
  readonly unread_count?: number;
}

/** What differs from the defaults. */
export interface NotificationSettings {
  /** The title of a notification without texts. Default: `New message`. */
  readonly title?: string;
  /** The address of an icon. */
  readonly icon?: string;
  /** The address of a small icon of one color, for the status bar. */
  readonly badge?: string;
  /** Where a click on a notification leads. Default: the channel as the hash, `#room_1`, of the page of the service worker. */
  readonly urlOf?: (payload: PushPayload) => string;
}

/** A `push` event, as far as it is used. */
interface PushEventLike {
  readonly data: { json(): unknown } | null;
  waitUntil(work: Promise<unknown>): void;
}

/** A `notificationclick` event, as far as it is used. */
interface ClickEventLike {
  readonly notification: Notification;
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Shows a notification for a push: one for each channel, also when messages arrive in another order. Sets the badge of an installed page.
 *
 * @param event The event `push` of the service worker.
 * @param settings What differs from the defaults.
 * @example self.addEventListener("push", (event) => handlePush(event));
 */
export function handlePush(event: Event, settings: NotificationSettings = {}): void {
  // The types of pages have neither event.
  const push = event as unknown as PushEventLike;
  push.waitUntil(show(readPayload(push), settings));
}

/**
 * Opens the conversation of a notification that was clicked: in a window of the page that is open, or in a new one.
 *
 * @param event The event `notificationclick` of the service worker.
 * @param settings What differs from the defaults: `urlOf`.
 * @example self.addEventListener("notificationclick", (event) => handleClick(event));
 */
export function handleClick(event: Event, settings: NotificationSettings = {}): void {
  const click = event as unknown as ClickEventLike;
  click.notification.close();
  click.waitUntil(open(click.notification, settings));
}

/** The scope of a service worker, which the types of pages do not contain. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly WindowClientLike[]>;
    openWindow(url: string): Promise<unknown>;
  };
  readonly navigator: {
    setAppBadge?: (count: number) => Promise<void>;
    clearAppBadge?: () => Promise<void>;
  };
}

interface WindowClientLike {
  readonly url: string;
  focus(): Promise<WindowClientLike>;
  navigate(url: string): Promise<unknown>;
}

// This file runs in a service worker alone.
const scope = () => globalThis as unknown as WorkerScope;

function readPayload({ data }: PushEventLike): PushPayload {
  try {
    // Another sender could know the subscription, but not encrypt for it: the payload is that of the service.
    return (data?.json() ?? { type: "message" }) as PushPayload;
  } catch {
    return { type: "message" };
  }
}

async function show(payload: PushPayload, settings: NotificationSettings): Promise<void> {
  const { registration, navigator } = scope();
  const tag = payload.channel_id ?? payload.type;
  const shown = await registration.getNotifications({ tag });
  // A message that was repeated may arrive after a newer one of its channel. Browsers expect each push to show something.
  const newest = shown
    .map(({ data }) => data as PushPayload)
    .find(({ created_at: at = 0 }) => at > (payload.created_at ?? 0));
  const { title = settings.title ?? "New message", body } = newest ?? payload;
  await registration.showNotification(title, {
    tag,
    ...(body !== undefined && { body }),
    ...(settings.icon !== undefined && { icon: settings.icon }),
    ...(settings.badge !== undefined && { badge: settings.badge }),
    // A later message of the channel rings again. That of a message that is shown does not.
    ...(newest === undefined ? { renotify: true } : { silent: true }),
    data: newest ?? payload,
  } as NotificationOptions);
  if (payload.unread_count !== undefined)
    await (payload.unread_count > 0
      ? navigator.setAppBadge?.(payload.unread_count)
      : navigator.clearAppBadge?.());
}

async function open(notification: Notification, { urlOf }: NotificationSettings): Promise<void> {
  const { registration, clients } = scope();
  const payload: PushPayload = notification.data ?? { type: "message" };
  const path = urlOf?.(payload) ?? (payload.channel_id === undefined ? "" : `#${payload.channel_id}`);
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = windows.find((each) => each.url.startsWith(registration.scope));
  if (page === undefined) return void (await clients.openWindow(new URL(path, registration.scope).href));
  // With a hash, the page stays as it is.
  const url = new URL(path, page.url).href;
  // Some browsers refuse it; the page shows the conversation all the same.
  await page.focus().catch(() => undefined);
  // A page that the service worker does not control cannot be led elsewhere.
  await page.navigate(url).catch(() => clients.openWindow(url));
}
