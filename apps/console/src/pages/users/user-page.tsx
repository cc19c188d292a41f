import type { User, UserToken } from "@madang/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { chat } from "../../api/chat";
import { isGone, queryClient } from "../../api/query-client";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { IconButton } from "../../ui/button";
import { SecretDialog } from "../../ui/dialogs/secret-dialog";
import { MetaEditor } from "../../ui/fields/meta-editor";
import { Menu, type MenuEntry } from "../../ui/menu";
import { Page, UnloadedPage } from "../../ui/page";
import { Tabs } from "../../ui/tabs";
import { Avatar } from "../../ui/texts/avatar";
import { isInForce, RestrictionBadge } from "../../ui/texts/restriction";
import { Time } from "../../ui/texts/time";
import { Name, OutsideLink } from "../../ui/texts/user-text";
import { UserAction, type UserActionName } from "./user-actions";
import { UserBlocks } from "./user-blocks";
import { UserChannels } from "./user-channels";
import { UserDevices } from "./user-devices";
import { UserMessages } from "./user-messages";
import { UserSummary } from "./user-summary";

export function UserPage() {
  const t = useTexts();
  const { userId = "", tab } = useParams<{ userId: string; tab?: string }>();
  const user = useQuery({ queryKey: ["users", "one", userId], queryFn: () => chat.users.get(userId) });
  const [action, setAction] = useState<UserActionName>();
  const [token, setToken] = useState<UserToken>();
  const { dateTime } = useFormat();
  const [, navigate] = useLocation();
  if (user.data === undefined || isGone(user.error))
    return <UnloadedPage title={userId} operation="users.get" query={user} />;
  const { name, suspended_until: suspendedUntil } = user.data;
  const isSuspended = isInForce(suspendedUntil);
  const heading = (
    <>
      <Link href="/users" className="crumb">
        {t.users}
      </Link>
      <Avatar id={userId} name={name} />
      <Name name={name} id={userId} />
      <RestrictionBadge label={t.suspended} until={suspendedUntil} />
    </>
  );
  const entries: MenuEntry[] = [
    { label: t.rename, operation: "users.update", onSelect: () => setAction("rename") },
    isSuspended
      ? { label: t.unsuspend, operation: "users.unsuspend", onSelect: () => setAction("unsuspend") }
      : { label: t.suspend, operation: "users.suspend", onSelect: () => setAction("suspend") },
    { label: t.createToken, operation: "users.createToken", onSelect: () => setAction("createToken") },
    { label: t.revokeTokens, operation: "users.revokeTokens", onSelect: () => setAction("revokeTokens") },
    { label: t.exportData, operation: "privacy.export", onSelect: () => setAction("export") },
    { label: t.deleteUser, operation: "users.delete", isDanger: true, onSelect: () => setAction("delete") },
    { label: t.erasePerson, operation: "privacy.erase", isDanger: true, onSelect: () => setAction("erase") },
  ];
  return (
    <Page
      title={name}
      heading={heading}
      operation="users.get"
      actions={<Menu trigger={<IconButton label={t.actions} icon="more" />} entries={entries} />}
    >
      <UserSummary user={user.data} />
      <Tabs
        label={t.user}
        tabs={[
          { path: `/users/${userId}`, label: t.channels, isCurrent: tab === undefined },
          { path: `/users/${userId}/messages`, label: t.messages, isCurrent: tab === "messages" },
          { path: `/users/${userId}/devices`, label: t.devices, isCurrent: tab === "devices" },
          { path: `/users/${userId}/blocks`, label: t.blocked, isCurrent: tab === "blocks" },
          { path: `/users/${userId}/profile`, label: t.profile, isCurrent: tab === "profile" },
        ]}
      />
      {tab === undefined && <UserChannels userId={userId} />}
      {tab === "messages" && <UserMessages userId={userId} />}
      {tab === "devices" && <UserDevices userId={userId} />}
      {tab === "blocks" && <UserBlocks userId={userId} />}
      {tab === "profile" && <Profile user={user.data} />}
      {action !== undefined && (
        <UserAction
          name={action}
          user={user.data}
          onClose={() => setAction(undefined)}
          onToken={setToken}
          onGone={() => navigate("/users")}
        />
      )}
      {token && (
        <SecretDialog
          title={t.token}
          text={t.tokenText(dateTime(token.expires_at))}
          secret={token.token}
          onClose={() => setToken(undefined)}
        />
      )}
    </Page>
  );
}

function Profile({ user }: { user: User }) {
  const t = useTexts();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["users"] });
  const { user_id: userId, profile_url: profileUrl } = user;
  return (
    <div className="scroll columns">
      <section className="panel" aria-label={t.profile}>
        <h2>{t.profile}</h2>
        <dl className="facts">
          <dt>{t.created}</dt>
          <dd>
            <Time ms={user.created_at} format="dateTime" />
          </dd>
          {user.updated_at !== undefined && (
            <>
              <dt>{t.updated}</dt>
              <dd>
                <Time ms={user.updated_at} format="dateTime" />
              </dd>
            </>
          )}
          {profileUrl !== undefined && (
            <>
              <dt>{t.profileUrl}</dt>
              <dd>
                <OutsideLink href={profileUrl} text={profileUrl} />
              </dd>
            </>
          )}
        </dl>
      </section>
      <MetaEditor
        meta={user.meta}
        mergeOperation="users.meta.merge"
        deleteOperation="users.meta.delete"
        onMerge={(meta) => chat.users.meta.merge(userId, meta).then(refresh)}
        onDelete={(keys) => chat.users.meta.delete(userId, keys).then(refresh)}
      />
    </div>
  );
}
