import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The keys with which a stand-in checks what it gets. */
export const fcmKeys = generateKeyPairSync("rsa", { modulusLength: 2_048 });
export const apnsKeys = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** Settings with which all providers are set up. `tokenUri`: where tokens for Firebase Cloud Messaging are requested. */
export async function createPushSettings(
  tokenUri = "https://oauth2.example.com/token",
): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "madang-push-"));
  const export8 = (key: typeof fcmKeys.privateKey) => key.export({ type: "pkcs8", format: "pem" }).toString();
  const account = {
    type: "service_account",
    project_id: "chat-test",
    client_email: "push@chat-test.example.com",
    private_key: export8(fcmKeys.privateKey),
    token_uri: tokenUri,
  };
  await writeFile(join(folder, "fcm.json"), JSON.stringify(account));
  await writeFile(join(folder, "apns.p8"), export8(apnsKeys.privateKey));
  return {
    MADANG_PUSH_CONTACT: "mailto:operator@example.com",
    MADANG_FCM_CREDENTIALS: join(folder, "fcm.json"),
    MADANG_APNS_KEY: join(folder, "apns.p8"),
    MADANG_APNS_KEY_ID: "ABC123DEFG",
    MADANG_APNS_TEAM_ID: "TEAM123456",
  };
}
