import type { Preferences, PreferencesChange, UserChannel } from "@madang/client";
import { withChange, withPreferences } from "./preferences";

/** Of a channel, while changes are sent. */
interface Changing {
  /** As the service returned them last. */
  saved: Preferences | undefined;
  changes: readonly PreferencesChange[];
  sent: Promise<unknown>;
}

/** Changes of preferences until they are sent, one after the other in each channel. */
export class PreferenceChanges {
  readonly #channels = new Map<string, Changing>();

  get isEmpty(): boolean {
    return this.#channels.size === 0;
  }

  /** The line with the changes that are not sent yet. */
  apply<Line extends UserChannel>(line: Line) {
    const changing = this.#channels.get(line.channel_id);
    return changing ? withPreferences(line, changing.changes.reduce(withChange, changing.saved)) : line;
  }

  /** The service has returned the preferences of a channel. */
  noteSaved({ channel_id, preferences }: UserChannel): void {
    const changing = this.#channels.get(channel_id);
    if (changing !== undefined) changing.saved = preferences;
  }

  /** Sends a change. `show` shows the channel with the changes that remain: at once, and when it was sent. */
  async send(
    {
      channelId,
      saved,
      change,
    }: { channelId: string; saved: Preferences | undefined; change: PreferencesChange },
    request: () => Promise<unknown>,
    show: () => void,
  ): Promise<void> {
    const changing = this.#channels.get(channelId) ?? { saved, changes: [], sent: Promise.resolve() };
    this.#channels.set(channelId, changing);
    changing.sent = changing.sent.then(request, request);
    changing.changes = [...changing.changes, change];
    show();
    try {
      await changing.sent;
      changing.saved = withChange(changing.saved, change);
    } finally {
      changing.changes = changing.changes.filter((each) => each !== change);
      show();
      if (changing.changes.length === 0) this.#channels.delete(channelId);
    }
  }
}
