import { contract } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { invalidField, ServiceError } from "../../errors/service-error";
import type { Files } from "./files";
import { presentFile } from "./present";
import { uploadMs } from "./storage/storage";
import { createFile, deleteFile, requireFile } from "./store";

export interface FileDeps extends ChatDeps {
  readonly files: Files;
  /** Creates a random UUID. */
  readonly makeId: () => string;
}

export const fileHandlers = ({ now, files, makeId, wake }: FileDeps) =>
  defineHandlers(contract.files, {
    create: async ({ body, writer, req }) => {
      const { name, type, size } = body;
      if (files.storage === undefined)
        throw new ServiceError(
          "files_disabled",
          "This service stores no files. Set MADANG_FILES to a folder or a bucket.",
        );
      if (size > files.maxBytes)
        throw invalidField(
          "body",
          "size",
          `Must be at most ${files.maxBytes.toLocaleString("en-US")} bytes.`,
        );
      await files.storage.requireOwn();
      const created = await createFile(
        writer,
        {
          fileId: `file_${makeId().replaceAll("-", "")}`,
          channelId: body.channel_id,
          userId: body.user_id ?? null,
          name,
          type,
          size,
        },
        { now: now(), maxUserBytes: files.maxUserBytes },
      );
      const file = { ...created, name, type, size, status: "waiting" as const };
      const expiresAt = created.createdAt + uploadMs;
      const { url, headers } = files.storage.uploadAddress(file, expiresAt, files.originOf(req));
      return {
        status: 201,
        body: {
          ...presentFile(file),
          upload: { method: "PUT" as const, url, headers: { ...headers }, expires_at: expiresAt },
        },
      };
    },
    get: async ({ params: { file_id: fileId }, acting, req, db }) => {
      await files.markArrived([fileId]);
      const file = await requireFile(db, fileId, acting);
      const url = file.status === "ready" ? files.addressesFor(req)(file) : undefined;
      return { status: 200, body: { ...presentFile(file), ...(url !== undefined && { url }) } };
    },
    delete: async ({ params, writer }) => {
      await deleteFile(writer, params.file_id);
      wake("removing files");
      return { status: 200, body: undefined };
    },
  });
