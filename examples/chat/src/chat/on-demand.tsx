import { type ComponentType, lazy, Suspense } from "react";

/** What is opened by a click, or may come later, is loaded then: the page itself is there sooner. Without a connection, nothing opens. */
function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy<ComponentType<Props>>(() =>
    load().then(
      (component) => ({ default: component }),
      () => ({ default: () => null }),
    ),
  );
  return (props: Props) => (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}

const loadMenu = () => import("./menu");
const loadMessageMenu = () => import("./message-menu");
const loadDialog = () => import("./dialog");

export const Menu = onDemand(async () => (await loadMenu()).Menu);
export const Dialog = onDemand(async () => (await loadDialog()).Dialog);
export const MessageMenu = onDemand(async () => (await loadMessageMenu()).MessageMenu);
export const ReportDialog = onDemand(async () => (await loadDialog()).ReportDialog);
export const SearchResults = onDemand(async () => (await import("./search-results")).SearchResults);
export const PushSwitch = onDemand(async () => (await import("./push-switch")).PushSwitch);
export const EmojiPicker = onDemand(async () => (await import("./emoji-picker")).EmojiPicker);
export const ImageViewer = onDemand(async () => (await import("./image-viewer")).ImageViewer);

/** The menus are loaded once the page is idle: they open at once, also without a connection. */
export const loadMenus = () => Promise.allSettled([loadMessageMenu(), loadDialog()]);
