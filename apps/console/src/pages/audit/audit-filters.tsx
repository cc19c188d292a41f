import { useMemo } from "react";
import { useSearchParams } from "wouter";
import { useTexts } from "../../text/language";
import { SearchField } from "../../ui/search-field";
import { useSearchParameter } from "../../ui/search-parameter";

const names = ["operation", "user_id", "channel_id", "key_id"] as const;

/** The filter that the address has, as the service takes it. */
export function useAuditFilter() {
  const [parameters] = useSearchParams();
  return useMemo(() => {
    const texts = names.flatMap((name) => {
      const value = parameters.get(name)?.trim();
      return value ? [[name, value]] : [];
    });
    const day = (name: string) => new Date(`${parameters.get(name)}T00:00:00`).getTime();
    const [from, to] = [day("from"), day("to")];
    return {
      ...(Object.fromEntries(texts) as Partial<Record<(typeof names)[number], string>>),
      ...(!Number.isNaN(from) && { from }),
      // The whole last day.
      ...(!Number.isNaN(to) && { to: to + 86_400_000 }),
    };
  }, [parameters]);
}

export function AuditFilters() {
  const t = useTexts();
  const [reads, setReads] = useSearchParameter("reads");
  return (
    <div className="toolbar">
      <TextFilter name="operation" label={t.operation} />
      <TextFilter name="user_id" label={t.userId} />
      <TextFilter name="channel_id" label={t.channel} />
      <DayFilter name="from" label={t.from} />
      <DayFilter name="to" label={t.to} />
      <label className="checkbox">
        <input
          type="checkbox"
          checked={reads !== ""}
          onChange={({ target }) => setReads(target.checked ? "1" : "")}
        />
        {t.showReads}
      </label>
    </div>
  );
}

function TextFilter({ name, label }: { name: string; label: string }) {
  const [value, setValue] = useSearchParameter(name);
  return <SearchField label={label} value={value} onChange={setValue} isFilter />;
}

function DayFilter({ name, label }: { name: string; label: string }) {
  const [value, setValue] = useSearchParameter(name);
  return (
    <input
      type="date"
      className="day-field"
      aria-label={label}
      title={label}
      value={value}
      onChange={({ target }) => setValue(target.value)}
    />
  );
}
