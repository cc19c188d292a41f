import { useTexts } from "../../text/language";
import { Field } from "../fields/field";
import { Confirm } from "./confirm";

interface RenameDialogProps {
  readonly name: string;
  readonly maxLength: number;
  readonly onRename: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Changes the name of a user or of a channel. */
export function RenameDialog({ name, maxLength, onRename, onClose }: RenameDialogProps) {
  const t = useTexts();
  return (
    <Confirm
      title={t.rename}
      description={t.renameHint}
      action={t.save}
      isDanger={false}
      onClose={onClose}
      onConfirm={(_, form) => onRename(String(form.get("name")))}
    >
      <Field label={t.name}>
        {(id) => (
          <input id={id} name="name" required maxLength={maxLength} defaultValue={name} autoComplete="off" />
        )}
      </Field>
    </Confirm>
  );
}
