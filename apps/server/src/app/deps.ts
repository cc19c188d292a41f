import type { AuditSetting } from "@madang/contract";
import type { ChatDeps } from "../chat/deps";
import type { HttpDeps } from "../http/deps";
import type { CheckDeps } from "../modules/checks/handlers";
import type { EventDeps } from "../modules/events/handlers";
import type { FileDeps } from "../modules/files/handlers";
import type { FileAddresses } from "../modules/files/storage/addresses";
import type { HookDeps } from "../modules/hooks/handlers";
import type { PresenceDeps } from "../modules/presence/module";
import type { PushDeps } from "../modules/push/handlers";
import type { SignalDeps } from "../modules/signals/module";
import type { StreamingDeps } from "../modules/streaming/handlers";
import type { WebhookDeps } from "../modules/webhooks/handlers";

/** The dependencies of the middleware and of all handlers. */
export interface Deps
  extends HttpDeps,
    ChatDeps,
    CheckDeps,
    EventDeps,
    FileDeps,
    HookDeps,
    PresenceDeps,
    PushDeps,
    SignalDeps,
    StreamingDeps,
    WebhookDeps {
  /** Checks the addresses of files. */
  readonly fileAddresses: FileAddresses;
  readonly presence: PresenceDeps["presence"];
  /** What the audit log records. */
  readonly audit: AuditSetting;
}
