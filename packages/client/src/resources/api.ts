import type {
  ListenOptions,
  LiveListenOptions,
  ReceivedEvent,
  ReceivedLiveEvent,
} from "../events/listen-options";
import type { Upload } from "../files/upload";
import type { Call } from "../transport/call";

/** What the methods are built on. */
export interface Api {
  readonly call: Call;
  /** The same for requests within a list, a writer or an upload, which `chat.raw` leaves as they are. */
  readonly callWithin: Call;
  /** Sends the bytes of a file. */
  readonly upload: Upload;
  /** Receives events as they happen. */
  readonly listen: (
    options: ListenOptions | LiveListenOptions,
  ) => AsyncGenerator<ReceivedEvent | ReceivedLiveEvent, void, undefined>;
  /** Whether deletions are sent by their variants without a body. */
  readonly bodilessDeletes: boolean | undefined;
}
