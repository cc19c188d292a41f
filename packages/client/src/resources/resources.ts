import type { Api } from "../transport/call";
import { Audit } from "./audit";
import { Channels } from "./channels";
import { Events } from "./events";
import { Exports } from "./exports";
import { Files } from "./files";
import { Imports } from "./imports";
import { Keys } from "./keys";
import { Messages } from "./messages";
import { Privacy } from "./privacy";
import { Reports } from "./reports";
import { Signals } from "./signals";
import { Usage } from "./usage";
import { Users } from "./users";
import { Webhooks } from "./webhooks";

/** All methods of the service. */
export class Resources {
  /** Users and their metadata. */
  readonly users: Users;
  /** Group channels, their participants and managers. */
  readonly channels: Channels;
  /** Messages of a channel. */
  readonly messages: Messages;
  /** Changes of the data, as they are committed. */
  readonly events: Events;
  /** All messages of a channel, or those of some days. */
  readonly exports: Exports;
  /** Messages from elsewhere, with their own times. */
  readonly imports: Imports;
  /** Sub keys, for the master key only. */
  readonly keys: Keys;
  /** Webhooks, for the master key only. */
  readonly webhooks: Webhooks;
  /** Reports for moderators. */
  readonly reports: Reports;
  /** The files of messages. */
  readonly files: Files;
  /** What is stored nowhere: typing, presence, progress. */
  readonly signals: Signals;
  /** Who called what, when and why. */
  readonly audit: Audit;
  /** What is stored about a user, and its erasure. */
  readonly privacy: Privacy;
  /** How much the service is used. */
  readonly usage: Usage;

  /** @internal */
  constructor(api: Api) {
    this.users = new Users(api);
    this.channels = new Channels(api);
    this.messages = new Messages(api);
    this.events = new Events(api);
    this.exports = new Exports(api);
    this.imports = new Imports(api);
    this.keys = new Keys(api);
    this.webhooks = new Webhooks(api);
    this.reports = new Reports(api);
    this.files = new Files(api);
    this.signals = new Signals(api);
    this.audit = new Audit(api);
    this.privacy = new Privacy(api);
    this.usage = new Usage(api);
  }
}
