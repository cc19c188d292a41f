import { ValidationError } from "../errors/errors";
import { type BlobLike, type ByteStream, isByteStream, type Stream } from "../platform";

/** A file as the pickers of React Native and Expo return it. */
export interface PhoneFile {
  /** Where its bytes are, e.g. `file:///data/photo.jpg`. The `fetch` of the phone reads them. */
  readonly uri: string;
  /** The name of the file. */
  readonly name: string;
  /** The MIME type. Default: that of the bytes. */
  readonly type?: string | undefined;
  /** The size in bytes, if it is known. */
  readonly size?: number | undefined;
}

/**
 * The bytes of a file: a `Blob` or `File`, bytes such as a `Buffer`, a stream with `size`, the path of a file, or `{ uri, name, type }` on a
 * phone. In a page, a stream needs a browser and an address with HTTP/2: a `Blob` works everywhere.
 */
export type FileSource = BlobLike | Uint8Array | Stream | PhoneFile | string;

/** Bytes to upload, and what is known about them. */
export interface Source {
  readonly body: BlobLike | (Stream & ByteStream);
  readonly size: number;
  readonly name: string | undefined;
  readonly type: string | undefined;
}

/** Reads what a source says about itself. */
export async function openSource(source: FileSource, size: number | undefined): Promise<Source> {
  if (typeof source === "string") return openPath(source);
  // `fetch` rejects bytes in shared memory by itself.
  if (source instanceof Uint8Array)
    return {
      body: new Blob([source as Uint8Array<ArrayBuffer>]),
      size: source.byteLength,
      name: undefined,
      type: undefined,
    };
  if ("uri" in source) return openUri(source);
  if (isBlob(source))
    return { body: source, size: source.size, name: source.name, type: source.type || undefined };
  if (!isByteStream(source))
    throw new ValidationError(
      "file",
      "Must be a Blob, bytes, a ReadableStream, a path or `{ uri, name }`.",
      "files.create",
    );
  if (size === undefined)
    throw new ValidationError(
      "size",
      "Is missing. A stream does not say how many bytes it has.",
      "files.create",
    );
  return { body: source, size, name: undefined, type: undefined };
}

/** A `Blob` of React Native has no `stream`. */
const isBlob = (source: object): source is BlobLike => "size" in source && "slice" in source;

/** A `Blob` of a phone names the bytes, which are not loaded into the program. */
async function openUri({ uri, name, type }: PhoneFile): Promise<Source> {
  let body: BlobLike;
  try {
    body = await (await globalThis.fetch(uri)).blob();
  } catch (cause) {
    throw new ValidationError("file", `The file ${uri} cannot be read.`, "files.create", "option", cause);
  }
  return { body, size: body.size, name, type: type ?? (body.type || undefined) };
}

/** The part of Node's file system module that is used. */
interface FileSystem {
  openAsBlob?(path: string): Promise<BlobLike>;
}

/** Not imported, because browsers and bundlers for them do not have it. */
async function openPath(path: string): Promise<Source> {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): FileSystem } };
  const open = process?.getBuiltinModule?.("node:fs").openAsBlob;
  if (open === undefined)
    throw new ValidationError(
      "file",
      "Must be a Blob, bytes or a stream: there are no paths here.",
      "files.create",
    );
  const blob = await openBlob(open, path);
  return { body: blob, size: blob.size, name: path.split(/[/\\]/).at(-1), type: undefined };
}

async function openBlob(open: (path: string) => Promise<BlobLike>, path: string): Promise<BlobLike> {
  try {
    return await open(path);
  } catch (cause) {
    throw new ValidationError("file", `The file ${path} cannot be read.`, "files.create", "option", cause);
  }
}
