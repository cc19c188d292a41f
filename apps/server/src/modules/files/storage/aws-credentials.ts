import { readFile } from "node:fs/promises";
import { SettingError } from "../../../errors/service-error";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface AwsEnvironment {
  readonly AWS_ACCESS_KEY_ID?: string | undefined;
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined;
  readonly AWS_SESSION_TOKEN?: string | undefined;
  readonly AWS_CONTAINER_CREDENTIALS_RELATIVE_URI?: string | undefined;
  readonly AWS_CONTAINER_CREDENTIALS_FULL_URI?: string | undefined;
  readonly AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE?: string | undefined;
}

/** Where containers on Amazon ECS find their credentials. On EKS, a variable has the whole address. */
const containerHost = "http://169.254.170.2";
/** Credentials of containers are replaced hours before they expire. */
const refreshMs = 600_000;

/**
 * The credentials in the environment, or those of the role of the container, which are read again regularly. The returned function
 * has the current ones.
 */
export async function openCredentials(
  environment: AwsEnvironment,
  onError: (error: unknown) => void,
): Promise<{ readonly current: () => Credentials; close(): void }> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    const { AWS_SESSION_TOKEN: sessionToken } = environment;
    const fixed = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
    return { current: () => fixed, close: () => undefined };
  }
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } =
    environment;
  const url = full ?? (path && containerHost + path);
  if (url === undefined)
    throw new SettingError(
      "MADANG_FILES names a bucket, but there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the container a role.",
    );
  const read = () => readContainerCredentials(url, environment.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE);
  let credentials = await read();
  const refresh = async () => {
    try {
      credentials = await read();
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(refresh, refreshMs);
  timer.unref();
  return { current: () => credentials, close: () => clearInterval(timer) };
}

async function readContainerCredentials(url: string, tokenFile: string | undefined): Promise<Credentials> {
  const headers = tokenFile && { authorization: (await readFile(tokenFile, "utf8")).trim() };
  const response = await fetch(url, { ...(headers && { headers }), signal: AbortSignal.timeout(5_000) });
  const { AccessKeyId, SecretAccessKey, Token } = Object(await response.json());
  if (typeof AccessKeyId !== "string" || typeof SecretAccessKey !== "string")
    throw new Error(`The container has no credentials of Amazon: ${url} responded with ${response.status}.`);
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    ...(Token && { sessionToken: Token }),
  };
}
