import aws4 from "aws4";
import type { Credentials } from "./aws-credentials";
import {
  dispositionOf,
  type Marker,
  markerName,
  readableUntil,
  type Storage,
  type StoredBytes,
  storageUnavailable,
  uploadMs,
} from "./storage";

interface S3Options {
  readonly bucket: string;
  /** What all keys begin with, such as `chat/`. May be empty. */
  readonly prefix: string;
  readonly region: string;
  /** The address of another store than that of Amazon. */
  readonly endpoint: string | undefined;
  readonly credentials: () => Credentials;
  readonly now: () => number;
  /** Throws unless this is the storage of the database. */
  readonly requireOwn: (marker: Marker) => Promise<void>;
}

interface SignedRequest {
  readonly method: string;
  /** Absent: the bucket itself. */
  readonly fileId?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly from: number;
  readonly until: number;
}

const requestMs = 60_000;
const timeoutMs = 10_000;
const removalsAtOnce = 10;
/** How long the marker of the bucket counts as found. */
const ownMs = 60_000;

/**
 * Files in a bucket of Amazon S3 or of a store that is compatible with it. Clients send and read the bytes there, at signed
 * addresses; the service asks for sizes, deletes and lists, at such addresses too.
 */
export function createS3Storage(options: S3Options): Storage {
  const { bucket, prefix, now } = options;
  const sign = createSigner(options);
  const call = async (request: Omit<SignedRequest, "from" | "until">, body?: string) => {
    const at = now();
    const url = sign({ ...request, from: at, until: at + requestMs });
    const response = await fetch(url, {
      method: request.method,
      ...(request.headers !== undefined && { headers: { ...request.headers } }),
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw storageUnavailable(cause);
    });
    // 412: another process was faster.
    if (response.ok || response.status === 404 || response.status === 412) return response;
    const detail = (await response.text()).slice(0, 500);
    throw storageUnavailable(
      new Error(`${request.method} in the bucket ${bucket} failed with ${response.status}: ${detail}`),
    );
  };
  const marker: Marker = {
    async read() {
      const response = await call({ method: "GET", fileId: markerName });
      const text = await response.text();
      return response.ok ? text.trim() : undefined;
    },
    async write(databaseId, isReplacing = false) {
      const headers = { "content-type": "text/plain", ...(!isReplacing && { "if-none-match": "*" }) };
      await (await call({ method: "PUT", fileId: markerName, headers }, `${databaseId}\n`)).body?.cancel();
    },
  };
  let isOwnUntil = 0;
  const requireOwn = async () => {
    if (performance.now() < isOwnUntil) return;
    await options.requireOwn(marker);
    isOwnUntil = performance.now() + ownMs;
  };
  return {
    marker,
    requireOwn,
    uploadAddress({ fileId, type, size }, expiresAt) {
      const headers = { "content-type": type, "if-none-match": "*" };
      const signed = { ...headers, "content-length": String(size) };
      // Also if the request is repeated later.
      const from = expiresAt - uploadMs;
      const url = sign({ method: "PUT", fileId, headers: signed, from, until: expiresAt });
      return { url, headers };
    },
    downloadAddress(file) {
      const until = readableUntil(now());
      return sign({
        method: "GET",
        fileId: file.fileId,
        query: {
          "response-content-type": file.type,
          "response-content-disposition": dispositionOf(file),
          "response-cache-control": "private, max-age=3600, immutable",
        },
        // The same address for an hour.
        from: until - 2 * 3_600_000,
        until,
      });
    },
    async sizeOf(fileId) {
      const response = await call({ method: "HEAD", fileId });
      if (response.ok) return Number(response.headers.get("content-length"));
      await requireOwn();
      return undefined;
    },
    async remove(fileIds) {
      await requireOwn();
      for (let index = 0; index < fileIds.length; index += removalsAtOnce)
        await Promise.all(
          fileIds
            .slice(index, index + removalsAtOnce)
            .map(async (fileId) => (await call({ method: "DELETE", fileId })).body?.cancel()),
        );
    },
    // The store removes what was cut.
    removeCutUploads: async () => undefined,
    async *list(): AsyncGenerator<StoredBytes> {
      let token: string | undefined;
      do {
        const query = {
          "list-type": "2",
          prefix,
          ...(token !== undefined && { "continuation-token": token }),
        };
        const page = await (await call({ method: "GET", query })).text();
        for (const [, entry = ""] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
          if (textOf(entry, "Key") !== prefix + markerName)
            yield { fileId: textOf(entry, "Key").slice(prefix.length), size: Number(textOf(entry, "Size")) };
        token = textOf(page, "NextContinuationToken") || undefined;
      } while (token !== undefined);
    },
  };
}

/** The text of an element of a list of objects. Keys of files and tokens contain nothing that XML escapes, apart from `&`. */
function textOf(xml: string, name: string): string {
  const [, text = ""] = new RegExp(`<${name}>(.*?)</${name}>`, "s").exec(xml) ?? [];
  return text.replaceAll("&amp;", "&");
}

/** Returns a function that makes presigned URLs (AWS Signature Version 4). */
function createSigner({ bucket, prefix, region, endpoint, credentials }: S3Options) {
  // A bucket with a dot is no name that the certificate of Amazon covers. Other stores may not know names of buckets at all.
  const isNamed = endpoint === undefined && !bucket.includes(".");
  const ownHost = `s3.${region}.amazonaws.com`;
  const base = new URL(endpoint ?? `https://${isNamed ? `${bucket}.` : ""}${ownHost}`);
  const root = base.pathname.replace(/\/$/, "") + (isNamed ? "" : `/${bucket}`);
  return ({ method, fileId, query = {}, headers = {}, from, until }: SignedRequest): string => {
    const path = fileId === undefined ? root || "/" : `${root}/${prefix}${fileId}`;
    const parameters = new URLSearchParams({
      ...query,
      "X-Amz-Date": new Date(from).toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
      "X-Amz-Expires": String(Math.max(1, Math.floor((until - from) / 1_000))),
    });
    // A `+` would be a plus, and not a space.
    const search = parameters.toString().replaceAll("+", "%20");
    const signed = aws4.sign(
      {
        service: "s3",
        region,
        method,
        host: base.host,
        path: `${path}?${search}`,
        headers: { ...headers },
        signQuery: true,
      },
      { ...credentials() },
    );
    return `${base.protocol}//${base.host}${signed.path}`;
  };
}
