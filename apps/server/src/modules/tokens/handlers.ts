import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { localsOf } from "../../http/locals";
import { requireTokenUser, revokeTokens } from "./store";

export const tokenHandlers = ({ now, userTokens, revocations }: ChatDeps) => ({
  users: defineHandlers(contract.users, {
    createToken: async ({ params: { user_id: userId }, body, res, db }) => {
      const { caller } = localsOf(res);
      const user = await requireTokenUser(db, userId);
      const { expires_in: seconds = limits.tokenSeconds.default } = body ?? {};
      const expiresAt = now() + seconds * 1_000;
      const keyDigest = caller?.kind === "sub" ? caller.digest : undefined;
      const token = userTokens.seal({ userId, ...user, expiresAt, keyDigest });
      return { status: 201, body: { token, expires_at: expiresAt } };
    },
    revokeTokens: async ({ params, writer }) => {
      await revokeTokens(writer, params.user_id);
      revocations.forget();
      return { status: 200, body: undefined };
    },
  }),
});
