import type { FileRow } from "./storage/storage";

/** A file without an address of its bytes. */
export const presentFile = ({
  fileId,
  name,
  type,
  size,
  status,
  createdAt,
}: Pick<FileRow, "fileId" | "name" | "type" | "size" | "status" | "createdAt">) => ({
  file_id: fileId,
  name,
  type,
  size,
  status,
  created_at: createdAt,
});
