import { type ComponentType, lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useTexts } from "../text/language";
import { Empty, Loading } from "../ui/state";

/** A page whose code is fetched when it is opened. */
const load = <Name extends string>(name: Name, fetchModule: () => Promise<Record<Name, ComponentType>>) =>
  lazy(async () => ({ default: (await fetchModule())[name] }));

const Users = load("Users", () => import("./users/users"));
const UserPage = load("UserPage", () => import("./users/user-page"));
const Channels = load("Channels", () => import("./channels/channels"));
const ChannelPage = load("ChannelPage", () => import("./channels/channel-page"));
const Search = load("Search", () => import("./search/search"));

export function Pages() {
  const t = useTexts();
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        <Route path="/">
          <Redirect to="/users" replace />
        </Route>
        <Route path="/users" component={Users} />
        <Route path="/users/:userId/:tab?" component={UserPage} />
        <Route path="/channels" component={Channels} />
        <Route path="/channels/:channelId/:tab?" component={ChannelPage} />
        <Route path="/search" component={Search} />
        <Route>
          <Empty title={t.pageNotFound} />
        </Route>
      </Switch>
    </Suspense>
  );
}
