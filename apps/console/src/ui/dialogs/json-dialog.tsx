import { CopyButton } from "../texts/copy";
import { Dialog } from "./dialog";

export function JsonDialog({
  title,
  value,
  onClose,
}: {
  title: string;
  value: unknown;
  onClose: () => void;
}) {
  const json = JSON.stringify(value, null, 2);
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <div className="json">
        <CopyButton text={json} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <pre tabIndex={0}>{json}</pre>
      </div>
    </Dialog>
  );
}
