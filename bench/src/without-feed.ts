import { registerHooks } from "node:module";

// With `--import`, before the server: it then writes no events, and looks for none. All else is the released server.
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    return url.endsWith("/server/dist/shared.js")
      ? { ...loaded, source: removeFeed(String(loaded.source)) }
      : loaded;
  },
});

function removeFeed(source: string): string {
  // PostgreSQL does not execute a SELECT in WITH that nothing refers to.
  const withoutEvents = replaceBody(source, "function emit(", 'return "SELECT WHERE false";');
  const numbered = "{ lastPosition: 0, isOwn: false, isOvertaken: false }";
  return replaceBody(withoutEvents, "async function numberEvents(", `return ${numbered};`);
}

/** Makes a function return before its body. */
function replaceBody(source: string, start: string, statement: string): string {
  const [before, after = "", ...others] = source.split(`\n${start}`);
  if (after === "" || others.length > 0) throw new Error(`The server must have one function "${start}".`);
  return `${before}\n${start}${after.replace("{", `{ ${statement}`)}`;
}
