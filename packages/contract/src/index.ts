export { auditEntry } from "./audit";
export { auditHeaders } from "./audit-headers";
export { type AuditSetting, auditedOperations, auditLevelOf, auditSettings, isAudited } from "./audit-level";
export { channel } from "./channel";
export { contract } from "./contract";
export { describeIssue } from "./describe-issue";
export { errorHelp } from "./error-help";
export type { ErrorCode, InvalidField } from "./errors";
export { errorCodes, errors, problem } from "./errors";
export { type ChatEvent, type EventRule, type EventType, event, eventRules, eventTypes } from "./event";
export { eventStream, eventStreamOperation } from "./event-stream";
export { type ExampleCall, ExampleTour, exampleCall, exampleOrder, sdkArguments } from "./examples/calls";
export { channelId, erasedUserId, futureTimeRule, messageId, userId } from "./fields";
export { idHint, idPattern, isId, limits } from "./limits";
export { type LiveEvent, type LiveEventType, liveEventTypes } from "./live-event";
export { memberEntry } from "./members";
export { textRule } from "./message";
export { openApiDocument } from "./openapi/document";
export {
  type OperationWithSchemas,
  operationsWithSchemas,
  resolveSchema,
} from "./openapi/operations-with-schemas";
export type {
  MediaType,
  OpenApiDocument,
  OperationObject,
  Parameter,
  ResponseObject,
  Schema,
} from "./openapi/shape";
export { type UserRight, userRights } from "./operation-metadata";
export type { Operation, OperationId } from "./operations";
export { errorCodesOf, operations } from "./operations";
export type { MessagePart } from "./parts";
export { isPermitted, isScope, scopeOf, scopeRule, sendAsScope } from "./scopes";
export { lineOfText, text } from "./text";
export type { UnsentCode } from "./unsent-codes";
export { user } from "./user";
export { webhookId } from "./webhook";
