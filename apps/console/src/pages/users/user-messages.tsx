import { useState } from "react";
import { useSearchParams } from "wouter";
import { chat } from "../../api/chat";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { DayField, rangeOf } from "../../ui/fields/day-field";
import { SearchField } from "../../ui/fields/search-field";
import { Empty, NotPermitted } from "../../ui/state";
import { MessageHits } from "../search/message-hits";
import { FoundMessages } from "../search/search";

/** What a person wrote in all channels: everything, one day, or what contains some words. */
export function UserMessages({ userId }: { userId: string }) {
  const t = useTexts();
  const can = usePermission();
  const [parameters, setParameters] = useSearchParams();
  const query = parameters.get("q") ?? "";
  const day = parameters.get("day") ?? "";
  const [choices, setChoices] = useState(0);
  const operation = query.trim() === "" ? "users.messages" : "messages.searchAll";
  // The service searches all days, so the words and the day replace each other.
  const show = (name: "q" | "day", value: string) =>
    setParameters(value === "" ? {} : { [name]: value }, { replace: true });
  function chooseDay(value: string) {
    show("day", value);
    setChoices((count) => count + 1);
  }
  return (
    <>
      <div className="toolbar">
        <SearchField
          // Words that it has not reported yet are older than the day.
          key={choices}
          label={t.searchMessagesOfUser}
          value={query}
          onChange={(value) => show("q", value)}
        />
        <DayField label={t.onDay} value={day} onChange={chooseDay} />
      </div>
      {!can(operation) ? (
        <NotPermitted operation={operation} />
      ) : query.trim() === "" ? (
        <WrittenMessages userId={userId} day={day} />
      ) : (
        <FoundMessages query={query.trim()} userId={userId} />
      )}
    </>
  );
}

function WrittenMessages({ userId, day }: { userId: string; day: string }) {
  const t = useTexts();
  const formats = useFormat();
  const range = rangeOf(day);
  const empty =
    range === undefined ? (
      <Empty title={t.noMessages} />
    ) : (
      <Empty title={t.noMessagesOn(formats.day(range.since))} />
    );
  return (
    <MessageHits
      queryKey={["users", "messages", userId, day]}
      fetchPage={(cursor) => chat.users.messages(userId, { pageSize: 50, ...range, cursor })}
      empty={empty}
      isOfOneUser
    />
  );
}
