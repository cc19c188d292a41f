import { requiredFieldCases } from "../cases/body-cases";
import { idCases } from "../cases/id-cases";
import { valueCases } from "../cases/value-cases";
import { menu as image, kim, lee, lunch, presentMessage } from "../fixtures";
import type { Interactions, InteractionsByOperation } from "../interaction";
import { file } from "../placeholders";
import { problem } from "../problem";
import { type NewFile, requestTime, type World, worldTime } from "../world";
import { blockedSends } from "./blocks";

const room: World = { users: [kim, lee], channels: [{ ...lunch, members: ["kim_01"] }] };
const menu: NewFile = {
  channel_id: "room_1",
  user_id: "kim_01",
  name: "menu.png",
  type: "image/png",
  size: 5,
};

/** A file as responses show it. */
const present = ({ name, type, size }: NewFile) => ({
  file_id: "file_1",
  name,
  type,
  size,
  created_at: worldTime,
});
const waiting = { ...present(menu), status: "waiting" };
const ready = { ...present(menu), status: "ready", url: "https://chat.example.com/v1/files/file_1/content" };
const created = {
  ...waiting,
  created_at: requestTime,
  upload: {
    method: "PUT",
    url: "https://chat.example.com/v1/files/file_1/content",
    headers: { "content-type": "image/png" },
    expires_at: requestTime + 3_600_000,
  },
};

const create = {
  "creates a file for a participant": {
    given: room,
    request: { body: menu },
    response: { status: 201, body: created },
  },
  "creates a file for nobody": {
    given: room,
    request: { body: { ...menu, user_id: undefined } },
    response: { status: 201, body: created },
  },
  "creates a file for a manager of a frozen channel": {
    given: { ...room, channels: [{ ...lunch, managers: ["kim_01"], frozen: true }] },
    request: { body: menu },
    response: { status: 201, body: created },
  },
  "rejects a participant of a frozen channel": {
    given: { ...room, channels: [{ ...lunch, members: ["kim_01"], frozen: true }] },
    request: { body: menu },
    response: problem(403, "channel_frozen"),
  },
  "rejects a user who is no participant": {
    given: room,
    request: { body: { ...menu, user_id: "lee_02" } },
    response: problem(403, "not_a_participant"),
  },
  ...blockedSends({ body: menu }),
  "rejects a muted participant": {
    given: { ...room, mutes: [{ channel_id: "room_1", user_id: "kim_01" }] },
    request: { body: menu },
    response: problem(403, "member_muted"),
  },
  "rejects a banned user": {
    given: { ...room, bans: [{ channel_id: "room_1", user_id: "kim_01" }] },
    request: { body: menu },
    response: problem(403, "user_banned"),
  },
  "rejects a suspended user": {
    given: { ...room, suspendedUsers: ["kim_01"] },
    request: { body: menu },
    response: problem(403, "user_suspended"),
  },
  "rejects a user that does not exist": {
    given: room,
    request: { body: { ...menu, user_id: "missing_user" } },
    response: problem(404, "user_not_found"),
  },
  "rejects a user that was deleted": {
    given: { ...room, deletedUsers: ["kim_01"] },
    request: { body: menu },
    response: problem(404, "user_not_found"),
  },
  "rejects a channel that does not exist": {
    given: room,
    request: { body: { ...menu, channel_id: "missing_room" } },
    response: problem(404, "channel_not_found"),
  },
  "rejects a channel that was deleted": {
    given: { ...room, deletedChannels: ["room_1"] },
    request: { body: menu },
    response: problem(404, "channel_not_found"),
  },
  "rejects every file if files are turned off": {
    given: { ...room, settings: { files: "off" } },
    request: { body: menu },
    response: problem(409, "files_disabled"),
  },
  "rejects every file while the storage is unavailable": {
    given: { ...room, settings: { files: "unavailable" } },
    request: { body: menu },
    response: problem(503, "storage_unavailable"),
  },
} satisfies Interactions;

const accepted = create["creates a file for a participant"];
const withName = (name: string) => ({
  given: room,
  request: { body: { ...menu, name } },
  response: { status: 201, body: { ...created, name } },
});
const names: Interactions = {
  ...Object.fromEntries(
    ["a", "n".repeat(255), "😀".repeat(255), "점심 메뉴.png", "..", 'a <b> & "c".html'].map((name, index) => [
      `accepts name number ${index + 1}`,
      withName(name),
    ]),
  ),
  ...valueCases(accepted, "body", "name", {
    rejects: {
      "set to an empty string": "",
      "of 256 letters": "n".repeat(256),
      "with a slash": "a/b.png",
      "with a backslash": "a\\b.png",
      "with a line break": "a\nb.png",
      "with a NUL": "a\0b.png",
      "with a lone surrogate": "a\ud83d.png",
      "set to null": null,
    },
  }),
};

const params = { file_id: file(1) };
export const attached: World = {
  ...room,
  files: [menu],
  messages: [{ channel_id: "room_1", user_id: "kim_01", content: "Hi", attachments: [{ file_id: file(1) }] }],
};

const inRoom = { channel_id: "room_1" };
const greeting = { channel_id: "room_1", user_id: "kim_01", content: "Hi", at: requestTime };
const ofNobody = { channel_id: "room_1", name: "notes.txt", type: "text/plain", size: 3 };
const shown = ({ name, type, size }: NewFile) => ({
  file_id: "file_1",
  name,
  type,
  size,
  url: "https://chat.example.com/v1/files/file_1/content",
});
const send = (body: object) => ({
  params: inRoom,
  body: { user_id: "kim_01", type: "text", content: "Hi", ...body },
});
const notes = { type: "system", content: "Notes", attachments: [{ file_id: file(1) }] };
const both: World = {
  ...room,
  channels: [
    { ...lunch, members: ["kim_01", "lee_02"] },
    { channel_id: "room_2", name: "Dinner", members: ["kim_01"] },
  ],
};

/** Sends with files. */
export const attachedSends = {
  "stores a message with two files in their order, one of them created for nobody": {
    given: { ...room, files: [menu, ofNobody] },
    request: send({ attachments: [{ file_id: file(2) }, { file_id: file(1) }] }),
    response: {
      status: 201,
      body: { ...presentMessage(greeting, kim), attachments: [shown(ofNobody), shown(menu)] },
    },
  },
  "stores a message with a file and no text": {
    given: { ...room, files: [menu] },
    request: send({ content: undefined, attachments: [{ file_id: file(1) }] }),
    response: {
      status: 201,
      body: { ...presentMessage({ ...greeting, content: "" }, kim), attachments: [shown(menu)] },
    },
  },
  "counts a file that is named twice once": {
    given: { ...room, files: [menu] },
    request: send({ attachments: [{ file_id: file(1) }, { file_id: file(1) }] }),
    response: { status: 201, body: { ...presentMessage(greeting, kim), attachments: [shown(menu)] } },
  },
  "stores a system message with a file that was created for nobody": {
    given: { ...room, files: [ofNobody] },
    request: { params: inRoom, body: notes },
    response: {
      status: 201,
      body: {
        ...presentMessage({ channel_id: "room_1", content: "Notes", at: requestTime }),
        attachments: [shown(ofNobody)],
      },
    },
  },
  "rejects a file that does not exist": {
    given: room,
    request: send({ attachments: [{ file_id: "file_none" }] }),
    response: problem(404, "file_not_found"),
  },
  "rejects a file of another channel": {
    given: { ...both, files: [{ ...menu, channel_id: "room_2" }] },
    request: send({ attachments: [{ file_id: file(1) }] }),
    response: problem(404, "file_not_found"),
  },
  "rejects a file that was created for another user": {
    given: { ...both, files: [menu] },
    request: send({ user_id: "lee_02", attachments: [{ file_id: file(1) }] }),
    response: problem(404, "file_not_found"),
  },
  "rejects a file that was created for a user in a system message": {
    given: { ...room, files: [menu] },
    request: { params: inRoom, body: notes },
    response: problem(404, "file_not_found"),
  },
  "rejects a file that was deleted with its message": {
    given: { ...attached, deletedMessages: [1] },
    request: send({ attachments: [{ file_id: file(1) }] }),
    response: problem(404, "file_not_found"),
  },
  "rejects a file whose bytes have not arrived": {
    given: { ...room, files: [menu, { ...ofNobody, waiting: true }] },
    request: send({ attachments: [{ file_id: file(1) }, { file_id: file(2) }] }),
    response: problem(409, "file_not_uploaded"),
  },
  "rejects a file of which the storage cannot say whether it has arrived": {
    given: { ...room, files: [{ ...menu, waiting: true }], settings: { files: "unavailable" } },
    request: send({ attachments: [{ file_id: file(1) }] }),
    response: problem(503, "storage_unavailable"),
  },
  "rejects a file that another message has": {
    given: attached,
    request: send({ attachments: [{ file_id: file(1) }] }),
    response: problem(409, "file_in_use"),
  },
  "rejects eleven files": {
    given: room,
    request: send({
      attachments: Array.from({ length: 11 }, (_, index) => ({ file_id: `file_${index}` })),
    }),
    response: problem(400, "invalid_request", [{ in: "body", path: "attachments" }]),
  },
  "rejects an empty list of files": {
    given: room,
    request: send({ attachments: [] }),
    response: problem(400, "invalid_request", [{ in: "body", path: "attachments" }]),
  },
  "rejects files of a file message": {
    given: room,
    request: {
      params: inRoom,
      body: { user_id: "kim_01", type: "file", file: image, attachments: [{ file_id: "file_none" }] },
    },
    response: problem(400, "invalid_request", [{ in: "body", path: "attachments" }]),
  },
} satisfies Interactions;

export const files = {
  "files.create": {
    ...create,
    ...names,
    ...requiredFieldCases(accepted, ["channel_id", "name", "type", "size"]),
    ...idCases(accepted, "body", "channel_id"),
    ...valueCases(accepted, "body", "type", {
      rejects: {
        "without a slash": "image",
        "with a space": "image/ png",
        "with a line break": "image/png\n",
        "with a comma": "image/png,text/html",
        "of 256 characters": `image/${"p".repeat(250)}`,
        "set to an empty string": "",
        "set to null": null,
      },
    }),
    ...valueCases(accepted, "body", "size", {
      accepts: { "of 1 byte": 1, "of 100 MB": 100_000_000 },
      rejects: {
        "of 0 bytes": 0,
        "that is negative": -1,
        "with a fraction": 1.5,
        "set to a string": "5",
        "set to null": null,
      },
    }),
    "rejects size of 100 MB and 1 byte": {
      given: room,
      request: { body: { ...menu, size: 100_000_001 } },
      response: problem(400, "invalid_request", [{ in: "body", path: "size" }]),
    },
  },
  "files.get": {
    "responds with a file that waits for its bytes": {
      given: { ...room, files: [{ ...menu, waiting: true }] },
      request: { params },
      response: { status: 200, body: waiting },
    },
    "responds with a file that is ready": {
      given: { ...room, files: [menu] },
      request: { params },
      response: { status: 200, body: ready },
    },
    "responds with a file that a message has": {
      given: attached,
      request: { params },
      response: { status: 200, body: ready },
    },
    "rejects a file of which the storage cannot say whether it has arrived": {
      given: { ...room, files: [{ ...menu, waiting: true }], settings: { files: "unavailable" } },
      request: { params },
      response: problem(503, "storage_unavailable"),
    },
    "rejects a file whose message was deleted": {
      given: { ...attached, deletedMessages: [1] },
      request: { params },
      response: problem(404, "file_not_found"),
    },
    "rejects a file whose channel was deleted": {
      given: { ...room, files: [menu], deletedChannels: ["room_1"] },
      request: { params },
      response: problem(404, "file_not_found"),
    },
  },
  "files.delete": {
    "deletes a file that waits for its bytes": {
      given: { ...room, files: [{ ...menu, waiting: true }] },
      request: { params },
      response: { status: 200 },
    },
    "deletes a file that is ready": {
      given: { ...room, files: [menu] },
      request: { params },
      response: { status: 200 },
    },
    "rejects a file that a message has": {
      given: attached,
      request: { params },
      response: problem(409, "file_in_use"),
    },
    "rejects a file whose message was deleted": {
      given: { ...attached, deletedMessages: [1] },
      request: { params },
      response: problem(404, "file_not_found"),
    },
  },
} satisfies InteractionsByOperation;
