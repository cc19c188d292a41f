import { isId } from "@madang/contract/limits";
import { useMemo } from "react";
import { useSearchParams } from "wouter";
import { useSession } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { DayField, rangeOf } from "../../ui/fields/day-field";
import { SearchField } from "../../ui/fields/search-field";
import { useSearchParameter } from "../../ui/fields/search-parameter";
import { Select } from "../../ui/fields/select";

/** Every operation that an entry can have, in the order of the alphabet. */
function useAuditedOperations(): readonly string[] {
  const { audited_operations: operations } = useSession();
  return useMemo(() => [...operations].sort(), [operations]);
}

/** The filter that the address has, as the service takes it. Undefined if the service would reject it. */
export function useAuditFilter() {
  const [parameters] = useSearchParams();
  const operations = useAuditedOperations();
  return useMemo(() => {
    const text = (name: string) => parameters.get(name)?.trim() ?? "";
    const operation = text("operation");
    const [userId, channelId, keyId] = [text("user_id"), text("channel_id"), text("key_id")];
    const { since } = rangeOf(text("from")) ?? {};
    const { until } = rangeOf(text("to")) ?? {};
    const isValid = [userId, channelId].every(isEmptyOrId) && isInOrder(text("from"), text("to"));
    return isValid
      ? {
          ...(operations.includes(operation) && { operation }),
          ...(userId !== "" && { user_id: userId }),
          ...(channelId !== "" && { channel_id: channelId }),
          ...(keyId !== "" && { key_id: keyId }),
          ...(since !== undefined && { from: since }),
          ...(until !== undefined && { to: until }),
        }
      : undefined;
  }, [parameters, operations]);
}

const isEmptyOrId = (text: string) => text === "" || isId(text);

/** Days that are none, or that are missing, are in any order. */
function isInOrder(from: string, to: string): boolean {
  const [first, last] = [rangeOf(from), rangeOf(to)];
  return first === undefined || last === undefined || first.since < last.until;
}

export function AuditFilters() {
  const t = useTexts();
  const [from, setFrom] = useSearchParameter("from");
  const [to, setTo] = useSearchParameter("to");
  const [operation, setOperation] = useSearchParameter("operation");
  const operations = useAuditedOperations();
  const [reads, setReads] = useSearchParameter("reads");
  return (
    <div className="toolbar">
      <Select
        label={t.operation}
        value={operations.includes(operation) ? operation : ""}
        options={[
          { value: "", label: t.allOperations },
          ...operations.map((value) => ({ value, label: value })),
        ]}
        onChange={setOperation}
      />
      <IdFilter name="user_id" label={t.userId} />
      <IdFilter name="channel_id" label={t.channelId} />
      <DayField label={t.from} value={from} onChange={setFrom} />
      <DayField label={t.to} value={to} onChange={setTo} />
      <label className="checkbox">
        <input
          type="checkbox"
          checked={reads !== ""}
          onChange={({ target }) => setReads(target.checked ? "1" : "")}
        />
        {t.showReads}
      </label>
      {!isInOrder(from, to) && (
        <p className="form-error" role="alert">
          {t.daysInOrder}
        </p>
      )}
    </div>
  );
}

function IdFilter({ name, label }: { name: string; label: string }) {
  const t = useTexts();
  const [value, setValue] = useSearchParameter(name);
  const error = isEmptyOrId(value.trim()) ? undefined : t.idRule;
  return <SearchField label={label} value={value} onChange={setValue} error={error} isFilter />;
}
