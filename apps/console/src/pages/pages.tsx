import { type ComponentType, lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { useTexts } from "../text/language";
import { Empty, Loading } from "../ui/state";

/** A page whose code is fetched when it is opened. */
const load = <Name extends string>(name: Name, fetchModule: () => Promise<Record<Name, ComponentType>>) =>
  lazy(async () => ({ default: (await fetchModule())[name] }));

const Overview = load("Overview", () => import("./overview/overview"));
const Users = load("Users", () => import("./users/users"));
const UserPage = load("UserPage", () => import("./users/user-page"));
const Channels = load("Channels", () => import("./channels/channels"));
const ChannelPage = load("ChannelPage", () => import("./channels/channel-page"));
const Search = load("Search", () => import("./search/search"));
const Events = load("Events", () => import("./events/events"));
const Webhooks = load("Webhooks", () => import("./webhooks/webhooks"));
const WebhookPage = load("WebhookPage", () => import("./webhooks/webhook-page"));
const Keys = load("Keys", () => import("./keys/keys"));
const Audit = load("Audit", () => import("./audit/audit"));
const Privacy = load("Privacy", () => import("./privacy/privacy"));

export function Pages() {
  const t = useTexts();
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        <Route path="/" component={Overview} />
        <Route path="/users" component={Users} />
        <Route path="/users/:userId/:tab?" component={UserPage} />
        <Route path="/channels" component={Channels} />
        <Route path="/channels/:channelId/:tab?" component={ChannelPage} />
        <Route path="/search" component={Search} />
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
