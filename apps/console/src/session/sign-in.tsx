import { limits } from "@madang/contract/limits";
import { type FormEvent, useEffect, useState } from "react";
import { queryClient } from "../api/query-client";
import { LanguageSelect } from "../shell/preferences";
import { useTexts } from "../text/language";
import { Field } from "../ui/fields/field";
import { Icon } from "../ui/texts/icon";
import { notifyOtherTabs } from "./other-tabs";
import { fetchSession, sessionKey, signIn } from "./session";

const actorKey = "madang-console-actor";

export function SignIn() {
  const t = useTexts();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    document.title = `${t.signIn} · Madang`;
    // What the last person saw is not for the next one.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
  }, [t]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const actor = String(data.get("actor")).trim();
    setBusy(true);
    setProblem(undefined);
    try {
      const rejection = await signIn(String(data.get("key")).trim(), actor);
      if (rejection === undefined) {
        localStorage.setItem(actorKey, actor);
        queryClient.setQueryData(sessionKey, await fetchSession());
        notifyOtherTabs();
        return;
      }
      setProblem(rejection === "limited" ? t.signInLimited : t.signInRejected);
    } catch {
      setProblem(t.signInUnreachable);
    }
    setBusy(false);
  }

  return (
    <main className="sign-in">
      <form className="form sign-in-form" onSubmit={submit}>
        <h1>
          <span className="brand-mark" aria-hidden="true" /> Madang
        </h1>
        <Field label={t.yourName} hint={t.yourNameHint}>
          {(id) => (
            <input
              id={id}
              name="actor"
              required
              maxLength={limits.consoleActor.maxLength}
              pattern=".*\S.*"
              autoComplete="name"
              defaultValue={localStorage.getItem(actorKey) ?? ""}
            />
          )}
        </Field>
        <Field label={t.apiKey} hint={t.apiKeyHint}>
          {(id) => (
            <input id={id} name="key" type="password" required autoComplete="off" spellCheck={false} />
          )}
        </Field>
        {problem !== undefined && (
          <p className="form-error" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" className="button button-primary" disabled={isBusy}>
          <Icon name="keys" />
          {t.signIn}
        </button>
      </form>
      <LanguageSelect />
    </main>
  );
}
