import type { Device } from "@madang/client";
import { useQuery } from "@tanstack/react-query";
import { chat } from "../../api/chat";
import { listOf } from "../../api/paged-list";
import { queryClient } from "../../api/query-client";
import { usePermission } from "../../session/current-session";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { IconButton } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Menu } from "../../ui/menu";
import { showError, showNotice } from "../../ui/notice";
import { Empty, NotPermitted } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { Time } from "../../ui/texts/time";

/** The devices to which messages are pushed, with how the last push went. */
export function UserDevices({ userId }: { userId: string }) {
  const t = useTexts();
  const can = usePermission();
  const { number } = useFormat();
  const queryKey = ["users", "devices", userId];
  const query = useQuery({
    queryKey,
    queryFn: async () => (await chat.users.devices.list(userId)).devices,
    enabled: can("users.devices.list"),
  });
  if (!can("users.devices.list")) return <NotPermitted operation="users.devices.list" />;
  const refresh = () => queryClient.invalidateQueries({ queryKey });

  async function test(deviceId: string) {
    try {
      const result = await chat.users.devices.ping(userId, deviceId);
      const { status, duration_ms: durationMs, error } = result;
      showNotice(
        status === undefined || error !== undefined
          ? t.pingFailed(error ?? "")
          : t.pushSucceeded(status, number(durationMs)),
      );
    } catch (error) {
      showError(error);
    }
    await refresh();
  }

  const remove = (deviceId: string) =>
    chat.users.devices.remove(userId, deviceId).catch(showError).then(refresh);

  const columns: Column<Device>[] = [
    {
      header: t.device,
      cell: ({ device_id: id, provider }) => (
        <span className="row-lines">
          <code className="clip">{id}</code>
          <span className="clip quiet">{t.providers[provider]}</span>
        </span>
      ),
    },
    {
      header: t.registered,
      cell: ({ updated_at: at }) => <Time ms={at} />,
      className: "column-time wide",
    },
    { header: t.lastPush, cell: (device) => <LastPush device={device} /> },
    {
      header: t.actions,
      cell: ({ device_id: id }) => (
        <Menu
          trigger={<IconButton label={t.actionsFor(id)} icon="more" />}
          entries={[
            { label: t.testPush, operation: "users.devices.ping", onSelect: () => test(id) },
            {
              label: t.removeDevice,
              operation: "users.devices.remove",
              isDanger: true,
              onSelect: () => remove(id),
            },
          ]}
        />
      ),
      className: "column-menu",
    },
  ];
  return (
    <DataTable
      label={t.devices}
      columns={columns}
      list={listOf(query)}
      rowKey={({ device_id }) => device_id}
      empty={<Empty title={t.noDevices} />}
    />
  );
}

function LastPush({ device: { last_push: last } }: { device: Device }) {
  const t = useTexts();
  if (last === undefined) return null;
  const { at, status, error } = last;
  return (
    <span className="row-lines">
      <span className="clip">
        <Badge look={error === undefined ? "success" : "danger"}>{status ?? t.error}</Badge>
        {error !== undefined && <span className="quiet"> {error}</span>}
      </span>
      <span className="clip quiet">
        <Time ms={at} />
      </span>
    </span>
  );
}
