import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { Router } from "wouter";
import { basePath } from "./api/base-path";
import { queryClient } from "./api/query-client";
import { Pages } from "./pages/pages";
import { SessionContext } from "./session/current-session";
import { fetchSession, sessionKey } from "./session/session";
import { SignIn } from "./session/sign-in";
import { Shell } from "./shell/shell";
import { Notices } from "./ui/notice";
import { Failure, Loading } from "./ui/state";

export function App() {
  return (
    // The policy of the page forbids style elements.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Router base={`${basePath}/console`}>
          <Entrance />
          <Notices />
        </Router>
      </QueryClientProvider>
    </CSPProvider>
  );
}

/** The pages for who is signed in, otherwise the form. The address stays the same, so that signing in leads on. */
function Entrance() {
  // It is asked for regularly: a session that ended or was revoked elsewhere closes the page.
  const session = useQuery({ queryKey: sessionKey, queryFn: fetchSession, refetchInterval: 30_000 });
  if (session.data === undefined) {
    if (session.isError)
      return (
        <main className="sign-in">
          <Failure error={session.error} onRetry={() => void session.refetch()} />
        </main>
      );
    return <Loading />;
  }
  if (session.data === null) return <SignIn />;
  return (
    <SessionContext value={session.data}>
      <Shell>
        <Pages />
      </Shell>
    </SessionContext>
  );
}
