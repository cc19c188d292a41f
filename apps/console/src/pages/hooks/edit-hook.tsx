import type { Hook, HookWithSecret } from "@madang/client";
import { limits } from "@madang/contract/limits";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";
import { useTexts } from "../../text/language";
import { Confirm } from "../../ui/dialogs/confirm";
import { Field } from "../../ui/fields/field";

const operations = ["messages.send", "messages.update"] as const;
const callers = ["users", "all"] as const;
const failureActions = ["accept", "reject"] as const;

interface EditHookProps {
  /** Absent: a new one. */
  readonly hook?: Hook;
  readonly onClose: () => void;
  readonly onCreated?: (hook: HookWithSecret) => void;
}

/** Creates or changes a hook. */
export function EditHook({ hook, onClose, onCreated }: EditHookProps) {
  const t = useTexts();
  const { min, max, default: usual } = limits.hookTimeoutMs;
  return (
    <Confirm
      title={hook === undefined ? t.createHook : t.editHook}
      description={t.noHooksHint}
      action={hook === undefined ? t.createHook : t.save}
      isDanger={false}
      onClose={onClose}
      onConfirm={async (_, form) => {
        const values = {
          url: String(form.get("url")),
          operations: operations.filter((one) => form.has(one)),
          callers: callers.find((one) => one === form.get("callers")) ?? "users",
          timeout_ms: Number(form.get("timeout")),
          on_failure: failureActions.find((one) => one === form.get("failure")) ?? "accept",
        };
        if (hook === undefined) onCreated?.(await chat.hooks.create(values));
        else await chat.hooks.update(hook.hook_id, values);
        await queryClient.invalidateQueries({ queryKey: ["hooks"] });
      }}
    >
      <Field label={t.receiverUrl}>
        {(id) => (
          <input
            id={id}
            name="url"
            type="url"
            required
            placeholder="https://"
            defaultValue={hook?.url}
            autoComplete="off"
          />
        )}
      </Field>
      <fieldset className="field">
        <legend>{t.operations}</legend>
        {operations.map((one) => (
          <label key={one} className="checkbox">
            <input
              type="checkbox"
              name={one}
              defaultChecked={hook === undefined || hook.operations.includes(one)}
            />
            <code>{one}</code>
          </label>
        ))}
      </fieldset>
      <fieldset className="field">
        <legend>{t.hookCallers}</legend>
        <div className="choices">
          {callers.map((one) => (
            <label key={one} className="choice">
              <input
                type="radio"
                name="callers"
                value={one}
                defaultChecked={one === (hook?.callers ?? "users")}
              />
              {t.callerKinds[one]}
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset className="field">
        <legend>{t.onFailure}</legend>
        <div className="choices">
          {failureActions.map((one) => (
            <label key={one} className="choice">
              <input
                type="radio"
                name="failure"
                value={one}
                defaultChecked={one === (hook?.on_failure ?? "accept")}
              />
              {t.failureActions[one]}
            </label>
          ))}
        </div>
      </fieldset>
      <Field label={t.timeLimitLabel}>
        {(id) => (
          <input
            id={id}
            name="timeout"
            type="number"
            required
            min={min}
            max={max}
            defaultValue={hook?.timeout_ms ?? usual}
          />
        )}
      </Field>
    </Confirm>
  );
}
