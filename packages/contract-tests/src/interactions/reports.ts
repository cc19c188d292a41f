import { requiredFieldCases } from "../cases/body-cases";
import { cursorCases, pageSizeCases } from "../cases/page-cases";
import { valueCases } from "../cases/value-cases";
import { kim, lee, lunch, menu, park } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { message, next, report as reportId } from "../placeholders";
import { invalid, problem } from "../problem";
import { type NewReport, requestTime, type World, worldTime } from "../world";
import { reasons } from "./moderation";

const world: World = {
  users: [kim, lee],
  channels: [{ ...lunch, members: ["kim_01"] }],
  messages: [{ channel_id: "room_1", user_id: "kim_01", content: "Buy now" }],
};
const ofMessage: NewReport = {
  channel_id: "room_1",
  message_id: message(1),
  reported_user_id: "kim_01",
  reporter_user_id: "lee_02",
  reason: "Advertising",
};
const { reporter_user_id: _, ...anonymous } = ofMessage;
const ofChannel: NewReport = { channel_id: "room_1", reason: "Noise", at: worldTime + 1_000 };
/** What a key gets. */
const present = (report: NewReport) => ({
  ...presentToUser(report),
  ...(report.message_id !== undefined && { reported: { content: "Buy now", created_at: worldTime } }),
});
const presentToUser = ({ at = worldTime, resolution, ...report }: NewReport) => ({
  report_id: "rep_1",
  ...report,
  ...(report.message_id !== undefined && { message_id: "1" }),
  status: resolution === undefined ? "open" : "resolved",
  ...(resolution !== undefined && { resolution }),
  created_at: at,
  // A change in the same millisecond is later by one.
  updated_at: resolution === undefined ? at : at + 1,
});
const createdNow = { created_at: requestTime, updated_at: requestTime };

const create = {
  "reports a channel": {
    given: world,
    request: { body: { channel_id: "room_1", reason: "Noise" } },
    response: { status: 201, body: { ...present(ofChannel), ...createdNow } },
  },
  "reports a message with every field": {
    given: world,
    request: { body: ofMessage },
    response: { status: 201, body: { ...present(ofMessage), ...createdNow } },
  },
  "responds with the open report of the same reporter about the same message": {
    given: { ...world, reports: [ofMessage] },
    request: { body: { ...ofMessage, reason: "Advertising again" } },
    response: { status: 200, body: present(ofMessage) },
  },
  "reports a message again after the first report was resolved": {
    given: { ...world, reports: [{ ...ofMessage, resolution: "Deleted." }] },
    request: { body: ofMessage },
    response: { status: 201, body: { ...present(ofMessage), report_id: "rep_2", ...createdNow } },
  },
  "reports a message of another reporter": {
    given: { ...world, reports: [ofMessage] },
    request: { body: { ...ofMessage, reporter_user_id: "kim_01" } },
    response: {
      status: 201,
      body: { ...present(ofMessage), reporter_user_id: "kim_01", report_id: "rep_2", ...createdNow },
    },
  },
  "reports the sender of a message, and keeps a copy of it": {
    given: world,
    request: { body: { channel_id: "room_1", message_id: message(1), reason: "Advertising" } },
    response: {
      status: 201,
      body: {
        ...present(anonymous),
        ...createdNow,
      },
    },
  },
  "keeps the names of a file and of attachments": {
    given: {
      ...world,
      messages: [{ channel_id: "room_1", user_id: "kim_01", file: menu }],
    },
    request: { body: { channel_id: "room_1", message_id: message(1), reason: "Advertising" } },
    response: {
      status: 201,
      body: {
        ...presentToUser(anonymous),
        reported: { file_name: menu.name, created_at: worldTime },
        ...createdNow,
      },
    },
  },
  "gives a user no copy of the message": {
    given: { ...world, channels: [{ ...lunch, members: ["kim_01", "lee_02"] }] },
    request: {
      as: "lee_02",
      body: { channel_id: "room_1", message_id: message(1), reason: "Advertising" },
    },
    response: { status: 201, body: { ...presentToUser(ofMessage), ...createdNow } },
  },
  "rejects a user who reports a stranger": {
    given: { ...world, users: [kim, lee, park] },
    request: { as: "kim_01", body: { channel_id: "room_1", reported_user_id: "park_03", reason: "Noise" } },
    response: problem(404, "user_not_found"),
  },
  "rejects a user who reports as another one": {
    given: world,
    request: { as: "kim_01", body: ofMessage },
    response: problem(403, "not_permitted"),
  },
  "rejects a channel that does not exist": {
    given: world,
    request: { body: { ...ofMessage, channel_id: "missing_room" } },
    response: problem(404, "channel_not_found"),
  },
  "rejects a message that was deleted": {
    given: { ...world, deletedMessages: [1] },
    request: { body: ofMessage },
    response: problem(404, "message_not_found"),
  },
  "rejects a message of another channel": {
    given: { ...world, channels: [...(world.channels ?? []), { channel_id: "room_2", name: "Dinner" }] },
    request: { body: { ...ofMessage, channel_id: "room_2" } },
    response: problem(404, "message_not_found"),
  },
  "rejects a reported user that does not exist": {
    given: world,
    request: { body: { ...ofMessage, reported_user_id: "missing_user" } },
    response: problem(404, "user_not_found"),
  },
  "rejects a reporter that was deleted": {
    given: { ...world, deletedUsers: ["lee_02"] },
    request: { body: ofMessage },
    response: problem(404, "user_not_found"),
  },
} satisfies Interactions;

const reported: World = { ...world, reports: [ofMessage, ofChannel] };
const resolved: World = { ...world, reports: [{ ...ofMessage, resolution: "Deleted." }, ofChannel] };
/** The newest first. */
const hundredAndOne = Array.from({ length: 101 }, (_, index) => ({
  channel_id: "room_1",
  reason: `Reason ${index}`,
  at: worldTime - index,
}));
const manyReported: World = { ...world, reports: hundredAndOne };
const firstPage: World = { ...reported, page: { operation: "reports.list", query: { limit: "1" } } };

/** Between two open reports, one is resolved. */
const openPage: World = {
  ...world,
  reports: [
    ofChannel,
    { ...ofMessage, at: worldTime + 2_000, resolution: "Deleted." },
    { ...ofMessage, at: worldTime + 3_000 },
  ],
  page: { operation: "reports.list", query: { status: "open", limit: "1" } },
};

const list = {
  "lists the newest report first": {
    given: reported,
    response: { status: 200, body: { reports: [present(ofChannel), present(ofMessage)] } },
  },
  "responds with an empty page": { response: { status: 200, body: { reports: [] } } },
  "lists only those that are open": {
    given: resolved,
    request: { query: { status: "open" } },
    response: { status: 200, body: { reports: [present(ofChannel)] } },
  },
  "lists only those that are resolved": {
    given: resolved,
    request: { query: { status: "resolved" } },
    response: { status: 200, body: { reports: [present({ ...ofMessage, resolution: "Deleted." })] } },
  },
  "accepts limit 1": {
    given: reported,
    request: { query: { limit: "1" } },
    response: { status: 200, body: { reports: [present(ofChannel)], next: "cursor" } },
  },
  "responds with 30 reports and a cursor": {
    given: manyReported,
    response: { status: 200, body: { reports: hundredAndOne.slice(0, 30).map(present), next: "cursor" } },
  },
  "accepts limit 100": {
    given: manyReported,
    request: { query: { limit: "100" } },
    response: { status: 200, body: { reports: hundredAndOne.slice(0, 100).map(present), next: "cursor" } },
  },
  "continues with only next": {
    given: firstPage,
    request: { query: { next } },
    response: { status: 200, body: { reports: [present(ofMessage)] } },
  },
  "continues with the status of the first page": {
    given: openPage,
    request: { query: { next } },
    response: { status: 200, body: { reports: [present(ofChannel)] } },
  },
  "rejects a status that differs from next": {
    given: openPage,
    request: { query: { next, status: "resolved" } },
    response: invalid("query", "status"),
  },
} satisfies Interactions;

const params = { report_id: reportId };
const resolve = {
  "resolves a report": {
    given: reported,
    request: { params, body: { status: "resolved", resolution: "Deleted." } },
    response: {
      status: 200,
      body: { ...present({ ...ofMessage, resolution: "Deleted." }), updated_at: requestTime },
    },
  },
  "resolves a report without a resolution": {
    given: reported,
    request: { params, body: { status: "resolved" } },
    response: { status: 200, body: { ...present(ofMessage), status: "resolved", updated_at: requestTime } },
  },
  "opens a report again": {
    given: resolved,
    request: { params, body: { status: "open" } },
    response: { status: 200, body: { ...present(ofMessage), updated_at: requestTime } },
  },
  "rejects a resolution for a report that is open": {
    given: reported,
    request: { params, body: { status: "open", resolution: "Deleted." } },
    response: invalid("body", "resolution"),
  },
  "changes nothing for a report that is open": {
    given: reported,
    request: { params, body: { status: "open" } },
    response: { status: 200, body: present(ofMessage) },
  },
} satisfies Interactions;

export const reports = {
  "reports.create": {
    ...create,
    ...valueCases(create["reports a message with every field"], "body", "reason", reasons),
    ...requiredFieldCases(create["reports a channel"], ["channel_id", "reason"]),
  },
  "reports.list": {
    ...list,
    ...valueCases(list["lists only those that are open"], "query", "status", {
      rejects: { "that is unknown": "closed", "that is empty": "" },
    }),
    ...pageSizeCases(list["lists the newest report first"], 1, 100),
    ...cursorCases(list["continues with only next"], {
      "the list of users": { ...reported, page: { operation: "users.list" } },
    }),
  },
  "reports.get": {
    "responds with a report": {
      given: reported,
      request: { params },
      response: { status: 200, body: present(ofMessage) },
    },
    "responds with a report of a channel": {
      given: { ...world, reports: [ofChannel] },
      request: { params },
      response: { status: 200, body: present(ofChannel) },
    },
  },
  "reports.resolve": {
    ...resolve,
    ...valueCases(resolve["resolves a report"], "body", "status", {
      rejects: { "that is unknown": "closed", "set to null": null },
    }),
    ...valueCases(resolve["resolves a report"], "body", "resolution", reasons),
    ...requiredFieldCases(resolve["resolves a report"], ["status"]),
  },
} satisfies InteractionsByOperation;
