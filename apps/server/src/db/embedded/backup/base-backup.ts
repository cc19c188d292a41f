import { Readable } from "node:stream";
import type pg from "pg";
import { clientClassFor } from "../../client";

export interface BaseBackup {
  /** The files of the cluster as one tar archive, with its end. */
  readonly archive: AsyncIterable<Buffer>;
  /** PostgreSQL's list of these files with their checksums. Complete when the archive was read. */
  manifest(): Buffer;
}

/**
 * Takes a base backup over PostgreSQL's replication protocol. It contains the log that is needed to make it consistent,
 * so clients can write meanwhile.
 */
export async function takeBaseBackup<Result>(
  url: string,
  use: (backup: BaseBackup) => Promise<Result>,
): Promise<Result> {
  const Client = clientClassFor(url);
  const client = new Client({ connectionString: `${url}&replication=true`, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    // Keeps the log of the time of the backup. The slot ends with the connection.
    await client.query(
      `CREATE_REPLICATION_SLOT madang_backup_${process.pid} TEMPORARY PHYSICAL (RESERVE_WAL)`,
    );
    const query = client.query(new BaseBackupQuery());
    return await use({ archive: query.archive, manifest: () => Buffer.concat(query.manifest) });
  } finally {
    await client.end();
  }
}

const command =
  "BASE_BACKUP (LABEL 'madang', CHECKPOINT 'fast', WAL, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')";

/** What the first byte of a message says about the rest of it. */
const kinds = { data: "d", manifest: "m" };

/** The query as `pg` runs it: its client calls one method for each kind of response. */
class BaseBackupQuery implements pg.Submittable {
  readonly manifest: Buffer[] = [];
  readonly archive: Readable;
  #connection: pg.Connection | undefined;
  #isManifest = false;
  #hasFailed = false;

  constructor() {
    this.archive = new Readable({
      read: () => void this.#connection?.stream.resume(),
      // The reader gave up: PostgreSQL stops sending when the connection is closed.
      destroy: (error, done) => {
        if (!this.archive.readableEnded) this.#connection?.stream.destroy();
        done(error);
      },
    });
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    connection.query(command);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const kind = String.fromCharCode(chunk[0] ?? 0);
    if (kind === kinds.manifest) this.#isManifest = true;
    if (kind !== kinds.data) return;
    // A copy: the client uses the memory of a message again.
    const data = Buffer.from(chunk.subarray(1));
    if (this.#isManifest) this.manifest.push(data);
    else if (!this.archive.push(data)) this.#connection?.stream.pause();
  }

  handleError(error: Error): void {
    this.#hasFailed = true;
    this.archive.destroy(error);
  }

  handleReadyForQuery(): void {
    if (!this.#hasFailed) this.archive.push(null);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
}
