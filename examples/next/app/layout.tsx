import type { Metadata } from "next";
import type { ReactNode } from "react";
import { signIn } from "../server/actions";
import { people } from "../server/chat";
import { readSession } from "../server/session";
import { Chat } from "./chat";
import "./style.css";

export const metadata: Metadata = { title: "Chat" };

export default async function Layout({ children }: { readonly children: ReactNode }) {
  const userId = await readSession();
  return (
    <html lang="en">
      <body>
        {userId === undefined ? (
          <SignIn />
        ) : (
          // Another user needs another key: nothing of the one before stays.
          <Chat key={userId} url={process.env.MADANG_URL ?? ""}>
            {children}
          </Chat>
        )}
      </body>
    </html>
  );
}

const SignIn = () => (
  <form action={signIn}>
    {Object.entries(people).map(([id, name]) => (
      <button key={id} name="user" value={id} type="submit">
        Sign in as {name}
      </button>
    ))}
  </form>
);
