import type { Device } from "@madang/client";
import { useQuery } from "@tanstack/react-query";
import { chat } from "../../api/chat";
import { listOf } from "../../api/paged-list";
import { queryClient } from "../../api/query-client";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { showError, showNotice } from "../../ui/notice";
import { Empty } from "../../ui/state";
import { Badge } from "../../ui/texts/badge";
import { Time } from "../../ui/texts/time";

/** The devices to which messages are pushed, with how the last push went. */
export function UserDevices({ userId }: { userId: string }) {
  const t = useTexts();
  const { number } = useFormat();
  const queryKey = ["users", "devices", userId];
  const query = useQuery({
    queryKey,
    queryFn: async () => (await chat.users.devices.list(userId)).devices,
  });
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
        <>
          <code>{id}</code> <Badge>{t.providers[provider]}</Badge>
        </>
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
        <>
          <Button operation="users.devices.ping" onClick={() => test(id)}>
            {t.testPush}
          </Button>{" "}
          <Button operation="users.devices.remove" look="outline-danger" onClick={() => remove(id)}>
            {t.removeDevice}
          </Button>
        </>
      ),
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
  if (last === undefined) return null;
  const { at, status, error } = last;
  return (
    <>
      <Badge look={error === undefined ? "plain" : "danger"}>{error ?? status}</Badge> <Time ms={at} />
    </>
  );
}
