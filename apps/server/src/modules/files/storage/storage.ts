import { create } from "content-disposition";
import type { Request, Response } from "express";
import { ServiceError } from "../../../errors/service-error";

/** A file as its row describes it. */
export interface FileRow {
  readonly fileId: string;
  readonly channelId: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly status: "waiting" | "ready";
  readonly createdAt: number;
  readonly isAttached: boolean;
  /** For whom it was created. Null: for no user. */
  readonly userPk: number | null;
}

/** What an address of the bytes of a file depends on. */
type Named = Pick<FileRow, "fileId" | "name" | "type">;

interface UploadAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The file that says whose files a storage has: it contains the id of the database. */
export interface Marker {
  /** Undefined: there is none. */
  read(): Promise<string | undefined>;
  /** Creates it. If there is one already, it stays, unless it is to be replaced. */
  write(databaseId: string, isReplacing?: boolean): Promise<void>;
}

/** The name of the marker. */
export const markerName = "madang-database-id";

/** Where the bytes of files are kept. The table says which files there are. */
export interface Storage {
  /** An address that accepts the bytes of a file until a time. `origin` is the address of the service. */
  uploadAddress(
    file: Pick<FileRow, "fileId" | "type" | "size">,
    expiresAt: number,
    origin: string,
  ): UploadAddress;
  /** An address at which the bytes of a file can be read for one to two hours. */
  downloadAddress(file: Named, origin: string): string;
  /** How many bytes of a file have arrived. Undefined: not all of them. */
  sizeOf(fileId: string): Promise<number | undefined>;
  /** Removes the bytes of files, if there are any. */
  remove(fileIds: readonly string[]): Promise<void>;
  removeCutUploads(): Promise<void>;
  /** Everything that is stored, in the order of the ids. */
  list(): AsyncIterable<StoredBytes>;
  /**
   * Throws `storage_unavailable` unless this is the storage of the database. What writes or removes checks it by itself. The check
   * costs a millisecond.
   */
  requireOwn(): Promise<void>;
  readonly marker: Marker;
  /** The disk of the files, in bytes. Absent: they are not on a disk. */
  readonly measureDisk?: () => Promise<{ readonly freeBytes: number; readonly totalBytes: number }>;
  /** Present if the bytes pass through the service. */
  readonly transfer?: Transfer;
}

export interface StoredBytes {
  /** The id of the file, or the name of something that is no file. */
  readonly fileId: string;
  readonly size: number;
}

export interface Transfer {
  /** Stores the body of a request, which has exactly the size of the file. Returns false if the file has its bytes already. */
  receive(request: Request, file: FileRow): Promise<boolean>;
  /** Sends the bytes, or the range that the request asks for. */
  send(response: Response, fileId: string): Promise<void>;
}

/** What a request gets while the storage cannot be used. The log has the cause. */
export const storageUnavailable = (cause: unknown): ServiceError =>
  Object.assign(
    new ServiceError("storage_unavailable", "The storage of files is unavailable. Try again shortly."),
    { cause },
  );

/** How long an upload may begin after a file was created. */
export const uploadMs = 3_600_000;

/**
 * Until when an address that is made now can be read: one to two hours from now. It changes once an hour, so that browsers keep what
 * they have loaded.
 */
export const readableUntil = (now: number): number => (Math.floor(now / hourMs) + 2) * hourMs;

const hourMs = 3_600_000;
/** No address is valid for longer. */
export const maxLifetimeMs = 2 * hourMs;

export const dispositionOf = ({ name, type }: Pick<Named, "name" | "type">): string =>
  create(name, { type: shown.test(type) ? "inline" : "attachment" });

/** The types that a browser may show by itself. It saves everything else: a page or an SVG could contain scripts. */
const shown = /^(image\/(?!svg\+xml)|audio\/|video\/|application\/pdf(;|$))/i;
