import { createPrivateKey, sign } from "node:crypto";
import * as z from "zod";
import { SettingError } from "../../../errors/service-error";
import { codeOf } from "../../../errors/thrown";
import { fit, type Notification, ttlSeconds } from "./notification";
import { type PushOutcome, readRetryAfter, resultOf } from "./outcome";

export interface FcmTarget {
  readonly provider: "fcm";
  readonly token: string;
}

export interface Fcm {
  send(
    target: FcmTarget,
    notification: Notification,
    isWanted?: () => Promise<boolean>,
  ): Promise<PushOutcome>;
}

interface FcmOptions {
  /** The content of the file of a service account. */
  readonly credentials: string;
  readonly now: () => number;
  readonly url?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

const serviceAccount = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  token_uri: z.url(),
});

const scope = "https://www.googleapis.com/auth/firebase.messaging";
const defaultUrl = "https://fcm.googleapis.com";
const defaultTimeoutMs = 15_000;
const maxPayloadBytes = 4_096;
/** Google asks for this wait after a 429 without `Retry-After`. */
const defaultRetryAfterMs = 60_000;
/** A token is replaced so long before it expires. */
const marginMs = 300_000;

/** Firebase Cloud Messaging, by its HTTP v1 API. Throws a `SettingError` if the credentials are none of a service account. */
export function createFcm({
  credentials,
  now,
  url = defaultUrl,
  timeoutMs = defaultTimeoutMs,
}: FcmOptions): Fcm {
  const account = readAccount(credentials);
  const address = `${url}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`;
  let current: { readonly token: string; readonly renewAt: number } | undefined;
  let requested: Promise<string> | undefined;

  const requestToken = async (): Promise<string> => {
    const issuedAt = Math.floor(now() / 1_000);
    const claims = {
      iss: account.client_email,
      scope,
      aud: account.token_uri,
      iat: issuedAt,
      exp: issuedAt + 3_600,
    };
    const response = await fetch(account.token_uri, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: signAssertion(account.key, claims),
      }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new TokenError(response.status);
    }
    const { access_token, expires_in } = tokenResponse.parse(await response.json());
    current = { token: access_token, renewAt: now() + expires_in * 1_000 - marginMs };
    return access_token;
  };
  const requireToken = async (): Promise<string> => {
    if (current !== undefined && now() < current.renewAt) return current.token;
    requested ??= requestToken().finally(() => {
      requested = undefined;
    });
    return requested;
  };

  const post = async (body: string, isWanted: (() => Promise<boolean>) | undefined) => {
    const token = await requireToken();
    if ((await isWanted?.()) === false) return undefined;
    const response = await fetch(address, {
      method: "POST",
      redirect: "manual",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status, headers } = response;
    const code = readErrorCode(await response.text());
    // The other 401 is about the Apple key that is stored at Google.
    const isTokenRevoked = status === 401 && code !== "THIRD_PARTY_AUTH_ERROR";
    if (isTokenRevoked && current?.token === token) current = undefined;
    return { status, code, retryAfter: headers.get("retry-after"), isTokenRevoked };
  };

  return {
    async send({ token }, notification, isWanted) {
      const startedAt = performance.now();
      const end = (outcome: Omit<PushOutcome, "durationMs">): PushOutcome => ({
        ...outcome,
        durationMs: Math.round(performance.now() - startedAt),
      });
      // The limit does not count the envelope, which has the token.
      const message = fit(notification, maxPayloadBytes - 512, toMessage);
      const body = `{"message":${message.slice(0, -1)},"token":${JSON.stringify(token)}}}`;
      try {
        let response = await post(body, isWanted);
        if (response?.isTokenRevoked) response = await post(body, isWanted);
        if (response === undefined) return end({ status: null, error: null, result: "unwanted" });
        const { status, code, retryAfter } = response;
        if (status === 200) return end({ status, error: null, result: "accepted" });
        return end({
          status,
          error: code ?? `HTTP ${status}`,
          result: code === "UNREGISTERED" ? "gone" : resultOf(status),
          retryAfterMs:
            readRetryAfter(retryAfter, now()) ?? (status === 429 ? defaultRetryAfterMs : undefined),
        });
      } catch (error) {
        return end({ status: null, error: describe(error), result: "failed" });
      }
    },
  };
}

function toMessage({ payload, topic }: Notification): object {
  const { title, body, ...data } = payload;
  const count = typeof payload.unread_count === "number" ? payload.unread_count : undefined;
  return {
    ...(title !== undefined && { notification: { title, ...(body !== undefined && { body }) } }),
    data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)])),
    android: {
      collapse_key: topic,
      ttl: `${ttlSeconds}s`,
      priority: "HIGH",
      ...(title !== undefined && { notification: { tag: topic } }),
    },
    apns: {
      headers: { "apns-collapse-id": topic },
      payload: { aps: { ...(count !== undefined && { badge: count }), sound: "default" } },
    },
  };
}

const tokenResponse = z.object({ access_token: z.string().min(1), expires_in: z.number().min(1) });

const errorResponse = z.object({
  error: z.object({
    status: z.string().optional(),
    details: z.array(z.object({ errorCode: z.string().optional() })).optional(),
  }),
});

/** The code of an error, such as `UNREGISTERED`. */
function readErrorCode(text: string): string | undefined {
  try {
    const { error } = errorResponse.parse(JSON.parse(text));
    const code = error.details?.find(({ errorCode }) => errorCode !== undefined)?.errorCode ?? error.status;
    return code !== undefined && /^[A-Z_]{1,64}$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

class TokenError extends Error {
  constructor(status: number) {
    super(`The token was not granted (HTTP ${status}).`);
  }
}

/** Without what the message of an error may quote. */
function describe(error: unknown): string {
  if (error instanceof TokenError) return error.message;
  if (error instanceof Error && error.name === "TimeoutError") return "There was no response.";
  const code = codeOf(Object(error).cause) ?? codeOf(error);
  return code === undefined ? "The connection failed." : `The connection failed (${code}).`;
}

function readAccount(credentials: string) {
  try {
    const account = serviceAccount.parse(JSON.parse(credentials));
    return { ...account, key: createPrivateKey(account.private_key) };
  } catch {
    throw new SettingError(
      "MADANG_FCM_CREDENTIALS must be the file of a service account, a JSON with project_id, client_email, private_key and token_uri.",
    );
  }
}

function signAssertion(key: ReturnType<typeof createPrivateKey>, claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const text = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}
