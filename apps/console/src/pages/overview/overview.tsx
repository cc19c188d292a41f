import type { UsageDay } from "@madang/client";
import { useQuery } from "@tanstack/react-query";
import { chat } from "../../api/chat";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { useSearchParameter } from "../../ui/fields/search-parameter";
import { Select } from "../../ui/fields/select";
import { Page } from "../../ui/page";
import { Failure, Loading } from "../../ui/state";
import { Attention } from "./attention";
import { Health } from "./health";
import { UsageChart } from "./usage-chart";

const periods = ["7", "30", "90"] as const;
type Period = (typeof periods)[number];
type Figure = "messages_sent" | "users_created" | "channels_created";

export function Overview() {
  const t = useTexts();
  const can = usePermission();
  const { exactTime } = useFormat();
  const [chosen, setPeriod] = useSearchParameter("days");
  const period = periods.find((one) => one === chosen) ?? "30";
  const usage = useQuery({
    queryKey: ["usage", period],
    // With the period before.
    queryFn: () => chat.usage.daily({ days: 2 * Number(period) }),
    enabled: can("usage.daily"),
  });
  const days = usage.data?.days ?? [];
  const [before, current] = [days.slice(0, -Number(period)), days.slice(-Number(period))];
  const options = periods.map((value) => ({ value, label: t.days(Number(value)) }));
  const onChange = (value: Period) => setPeriod(value === "30" ? "" : value);
  return (
    <Page
      title={t.overview}
      operation="usage.daily"
      actions={<Select label={t.period} value={period} options={options} onChange={onChange} />}
    >
      <div className="scroll">
        <Health />
        <Attention />
        {usage.data ? (
          <>
            <p className="figures-hint">{t.countsHint(Number(period), exactTime(usage.dataUpdatedAt))}</p>
            <div className="figures">
              <FigureOf days={current} before={before} field="messages_sent" label={t.messagesSent} />
              <FigureOf days={current} before={before} field="users_created" label={t.newUsers} />
              <FigureOf days={current} before={before} field="channels_created" label={t.newChannels} />
            </div>
            <Numbers days={current} />
          </>
        ) : usage.error ? (
          <Failure error={usage.error} onRetry={() => void usage.refetch()} />
        ) : (
          <Loading />
        )}
      </div>
    </Page>
  );
}

interface FigureProps {
  readonly days: readonly UsageDay[];
  /** As many days before these. */
  readonly before: readonly UsageDay[];
  readonly field: Figure;
  readonly label: string;
}

function FigureOf({ days, before, field, label }: FigureProps) {
  const t = useTexts();
  const { number, change } = useFormat();
  const [sum, earlier] = [days, before].map((some) => some.reduce((total, day) => total + day[field], 0));
  const total = number(sum ?? 0);
  return (
    <section className={`figure figure-${field}`} aria-label={label}>
      <h2>{label}</h2>
      <p className="figure-total">
        {total}{" "}
        {sum !== undefined && earlier !== undefined && earlier > 0 && (
          <small className="quiet">{t.comparedToBefore(change(sum / earlier - 1), number(earlier))}</small>
        )}
      </p>
      <UsageChart days={days} field={field} label={`${label}: ${total}, ${t.perDay}`} />
    </section>
  );
}

/** The numbers of the charts, for who cannot see them. */
function Numbers({ days }: { days: readonly UsageDay[] }) {
  const t = useTexts();
  const { number, date } = useFormat();
  return (
    <details className="numbers">
      <summary>{t.showTable}</summary>
      <table className="table">
        <thead>
          <tr>
            {[t.day, t.messagesSent, t.newUsers, t.newChannels].map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <td>{date(Date.parse(`${day.day}T12:00:00`))}</td>
              <td>{number(day.messages_sent)}</td>
              <td>{number(day.users_created)}</td>
              <td>{number(day.channels_created)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
