import { ValidationError } from "../errors/errors";
import type { OnProgress } from "../files/byte-fetch";
import { type FileSource, openSource } from "../files/source";
import { BaseFiles } from "../generated/resources";
import type { StoredFile } from "../generated/types";
import type { CallOptions } from "../options";
import type { Api } from "./api";

/** What an upload says about its file. */
export interface UploadOptions extends CallOptions {
  /** Who will send it. Absent: any sender of the channel can send it, and system messages can have it. */
  user_id?: string | undefined;
  /** The name of the file. Default: that of a `File` or of a path. */
  name?: string | undefined;
  /** The MIME type. Default: that of a `Blob`, otherwise `application/octet-stream`. */
  type?: string | undefined;
  /** The size in bytes, for a stream. */
  size?: number | undefined;
  /** Called with the number of bytes sent so far, after each part. It starts again with each attempt. */
  onProgress?: OnProgress | undefined;
}

/** `chat.files` */
export class Files extends BaseFiles {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    super(api);
    this.#api = api;
  }

  /**
   * Uploads a file for a message of a channel, and returns it: `messages.send` takes its `file_id` in `attachments`. An upload that
   * fails is sent again, unless it comes from a stream. A file that no message has after a day is deleted.
   *
   * Throws `BadRequestError` for a file that is too large, `PermissionError` when the user may not send to the channel,
   * `NotFoundError` when the channel or the user does not exist, `ConflictError` when the service stores no files.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param file A `Blob` or `File`, bytes such as a `Buffer`, a stream with `size`, the path of a file, or `{ uri, name, type }` on a phone.
   * @param options Who will send it, its name and type, progress, timeouts, retries and signal.
   * @example const { file_id } = await chat.files.upload("room_1", "menu.png", { user_id: "kim_01", type: "image/png" });
   */
  async upload(channelId: string, file: FileSource, options: UploadOptions = {}): Promise<StoredFile> {
    const file_id = await uploadFile(this.#api, channelId, file, options);
    return this.#api.call("files.get", { path: { file_id } }, attemptOptionsOf(options));
  }
}

/** Uploads a file and returns its id. */
export async function uploadFile(
  api: Api,
  channelId: string,
  file: FileSource,
  options: UploadOptions,
): Promise<string> {
  const { user_id, name, type, size, onProgress, ...callOptions } = options;
  const source = await openSource(file, size);
  const fileName = name ?? source.name;
  if (fileName === undefined)
    throw new ValidationError("name", "Is missing. The source has no name of its own.", "files.create");
  const body = {
    channel_id: channelId,
    ...(user_id !== undefined && { user_id }),
    name: fileName,
    type: type ?? source.type ?? "application/octet-stream",
    size: source.size,
  };
  const attemptOptions = attemptOptionsOf(options);
  const isStored = async (file_id: string) =>
    (await api.callWithin("files.get", { path: { file_id } }, attemptOptions)).status === "ready";
  let { file_id, upload } = await api.callWithin("files.create", { body }, callOptions);
  const { idempotencyKey } = callOptions;
  // An earlier call with the same idempotency key has created the file, and its address accepts nothing any more. Another call may have
  // created one in its place. By a clock that is ahead, all of them have ended.
  for (let renewal = 1; idempotencyKey && renewal <= 3 && upload.expires_at <= Date.now(); renewal++) {
    if (await isStored(file_id)) return file_id;
    const keyed = { ...attemptOptions, idempotencyKey: `${renewal}-${idempotencyKey.slice(-250)}` };
    ({ file_id, upload } = await api.callWithin("files.create", { body }, keyed));
  }
  try {
    await api.upload(upload, source, attemptOptions, onProgress);
  } catch (error) {
    // An attempt whose response was lost, or an earlier call, has stored the bytes.
    if (!(await isStored(file_id))) throw error;
  }
  return file_id;
}

/** The options of the other requests of an upload: the idempotency key is that of its first one. */
function attemptOptionsOf({
  user_id,
  name,
  type,
  size,
  onProgress,
  idempotencyKey,
  ...options
}: UploadOptions) {
  return options;
}
