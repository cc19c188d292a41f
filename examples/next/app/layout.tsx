import type { Metadata } from "next";
import type { ReactNode } from "react";
import { signIn } from "../server/actions";
import { connect, people } from "../server/chat";
import { readSession } from "../server/session";
import { Provider } from "./provider";
import "./style.css";

export const metadata: Metadata = { title: "Chat" };

export default async function Layout({ children }: { readonly children: ReactNode }) {
  const userId = await readSession();
  return (
    <html lang="en">
      <body>
        <main>
          {userId === undefined ? (
            <SignIn />
          ) : (
            // Another user needs another key: nothing of the one before stays.
            <Provider
              key={userId}
              url={process.env.MADANG_URL ?? ""}
              user={await connect().users.get(userId)}
            >
              {children}
            </Provider>
          )}
        </main>
      </body>
    </html>
  );
}

const SignIn = () => (
  <form action={signIn}>
    <h1>Who are you?</h1>
    {Object.entries(people).map(([id, name]) => (
      <button key={id} name="user" value={id} type="submit">
        Sign in as {name}
      </button>
    ))}
  </form>
);
