import { decodeId } from "../../api/ids";

/** An id, after what it stands for if `ids.encode` of the SDK made it. */
export function IdText({ id }: { id: string }) {
  const decoded = decodeId(id);
  return (
    <>
      {decoded !== undefined && <span className="user-text">{decoded}</span>} <code>{id}</code>
    </>
  );
}
