import { contract, limits, type MessagePart } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { UncheckedText } from "../../call/unchecked-text";
import { notPermitted, rejectMissingUser, ServiceError } from "../../errors/service-error";
import { requireAlone } from "../../paging/id-list";
import { bindTo, openPageQuery, signNextPage, signPage } from "../../paging/page-query";
import { oldest, type Position } from "../../paging/position";
import { type Draft, exempt, noText, type Passed } from "../checks";
import type { ChatDeps } from "../deps";
import { presentMark } from "../members/present";
import { listReaders } from "../members/readers-store";
import { formatMessageId, refOf } from "../message-id";
import { presentMembership } from "../users/present";
import { findObstacles, sendToChannels } from "./announce-store";
import { deleteMessage, requireRewritable, updateMessage } from "./edit-store";
import { findMessages, type MessageIds, readWindow } from "./list-store";
import { encodeParts, toRow } from "./new-message";
import { findOwnReactions } from "./own-reactions-store";
import { type MessageFilters, planPage, takeMessagePage } from "./page-plan";
import { presentAnnounced, presentMessageRow } from "./present";
import { readReplies } from "./replies-store";
import { requireSendable, sendMessage } from "./send-store";
import { showMessages } from "./show";
import { type FileReference, messageBytes, positionOf, requireChanged, requireMessage } from "./store";

export const messageHandlers = (deps: ChatDeps) => {
  const { now, cursors, attachments, checks } = deps;
  return defineHandlers(contract.messages, {
    list: async ({ params: { channel_id: channelId }, query: sent, acting, req, db }) => {
      const { message_ids: messageIds, external_ids: externalIds, as_user: _, ...others } = sent;
      if (messageIds !== undefined) requireAlone("message_ids", { ...others, external_ids: externalIds });
      if (externalIds !== undefined) requireAlone("external_ids", others);
      const scope = `messages.list ${channelId}`;
      const query = { ...sent, message_ids: messageIds?.join(), external_ids: externalIds?.join() };
      const pageQuery = openPageQuery<MessageFilters>(cursors, scope, query, limits.messagePage, acting);
      const reading = { channelId, asUser: pageQuery.filters.as_user, acting, req };
      const ids = idsOf(pageQuery.filters);
      if (ids !== undefined) {
        const { channelPk, messages, rest } = await findMessages(db, channelId, ids, acting);
        const owned = bindTo(pageQuery, "owner", channelPk);
        const continued = { ...owned, filters: { ...owned.filters, [ids.kind]: rest.join() } };
        return {
          status: 200,
          body: {
            messages: await showMessages({ db, attachments }, reading, messages),
            ...(rest.length > 0 && { next: signNextPage(cursors, scope, continued, oldest) }),
          },
        };
      }
      const plan = planPage(channelId, pageQuery);
      const { boundary, sides } = plan;
      // One more message than the page has shows whether there is an older page.
      const counts = { ...sides, older: sides.older + 1 };
      const found = await readWindow(db, channelId, boundary, counts, acting);
      const owned = bindTo(pageQuery, "owner", found.channelPk);
      const { messages, older, newer } = takeMessagePage(found, plan);
      const sign = (direction: "older" | "newer", position: Position) =>
        signNextPage(cursors, scope, { ...owned, filters: { ...owned.filters, direction } }, position);
      return {
        status: 200,
        body: {
          messages: await showMessages({ db, attachments }, reading, messages),
          ...(older && { next: sign("older", older) }),
          newer: sign("newer", newer),
        },
      };
    },
    replies: async ({ params, query, acting, req, db }) => {
      const ref = refOf(params);
      const { channelId, messageId } = ref;
      const scope = `messages.replies ${channelId} ${messageId}`;
      const pageQuery = openPageQuery<ReplyFilters>(cursors, scope, query, limits.replyPage, acting);
      const { limit, filters, after = oldest } = pageQuery;
      const found = await readReplies(db, ref, after, limit + 1, acting);
      const { items, ...next } = signPage(cursors, scope, pageQuery, found, positionOf, messageBytes);
      const reading = { channelId, asUser: filters.as_user, acting, req };
      const messages = await showMessages({ db, attachments }, reading, items);
      return { status: 200, body: { messages, ...next } };
    },
    get: async ({ params, query, acting, req, db }) => {
      const channelId = params.channel_id;
      const message = await requireMessage(db, refOf(params), acting);
      const urlOf = attachments.addressesFor(req);
      const isOwn = await findOwnReactions(db, channelId, query.as_user, [message]);
      return { status: 200, body: presentMessageRow(channelId, message, { urlOf, viewer: acting, isOwn }) };
    },
    send: async ({ params: { channel_id: channelId }, body, acting, writer, req, db }) => {
      if (acting !== undefined && body.type === "system")
        throw notPermitted("A system message has no sender: only the application sends it.");
      if (body.type !== "system" && body.user_id === undefined) rejectMissingUser("user_id");
      const { draft, ...fields } = readMessage(body);
      const unchecked = { channelId, ...fields };
      const passed =
        body.type === "system"
          ? passUnchecked(draft)
          : await checks.pass(
              writer,
              {
                operation: "messages.send",
                channelId,
                context: readContext(body),
                isStreaming: fields.isStreaming,
                requireAllowed: async () => {
                  const { isRepeated } = await requireSendable(writer, unchecked);
                  return { senderId: fields.senderId, isRepeated };
                },
              },
              draft,
            );
      const message = { ...unchecked, ...toText(passed) };
      if (message.fileIds !== null) await attachments.markArrived(message.fileIds);
      const sent = await sendMessage(writer, message, now());
      const isRepeated = writer.state.outcome === "replayed";
      // What it shows of its files is on its row, and what a check replaced when it was sent first. The stored result of an idempotency
      // key has neither.
      const mustRead = message.fileIds !== null || (isRepeated && sent.isReplaced);
      const ref = { channelId, messageId: formatMessageId(positionOf(sent)) };
      const asSent = isRepeated ? toRow({ ...message, ...toText(passUnchecked(draft)) }, sent) : sent;
      const row = mustRead ? await requireChanged(db, ref) : asSent;
      const urlOf = attachments.addressesFor(req);
      return { status: 201, body: presentMessageRow(channelId, row, { urlOf, viewer: acting }) };
    },
    sendMany: async ({ body, writer, req, db }) => {
      const { draft, ...fields } = readMessage(body);
      const channelIds = [...new Set(body.channel_ids)];
      const { user_id: senderId } = body;
      const passed = await checks.passMany(
        writer,
        {
          channelIds,
          senderId,
          context: readContext(body),
          findObstacles: () => findObstacles(db, channelIds, senderId),
        },
        draft,
      );
      const texts = new Map(
        channelIds.map((channelId) => {
          const text = passed.get(channelId) ?? "message_rejected";
          return [channelId, typeof text === "string" ? text : toText(text)] as const;
        }),
      );
      const original = toText(passUnchecked(draft));
      const announced = await sendToChannels(writer, { ...fields, texts, original }, now());
      const urlOf = attachments.addressesFor(req);
      const results = announced.map(async (one) => {
        if (!("row" in one) || writer.state.outcome !== "replayed") return presentAnnounced(one, urlOf);
        const { channelId, row: sent } = one;
        const ref = { channelId, messageId: formatMessageId(positionOf(sent)) };
        const row = sent.isReplaced
          ? await requireChanged(db.channel(channelId), ref)
          : toRow({ ...fields, ...original, channelId }, sent);
        return presentAnnounced({ channelId, row }, urlOf);
      });
      return { status: 200, body: { results: await Promise.all(results) } };
    },
    update: async ({ params, body, acting, writer, req, db }) => {
      const urlOf = attachments.addressesFor(req);
      const ref = refOf(params);
      const { content, parts, meta, if_updated_at: ifUpdatedAt } = body;
      const passed = await checks.pass(
        writer,
        {
          operation: "messages.update",
          channelId: ref.channelId,
          context: { message_id: ref.messageId },
          requireAllowed: () => requireRewritable(writer, ref),
        },
        { content, parts, meta },
      );
      const current = await updateMessage(writer, ref, { ...passed, ifUpdatedAt }, now());
      if (current !== undefined)
        throw new ServiceError("message_changed", changedDetail, {
          members: { current: presentMessageRow(ref.channelId, current, { urlOf, viewer: acting }) },
        });
      // Read separately: stored results of idempotency keys must not contain messages, because deletions do not remove
      // them.
      const message = await requireChanged(db, ref);
      return { status: 200, body: presentMessageRow(ref.channelId, message, { urlOf, viewer: acting }) };
    },
    delete: async ({ params, writer }) => {
      await deleteMessage(writer, refOf(params));
      return { status: 200, body: undefined };
    },
    readers: async ({ params, acting, db }) => {
      const { readers, memberCount } = await listReaders(db, refOf(params), acting);
      return {
        status: 200,
        body: {
          readers: readers.map((reader) => ({
            ...presentMembership(acting, reader),
            ...presentMark(reader),
          })),
          reader_count: readers.length,
          member_count: memberCount,
        },
      };
    },
  });
};

const changedDetail =
  "The message has another updated_at by now. Make the change to the one in current, and send its updated_at.";

/** The ids of a list of messages that names them. */
function idsOf({ message_ids, external_ids }: MessageFilters): MessageIds | undefined {
  const [kind, list] =
    message_ids === undefined
      ? (["external_ids", external_ids] as const)
      : (["message_ids", message_ids] as const);
  return list === undefined ? undefined : { kind, ids: [...new Set(list.split(","))] };
}

/** In the cursor. */
type ReplyFilters = { readonly as_user?: string | undefined };

type MessageBody = {
  readonly external_id?: string | undefined;
  readonly user_id?: string | undefined;
  readonly meta?: Record<string, string> | undefined;
  readonly reply_to?: string | undefined;
  readonly mentions?: readonly string[] | undefined;
} & (
  | {
      readonly type: "text" | "system";
      readonly content?: UncheckedText | undefined;
      readonly parts?: readonly MessagePart[] | undefined;
      readonly attachments?: readonly { readonly file_id: string }[] | undefined;
      readonly streaming?: boolean | undefined;
    }
  | { readonly type: "file"; readonly file: FileReference }
);

/** The fields that `send` and `sendMany` read from a body. A system message has no sender. */
const readMessage = (body: MessageBody) => ({
  externalId: body.external_id ?? null,
  senderId: body.user_id ?? null,
  draft: {
    content: body.type === "file" ? null : (body.content ?? noText),
    parts: body.type === "file" ? undefined : body.parts,
    meta: body.meta,
  },
  isStreaming: body.type !== "file" && body.streaming === true,
  file: body.type === "file" ? body.file : null,
  replyTo: body.reply_to ?? null,
  mentions: body.mentions === undefined ? null : [...new Set(body.mentions)],
  fileIds: idsOfFiles(body.type === "file" ? undefined : body.attachments),
});

/** What a hook gets of a new message besides its text. */
const readContext = (body: MessageBody) => ({
  ...(body.type === "file" ? { file: body.file } : { attachments: body.attachments }),
  reply_to: body.reply_to,
  mentions: body.mentions,
});

/** Of a system message, which no check reads. Also what a request had before the checks, for its response. */
const passUnchecked = (draft: Draft<UncheckedText | null>): Passed<UncheckedText | null> => ({
  ...draft,
  content: draft.content === null ? null : exempt(draft.content),
  isReplaced: false,
});

const toText = ({ content, parts, meta = {}, isReplaced, addToMessage }: Passed<UncheckedText | null>) => ({
  content,
  parts: encodeParts(parts),
  meta,
  isReplaced,
  addToMessage,
});

const idsOfFiles = (attachments: readonly { readonly file_id: string }[] | undefined) =>
  attachments === undefined ? null : [...new Set(attachments.map(({ file_id }) => file_id))];
