import { type Request, type RequestHandler, type Response, Router } from "express";
import type { Database } from "../../db/db";
import { invalidField, ServiceError } from "../../errors/service-error";
import { allowUpload, onBodyFault } from "../../http/hardening/body-faults";
import { nameOperation } from "../../http/locals";
import { whenClosed } from "../../http/response/when-closed";
import type { Resource } from "../../turns/resource";
import type { FileAddresses } from "./storage/addresses";
import { normalizeRange } from "./storage/range";
import { dispositionOf, type FileRow, type Transfer } from "./storage/storage";
import { findFile, isRevoked, markReady, rejectUnknownFile } from "./store";

interface Deps {
  readonly db: Database;
  readonly addresses: FileAddresses;
  /** Absent: the bytes do not pass through the service. */
  readonly transfer: Transfer | undefined;
  readonly uploads: Resource;
}

/** The addresses at which the bytes of files are sent and read, without a key. */
export function filesRouter(deps: Deps): Router {
  const path = "/v1/files/:file_id/content";
  return Router({ strict: true, caseSensitive: true })
    .put(path, nameOperation("files.upload"), upload(deps))
    .get(path, nameOperation("files.download"), download(deps));
}

/** How often a running upload is checked. */
const checkMs = 1_000;

function upload(deps: Deps): RequestHandler {
  /** The files whose bytes this process is receiving. */
  const running = new Set<string>();
  return async (request, response) => {
    const { file, transfer } = await requireAddressed(deps, "PUT", request);
    requireHeaders(request, file);
    if (file.status === "ready") throw uploadedAlready();
    if (await isRevoked(deps.db, file)) throw invalidAddress();
    if (running.has(file.fileId))
      throw new ServiceError(
        "file_in_use",
        "The bytes of this file are arriving already, by another upload.",
        // It may be a connection of the same client that was cut, which is noticed later.
        { retryAfterSeconds: 1 },
      );
    running.add(file.fileId);
    const endUnlessValid = async () => {
      const isOver = (await isRevoked(deps.db, file)) || (await findFile(deps.db, file.fileId)) === undefined;
      if (isOver) request.destroy(new Error("The file was deleted, or its user may not upload it any more."));
    };
    // While the database cannot be asked, the upload goes on.
    const checking = setInterval(() => void endUnlessValid().catch(() => undefined), checkMs);
    try {
      const hold = await deps.uploads.take();
      whenClosed(response, () => hold.release());
      await receive(file, transfer, request, response);
    } finally {
      clearInterval(checking);
      running.delete(file.fileId);
    }
  };

  async function receive(file: FileRow, transfer: Transfer, request: Request, response: Response) {
    if (request.headers.expect !== undefined) response.writeContinue();
    allowUpload(request);
    onBodyFault(request, (fault) => request.destroy(fault));
    const isFirst = await transfer.receive(request, file).catch((error: unknown) => {
      if (request.errored) throw invalidField("body", "", "It is incomplete.");
      // The response is sent while the client may still be sending.
      request.pause();
      throw error;
    });
    await markReady(deps.db, file);
    if (!isFirst) throw uploadedAlready();
    // A file that was deleted meanwhile.
    if ((await findFile(deps.db, file.fileId)) === undefined) return rejectUnknownFile(file.fileId);
    response.end();
  }
}

const invalidAddress = () =>
  new ServiceError(
    "file_not_found",
    "This address of a file is invalid or has expired. Get a new one from the message or the file.",
  );

const uploadedAlready = () =>
  new ServiceError(
    "file_in_use",
    "The bytes of this file have arrived already. Create another file for others.",
  );

/** A page that is shown from here has no rights: it runs no script, and belongs to no origin. */
const policy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox";

const download =
  (deps: Deps): RequestHandler =>
  async (request, response) => {
    const { file, transfer } = await requireAddressed(deps, "GET", request);
    if (file.status !== "ready") rejectUnknownFile(file.fileId);
    // Express would add a character set to some types.
    response.setHeader("Content-Type", file.type);
    response.set({
      "Content-Disposition": dispositionOf(file),
      "Content-Security-Policy": policy,
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "cross-origin",
      // The address ends within two hours, and its bytes never change.
      "Cache-Control": "private, max-age=3600, immutable",
    });
    response.removeHeader("X-Frame-Options");
    request.headers.range = normalizeRange(request.headers.range, file.size);
    await transfer.send(response, file.fileId);
  };

/** The file of a valid address. All other addresses are as if they did not exist. */
async function requireAddressed(
  { db, addresses, transfer }: Deps,
  method: "GET" | "PUT",
  request: Request,
): Promise<{ file: FileRow; transfer: Transfer }> {
  const { expires, signature } = request.query;
  const fileId = String(request.params.file_id);
  const isSigned = typeof expires === "string" && typeof signature === "string";
  if (transfer === undefined || !isSigned || !addresses.isValid(method, fileId, { expires, signature }))
    throw invalidAddress();
  return { file: (await findFile(db, fileId)) ?? rejectUnknownFile(fileId), transfer };
}

function requireHeaders({ headers }: Request, { size, type }: FileRow): void {
  if (headers["transfer-encoding"] !== undefined || headers["content-length"] !== String(size))
    throw invalidField("header", "content-length", `Must be ${size}, the size of the file.`);
  if (headers["content-type"] !== type)
    throw invalidField("header", "content-type", `Must be ${type}, the type of the file.`);
}
