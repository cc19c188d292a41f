export { auditHeaders } from "./access/audit-headers";
export {
  type AuditSetting,
  auditedOperations,
  auditLevelOf,
  auditSettings,
  isAudited,
} from "./access/audit-level";
export { type IdField, idFieldsOf } from "./access/id-fields";
export { isPermitted, isScope, scopeOf, scopeRule, sendAsScope } from "./access/scopes";
export { contract } from "./contract";
export { errorHelp } from "./errors/error-help";
export type { ErrorCode, InvalidField } from "./errors/errors";
export { bodyErrors, errorCodes, errors, masterBodyErrors, problem } from "./errors/errors";
export type { UnannouncedCode, UnsentCode } from "./errors/unsent-codes";
export { type ExampleCall, ExampleTour, exampleCall, exampleOrder, sdkArguments } from "./examples/calls";
export { openApiDocument } from "./openapi/document";
export {
  type OperationWithSchemas,
  operationsWithSchemas,
  resolveSchema,
} from "./openapi/operations-with-schemas";
export { itemsFieldOf } from "./openapi/sdk-sample";
export type {
  MediaType,
  OpenApiDocument,
  OperationObject,
  Parameter,
  ResponseObject,
  Schema,
} from "./openapi/shape";
export type { Operation, OperationId } from "./operation-list";
export { errorCodesOf, operations } from "./operation-list";
export { type UserRight, userRights } from "./operation-metadata";
export { auditEntry } from "./operations/admin/audit";
export { eventStream, eventStreamOperation } from "./operations/events/event-stream";
export { ownBlockRule } from "./operations/users/blocks";
export { channel } from "./resources/channel";
export { type PushProvider, pushProviders } from "./resources/device";
export {
  type ChatEvent,
  type EventRule,
  type EventType,
  event,
  eventRules,
  eventTypes,
} from "./resources/event";
export { hookResponse } from "./resources/hook";
export { type LiveEvent, type LiveEventType, liveEventTypes } from "./resources/live-event";
export { memberEntry } from "./resources/member";
export { textRule } from "./resources/message";
export type { MessagePart } from "./resources/parts";
export { type PresenceSetting, type PresenceStatus, presenceSettings } from "./resources/presence";
export { user } from "./resources/user";
export { webhookId } from "./resources/webhook";
export { describeIssue } from "./rules/describe-issue";
export { channelId, erasedUserId, futureTimeRule, messageId, userId } from "./rules/fields";
export { idHint, idPattern, isId, limits } from "./rules/limits";
export { lineOfText, text } from "./rules/text";
