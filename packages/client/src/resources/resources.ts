import { BaseResources } from "../generated/resources";
import type { Api } from "./api";
import { Channels } from "./channels";
import { Events } from "./events";
import { Exports } from "./exports";
import { Files } from "./files";
import { Messages } from "./messages";
import { Users } from "./users";

/** All methods of the service. */
export class Resources extends BaseResources {
  /** The users of the application. */
  readonly users: Users;
  /** Group channels, their participants and managers. */
  readonly channels: Channels;
  /** Messages of a channel. */
  readonly messages: Messages;
  /** Changes of the data, as they are committed. */
  readonly events: Events;
  /** All messages of a channel, or those of some days. */
  readonly exports: Exports;
  /** The files of messages. */
  readonly files: Files;

  /** @internal */
  constructor(api: Api) {
    super(api);
    this.users = new Users(api);
    this.channels = new Channels(api);
    this.messages = new Messages(api);
    this.events = new Events(api);
    this.exports = new Exports(api);
    this.files = new Files(api);
  }
}
