import type { SubKey } from "@madang/client";
import { limits } from "@madang/contract/limits";
import { useState } from "react";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";
import { useTexts } from "../../text/language";
import { Confirm } from "../../ui/dialogs/confirm";
import { Field, splitList } from "../../ui/fields/field";
import { Select } from "../../ui/fields/select";
import { moderationScopes, roleScopes } from "./access";

type Access = "full" | "read" | "support" | "moderator" | "scopes";

const fixedScopes: Partial<Record<Access, readonly string[]>> = roleScopes;

interface CreateKeyProps {
  readonly onClose: () => void;
  readonly onCreated: (key: SubKey) => void;
}

export function CreateKey({ onClose, onCreated }: CreateKeyProps) {
  const t = useTexts();
  const [access, setAccess] = useState<Access>("full");

  async function create(form: FormData) {
    const label = String(form.get("label")).trim();
    const expiry = String(form.get("expiry"));
    const userId = String(form.get("user")).trim();
    const scopes = [...(fixedScopes[access] ?? splitList(form.get("scopes")))];
    const key = await chat.keys.create({
      ...(label !== "" && { label }),
      ...(access !== "full" && { scopes }),
      ...(userId !== "" && { user_id: userId }),
      // The end of the day in the zone of the reader.
      ...(expiry !== "" && { expires_at: new Date(`${expiry}T23:59:59.999`).getTime() }),
    });
    onCreated(key);
    await queryClient.invalidateQueries({ queryKey: ["keys"] });
  }

  return (
    <Confirm
      title={t.createKey}
      description={t.noKeysHint}
      action={t.createKey}
      isDanger={false}
      onClose={onClose}
      onConfirm={(_, form) => create(form)}
    >
      <Field label={t.label} hint={t.labelHint}>
        {(id) => (
          <input
            id={id}
            name="label"
            required
            maxLength={limits.keyLabel.maxLength}
            pattern=".*\S.*"
            autoComplete="off"
          />
        )}
      </Field>
      <div className="field">
        <span className="field-label">{t.access}</span>
        <Select
          label={t.access}
          value={access}
          options={[
            { value: "full", label: t.fullAccess },
            { value: "read", label: t.readOnly },
            { value: "support", label: t.supportStaff },
            { value: "moderator", label: t.moderator },
            { value: "scopes", label: t.someScopes },
          ]}
          onChange={setAccess}
        />
        {access === "read" && <p className="field-hint">{t.readOnlyHint}</p>}
        {access === "support" && <p className="field-hint">{t.supportHint(roleScopes.support.join(", "))}</p>}
        {access === "moderator" && (
          <p className="field-hint">{t.moderatorHint(moderationScopes.join(", "))}</p>
        )}
      </div>
      {access === "scopes" && (
        <Field label={t.scopes} hint={t.scopesHint}>
          {(id) => <input id={id} name="scopes" required autoComplete="off" spellCheck={false} />}
        </Field>
      )}
      <Field label={t.keyUser} hint={t.keyUserHint}>
        {(id) => <input id={id} name="user" autoComplete="off" spellCheck={false} />}
      </Field>
      <Field label={t.expiry} hint={t.expiryHint}>
        {(id) => <input id={id} name="expiry" type="date" />}
      </Field>
    </Confirm>
  );
}
