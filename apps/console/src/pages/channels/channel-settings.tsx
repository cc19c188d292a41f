import type { Channel } from "@madang/client";
import { limits } from "@madang/contract/limits";
import { useState } from "react";
import { useLocation } from "wouter";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialogs/confirm";
import { RenameDialog } from "../../ui/dialogs/rename-dialog";
import { Field } from "../../ui/fields/field";
import { MetaEditor } from "../../ui/fields/meta-editor";
import { Id } from "../../ui/texts/copy";
import { Time } from "../../ui/texts/time";

type Action = "rename" | "freeze" | "slowMode" | "retention" | "delete";

export function ChannelSettings({ channel }: { channel: Channel }) {
  const t = useTexts();
  const { number, duration } = useFormat();
  const [action, setAction] = useState<Action>();
  const { channel_id: channelId, freeze, retention, slow_mode_seconds: slowModeSeconds } = channel;
  return (
    <div className="scroll columns">
      <section className="panel" aria-label={t.channel}>
        <h2>{t.channel}</h2>
        <dl className="facts">
          <dt>{t.id}</dt>
          <dd>
            <Id id={channelId} />
          </dd>
          <dt>{t.messages}</dt>
          <dd>{number(channel.total_message_count)}</dd>
          <dt>{t.fileMessages}</dt>
          <dd>{number(channel.total_file_count)}</dd>
          <dt>{t.created}</dt>
          <dd>
            <Time ms={channel.created_at} format="dateTime" />
          </dd>
          <dt>{t.updated}</dt>
          <dd>
            <Time ms={channel.updated_at} format="dateTime" />
          </dd>
          <dt>{t.slowMode}</dt>
          <dd>{slowModeSeconds === undefined ? t.slowModeOff : duration(slowModeSeconds)}</dd>
          <dt>{t.retention}</dt>
          <dd>
            {retention?.days === undefined ? t.retentionDefault : t.retentionDays(number(retention.days))}
            {retention?.hold && ` · ${t.onHold}`}
          </dd>
        </dl>
        <div className="actions">
          <Button operation="channels.update" onClick={() => setAction("rename")}>
            {t.rename}
          </Button>
          <Button icon="snow" operation="channels.freeze" onClick={() => setAction("freeze")}>
            {freeze ? t.unfreeze : t.freeze}
          </Button>
          <Button operation="channels.setSlowMode" onClick={() => setAction("slowMode")}>
            {t.changeSlowMode}
          </Button>
          <Button operation="channels.setRetention" onClick={() => setAction("retention")}>
            {t.changeRetention}
          </Button>
          <Button look="outline-danger" operation="channels.delete" onClick={() => setAction("delete")}>
            {t.deleteChannel}
          </Button>
        </div>
      </section>
      <MetaEditor
        meta={channel.meta}
        mergeOperation="channels.meta.merge"
        deleteOperation="channels.meta.delete"
        onMerge={(meta) => chat.channels.meta.merge(channelId, meta).then(refresh)}
        onDelete={(keys) => chat.channels.meta.delete(channelId, keys).then(refresh)}
      />
      {action && <ChannelAction name={action} channel={channel} onClose={() => setAction(undefined)} />}
    </div>
  );
}

const refresh = () => queryClient.invalidateQueries({ queryKey: ["channels"] });

function ChannelAction({ name, channel, onClose }: { name: Action; channel: Channel; onClose: () => void }) {
  const t = useTexts();
  const [, navigate] = useLocation();
  const { channel_id: channelId, freeze, retention } = channel;
  switch (name) {
    case "rename":
      return (
        <RenameDialog
          name={channel.name}
          maxLength={limits.channelName.maxLength}
          onRename={(name) => chat.channels.update(channelId, { name }).then(refresh)}
          onClose={onClose}
        />
      );
    case "freeze":
      return (
        <Confirm
          title={freeze ? t.unfreeze : t.freeze}
          description={freeze ? t.unfreezeText : t.freezeText}
          action={freeze ? t.unfreeze : t.freeze}
          isDanger={false}
          onClose={onClose}
          onConfirm={() => chat.channels.freeze(channelId, !freeze).then(refresh)}
        />
      );
    case "slowMode":
      return (
        <Confirm
          title={t.changeSlowMode}
          description={t.slowModeText}
          action={t.save}
          isDanger={false}
          onClose={onClose}
          onConfirm={(_, form) =>
            chat.channels.setSlowMode(channelId, Number(form.get("seconds"))).then(refresh)
          }
        >
          <Field label={t.slowModeLabel} hint={t.slowModeHint}>
            {(id) => (
              <input
                id={id}
                name="seconds"
                type="number"
                required
                {...limits.slowModeSeconds}
                defaultValue={channel.slow_mode_seconds ?? 0}
              />
            )}
          </Field>
        </Confirm>
      );
    case "retention":
      return (
        <Confirm
          title={t.changeRetention}
          description={t.retentionText}
          action={t.save}
          hasReason
          onClose={onClose}
          onConfirm={async (reason, form) => {
            const days = String(form.get("days"));
            const change = { days: days === "" ? null : Number(days), hold: form.has("hold") };
            await chat.channels.setRetention(channelId, change, { reason });
            await refresh();
          }}
        >
          <Field label={t.retentionDaysLabel} hint={t.retentionDaysHint}>
            {(id) => (
              <input id={id} name="days" type="number" min={1} max={36_500} defaultValue={retention?.days} />
            )}
          </Field>
          <label className="checkbox">
            <input type="checkbox" name="hold" defaultChecked={retention?.hold ?? false} /> {t.holdLabel}
          </label>
        </Confirm>
      );
    case "delete":
      return (
        <Confirm
          title={t.deleteChannelTitle(channel.name)}
          description={t.deleteChannelText}
          action={t.deleteChannel}
          done={t.deleteChannelDone}
          hasReason
          onClose={onClose}
          onConfirm={async (reason) => {
            await chat.channels.delete(channelId, { reason });
            navigate("/channels");
            await queryClient.invalidateQueries({ queryKey: ["channels", "list"] });
          }}
        />
      );
  }
}
