import type { Addressed, Attachments } from "../../chat/attachments";
import type { Database } from "../../db/db";
import type { Storage } from "./storage/storage";
import { findFile, markReady } from "./store";

/** What handlers need to know about the storage of files. */
export interface Files extends Attachments {
  /** Undefined: files are turned off. */
  readonly storage: Storage | undefined;
  readonly maxBytes: number;
  /** Of all files that a user creates with tokens in a day. */
  readonly maxUserBytes: number;
  /** The address of the service, as the caller of a request knows it. */
  originOf(request?: Addressed): string;
}

interface Options {
  readonly db: Database;
  readonly storage: Storage | undefined;
  readonly maxBytes: number;
  readonly maxUserBytes: number;
  readonly publicUrl: string | undefined;
  /** The address on which the server listens, for events if there is no public one. */
  readonly listensOn: string;
}

export function createFiles({ db, storage, maxBytes, maxUserBytes, publicUrl, listensOn }: Options): Files {
  const originOf = (request?: Addressed) =>
    publicUrl ?? (request?.host ? `${request.protocol}://${request.host}` : listensOn);
  return {
    storage,
    maxBytes,
    maxUserBytes,
    originOf,
    addressesFor(request) {
      const origin = originOf(request);
      return (file) => storage?.downloadAddress(file, origin) ?? `${origin}/v1/files/${file.fileId}/content`;
    },
    async markArrived(fileIds) {
      for (const fileId of fileIds) {
        const file = await findFile(db, fileId);
        if (file?.status !== "waiting") continue;
        if ((await storage?.sizeOf(fileId)) === file.size) await markReady(db, file);
      }
    },
  };
}
