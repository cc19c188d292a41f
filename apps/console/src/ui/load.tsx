import { type ComponentType, lazy } from "react";
import { Failure } from "./state";

/**
 * A component whose code is fetched when it is first shown. When that fails, as after an upgrade of the service, which has other
 * files, loading the page again helps.
 */
export const load = <Props,>(fetchComponent: () => Promise<ComponentType<Props>>) =>
  lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await fetchComponent() };
    } catch (error) {
      return { default: () => <Failure error={error} onRetry={() => location.reload()} /> };
    }
  });
