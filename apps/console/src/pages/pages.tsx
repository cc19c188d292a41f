import { Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { usePermission } from "../session/current-session";
import { useSections } from "../shell/navigation";
import { useTexts } from "../text/language";
import { load } from "../ui/load";
import { Empty, Loading } from "../ui/state";
// What `/` opens: the field is there for the next key.
import { Search } from "./search/search";
import { Users } from "./users/users";

const Overview = load(async () => (await import("./overview/overview")).Overview);
const UserPage = load(async () => (await import("./users/user-page")).UserPage);
const Channels = load(async () => (await import("./channels/channels")).Channels);
const ChannelPage = load(async () => (await import("./channels/channel-page")).ChannelPage);
const Reports = load(async () => (await import("./reports/reports")).Reports);
const Filters = load(async () => (await import("./filters/filters")).Filters);
const Hooks = load(async () => (await import("./hooks/hooks")).Hooks);
const HookPage = load(async () => (await import("./hooks/hook-page")).HookPage);
const Events = load(async () => (await import("./events/events")).Events);
const Webhooks = load(async () => (await import("./webhooks/webhooks")).Webhooks);
const WebhookPage = load(async () => (await import("./webhooks/webhook-page")).WebhookPage);
const Keys = load(async () => (await import("./keys/keys")).Keys);
const Audit = load(async () => (await import("./audit/audit")).Audit);
const Privacy = load(async () => (await import("./privacy/privacy")).Privacy);

export function Pages() {
  const t = useTexts();
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        <Route path="/" component={Home} />
        <Route path="/users" component={Users} />
        <Route path="/users/:userId/:tab?" component={UserPage} />
        <Route path="/channels" component={Channels} />
        <Route path="/channels/:channelId/:tab?" component={ChannelPage} />
        <Route path="/search" component={Search} />
        <Route path="/reports" component={Reports} />
        <Route path="/filters" component={Filters} />
        <Route path="/hooks" component={Hooks} />
        <Route path="/hooks/:hookId" component={HookPage} />
        <Route path="/events" component={Events} />
        <Route path="/webhooks" component={Webhooks} />
        <Route path="/webhooks/:webhookId" component={WebhookPage} />
        <Route path="/keys" component={Keys} />
        <Route path="/audit" component={Audit} />
        <Route path="/privacy" component={Privacy} />
        <Route>
          <Empty title={t.pageNotFound} />
        </Route>
      </Switch>
    </Suspense>
  );
}

/** The overview, or the first section of a key that may not see it. */
function Home() {
  const can = usePermission();
  const [first] = useSections();
  return can("usage.daily") || first === undefined ? <Overview /> : <Redirect to={first.path} replace />;
}
