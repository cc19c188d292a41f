import type { FilterTrialResult, FilterWithWords, NewFilter } from "@madang/client";
import { limits } from "@madang/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { type MouseEvent, useState } from "react";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialogs/confirm";
import { Dialog } from "../../ui/dialogs/dialog";
import { Field, splitList } from "../../ui/fields/field";
import { Failure, Loading } from "../../ui/state";
import { ErrorText } from "../../ui/texts/error-text";

const actions = ["reject", "mask", "report"] as const;
type Action = (typeof actions)[number];

interface EditFilterProps {
  /** Absent: a new one. */
  readonly filterId?: string;
  readonly onClose: () => void;
}

/** Creates or changes a filter, which can be tried on a text before it is saved. */
export function EditFilter({ filterId, onClose }: EditFilterProps) {
  const t = useTexts();
  const stored = useQuery({
    queryKey: ["filters", "one", filterId],
    queryFn: () => chat.filters.get(filterId ?? ""),
    enabled: filterId !== undefined,
    // The fields begin with it, so it is not an earlier one.
    gcTime: 0,
  });
  if (filterId !== undefined && stored.data === undefined)
    return (
      <Dialog title={t.editFilter} onClose={onClose}>
        {stored.error ? <Failure error={stored.error} onRetry={() => void stored.refetch()} /> : <Loading />}
      </Dialog>
    );
  return <FilterForm filter={stored.data} onClose={onClose} />;
}

function FilterForm({ filter, onClose }: { filter: FilterWithWords | undefined; onClose: () => void }) {
  const t = useTexts();
  return (
    <Confirm
      title={filter === undefined ? t.createFilter : t.editFilter}
      description={t.filterText}
      action={filter === undefined ? t.createFilter : t.save}
      isDanger={false}
      onClose={onClose}
      onConfirm={async (_, form) => {
        const values = valuesOf(form);
        const { channel_ids: channelIds = null } = values;
        if (filter === undefined) await chat.filters.create(values);
        else await chat.filters.update(filter.filter_id, { ...values, channel_ids: channelIds });
        await queryClient.invalidateQueries({ queryKey: ["filters", "list"] });
      }}
    >
      <FilterFields filter={filter} />
    </Confirm>
  );
}

/** The body of a request with these fields. */
function valuesOf(form: FormData): NewFilter {
  const channelIds = splitList(form.get("channels"));
  return {
    label: String(form.get("label")).trim(),
    ...searchedOf(form),
    ...(channelIds.length > 0 && { channel_ids: channelIds }),
    action: actionOf(form),
  };
}

/** The words, one in each line, or the pattern. */
function searchedOf(form: FormData): Pick<NewFilter, "words" | "pattern"> {
  if (form.get("kind") === "pattern") return { pattern: String(form.get("pattern")) };
  const lines = String(form.get("words")).split("\n");
  return { words: lines.map((line) => line.trim()).filter(Boolean) };
}

const actionOf = (form: FormData): Action =>
  actions.find((action) => action === form.get("action")) ?? "reject";

function FilterFields({ filter }: { filter: FilterWithWords | undefined }) {
  const t = useTexts();
  const [kind, setKind] = useState<"words" | "pattern">(filter?.pattern === undefined ? "words" : "pattern");
  return (
    <>
      <Field label={t.label} hint={t.filterLabelHint}>
        {(id) => (
          <input
            id={id}
            name="label"
            required
            maxLength={limits.filterLabel.maxLength}
            pattern=".*\S.*"
            defaultValue={filter?.label}
            autoComplete="off"
          />
        )}
      </Field>
      <fieldset className="field">
        <legend>{t.filterFinds}</legend>
        <div className="choices">
          {(["words", "pattern"] as const).map((value) => (
            <label key={value} className="choice">
              <input
                type="radio"
                name="kind"
                value={value}
                checked={kind === value}
                onChange={() => setKind(value)}
              />
              {t.filterKinds[value]}
            </label>
          ))}
        </div>
        {kind === "words" ? (
          <Field label={t.filterKinds.words} hint={t.wordsHint}>
            {(id) => (
              <textarea
                id={id}
                name="words"
                rows={5}
                required
                defaultValue={filter?.words?.join("\n")}
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
        ) : (
          <Field label={t.filterKinds.pattern} hint={t.patternHint}>
            {(id) => (
              <input
                id={id}
                name="pattern"
                required
                maxLength={limits.filterPattern.maxLength}
                defaultValue={filter?.pattern}
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
        )}
      </fieldset>
      <fieldset className="field">
        <legend>{t.action}</legend>
        {actions.map((value) => (
          <label key={value} className="choice">
            <input
              type="radio"
              name="action"
              value={value}
              defaultChecked={value === (filter?.action ?? "reject")}
            />
            <span>
              {t.filterActions[value]} <span className="quiet">{t.filterActionHints[value]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field label={t.filterChannels} hint={t.filterChannelsHint}>
        {(id) => (
          <input
            id={id}
            name="channels"
            defaultValue={filter?.channel_ids?.join(", ")}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      <Trial />
    </>
  );
}

/** Shows what the unsaved filter would do with a text. Nothing is stored. */
function Trial() {
  const t = useTexts();
  const [result, setResult] = useState<FilterTrialResult & { readonly action: Action }>();
  const [error, setError] = useState<unknown>();

  async function run({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) {
    if (form === null) return;
    const data = new FormData(form);
    setResult(undefined);
    setError(undefined);
    try {
      const found = await chat.filters.try({ ...searchedOf(data), text: String(data.get("text")) });
      setResult({ ...found, action: actionOf(data) });
    } catch (caught) {
      setError(caught);
    }
  }

  return (
    <div className="field">
      <Field label={t.trialText}>
        {(id) => (
          <textarea id={id} name="text" rows={2} maxLength={limits.content.maxLength} autoComplete="off" />
        )}
      </Field>
      <div className="trial">
        <Button operation="filters.try" onClick={run}>
          {t.tryFilter}
        </Button>
        <div role="status">
          {result !== undefined && (
            <>
              <p>{result.matches ? t.trialOutcomes[result.action] : t.trialFindsNothing}</p>
              {result.matches && <p className="quiet user-text">{result.masked}</p>}
            </>
          )}
        </div>
      </div>
      {error !== undefined && (
        <p className="form-error" role="alert">
          <ErrorText error={error} />
        </p>
      )}
    </div>
  );
}
