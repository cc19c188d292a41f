import { useTexts } from "../../text/language";
import { IconButton } from "../button";
import { showNotice } from "../notice";
import { IdText } from "./id-text";

export function CopyButton({ text }: { text: string }) {
  const t = useTexts();
  return (
    <IconButton icon="copy" label={t.copy} onClick={() => copyText(text).then(() => showNotice(t.copied))} />
  );
}

export function copyText(text: string): Promise<void> {
  return navigator.clipboard.writeText(text);
}

/** An id, which a click copies. */
export function Id({ id }: { id: string }) {
  return (
    <span className="id">
      <span>
        <IdText id={id} />
      </span>
      <CopyButton text={id} />
    </span>
  );
}
