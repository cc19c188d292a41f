import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { SettingError } from "../../../errors/service-error";
import { type AwsEnvironment, openCredentials } from "./aws-credentials";
import { createFolderStorage, type FolderDeps } from "./folder";
import { type Owner, requireMarker } from "./marker-store";
import { createS3Storage } from "./s3";
import type { Marker, Storage } from "./storage";

interface StorageOptions extends Omit<FolderDeps, "requireOwn"> {
  /** `MADANG_FILES`: `folder:PATH`, `s3://bucket/prefix` or `off`. */
  readonly setting: string;
  readonly environment: AwsEnvironment & {
    readonly AWS_REGION?: string | undefined;
    readonly AWS_ENDPOINT_URL_S3?: string | undefined;
    readonly AWS_ENDPOINT_URL?: string | undefined;
  };
  /** Whether files are stored or removed: then a folder must accept that. Otherwise it is only read. */
  readonly isWriting: boolean;
  readonly owner: Owner;
  /** Called when new credentials cannot be read. */
  readonly onError: (error: unknown) => void;
}

interface OpenStorage {
  /** Undefined: files are turned off. */
  readonly storage: Storage | undefined;
  close(): void;
}

export async function openStorage(options: StorageOptions): Promise<OpenStorage> {
  const { setting, environment, now, isWriting, owner, onError } = options;
  const close = () => undefined;
  const requireOwn = (marker: Marker) => requireMarker(marker, owner, setting);
  const [, folder] = /^folder:(.+)$/.exec(setting) ?? [];
  if (folder !== undefined) {
    if (isWriting) await requireWritable(resolve(folder));
    return { storage: createFolderStorage(resolve(folder), { ...options, requireOwn }), close };
  }
  const [, bucket, path = ""] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(setting) ?? [];
  if (bucket === undefined) return { storage: undefined, close };
  const credentials = await openCredentials(environment, onError);
  const storage = createS3Storage({
    bucket,
    prefix: path === "" || path.endsWith("/") ? path : `${path}/`,
    region: environment.AWS_REGION ?? "us-east-1",
    endpoint: environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL,
    credentials: credentials.current,
    now,
    requireOwn,
  });
  return { storage, close: credentials.close };
}

async function requireWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new SettingError(`MADANG_FILES names the folder ${folder}, which cannot be written: ${error}`);
  }
}
