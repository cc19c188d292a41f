import type { Channel } from "@madang/client";
import { limits } from "@madang/contract/limits";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { chat } from "../../api/chat";
import { usePermission, useSession } from "../../session/current-session";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { Select } from "../../ui/fields/select";
import { ErrorText } from "../../ui/texts/error-text";
import { useMembers } from "../channels/members";

/** No member has this id. */
const system = "*";

/** Sends a message as a chosen member, or as the application. */
export function Composer({ channel, onSent }: { channel: Channel; onSent: () => void }) {
  const t = useTexts();
  const can = usePermission();
  const { channel_id: channelId, freeze } = channel;
  const members = useMembers(channelId);
  const [chosen, setSender] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  if (!can("messages.send")) return <p className="composer-closed">{t.needsScope("messages.send")}</p>;

  // In a frozen channel, only managers can send.
  const { can_send_as_users: mayChoose } = useSession();
  const senders = mayChoose ? (members.data ?? []).filter(({ isManager }) => isManager || !freeze) : [];
  const options = [
    ...senders.map(({ user_id, name }) => ({ value: user_id, label: t.sendAs(name) })),
    { value: system, label: t.sendAsSystem },
  ];
  // The reader chooses among several: a default would send in the name of somebody who was not meant.
  const sender = mayChoose ? options.find(({ value }) => value === chosen)?.value : system;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    const content = String(new FormData(element).get("content"));
    if (content.trim() === "" || isBusy) return;
    if (sender === undefined) return setError(new Error(t.senderMissing));
    setBusy(true);
    try {
      await chat.messages.send(
        channelId,
        sender === system ? { type: "system", content } : { user_id: sender, type: "text", content },
      );
      setError(undefined);
      element.reset();
      onSent();
    } catch (caught) {
      setError(caught);
    }
    setBusy(false);
  }

  /** Enter sends, except while a syllable is being composed. */
  function press(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    form.current?.requestSubmit();
  }

  return (
    <form className="composer" ref={form} onSubmit={submit}>
      <Select
        label={t.sender}
        value={sender}
        placeholder={t.chooseSender}
        options={options}
        onChange={(value) => {
          setSender(value);
          setError(undefined);
        }}
      />
      <textarea
        name="content"
        rows={1}
        maxLength={limits.content.maxLength}
        aria-label={t.message}
        placeholder={t.writeMessage}
        onKeyDown={press}
      />
      <Button type="submit" look="primary" disabled={isBusy}>
        {t.send}
      </Button>
      {error !== undefined && (
        <p className="form-error" role="alert">
          <ErrorText error={error} />
        </p>
      )}
    </form>
  );
}
