import { type ComponentType, lazy } from "react";

/** A component whose code is fetched when it is first shown. */
export const load = <Props>(fetchComponent: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await fetchComponent() }));
