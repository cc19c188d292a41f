import { useTexts } from "../../text/language";
import { Button } from "../button";
import { CopyButton } from "../texts/copy";
import { Dialog } from "./dialog";

interface SecretDialogProps {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a secret for the only time. Only its buttons close it. */
export function SecretDialog({ title, text, secret, onClose }: SecretDialogProps) {
  const t = useTexts();
  return (
    <Dialog title={title} description={text} onClose={onClose} isDismissible={false}>
      <p className="secret">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </p>
      <div className="form-actions">
        <Button look="primary" onClick={onClose}>
          {t.close}
        </Button>
      </div>
    </Dialog>
  );
}
