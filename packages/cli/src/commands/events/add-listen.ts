import type { Command } from "commander";
import type { Session } from "../../session";
import { UsageError } from "../../terminal/exit-codes";
import { write } from "../../terminal/io";
import { toJsonLine, toPlainText } from "../../terminal/output/plain-text";
import { addFollowOptions, type FollowOptions, followEvents } from "./follow-events";
import { type Delivery, forward } from "./forward";
import { requireSigningSecret } from "./signing-secret";

interface ListenOptions extends FollowOptions {
  readonly forwardTo?: string;
  readonly printSecret?: true;
}

export function addListen(program: Command, session: Session): void {
  const { io, output } = session;
  const command = program
    .command("listen")
    .summary("Forward events to a program on this machine")
    .description(
      "Sends each event to a URL as a webhook would, signed by Standard Webhooks 1.0, one after the other, and prints how the receiver responded. A failed delivery is not repeated. The secret is always the same on this machine.",
    )
    .option("--forward-to <url>", "where to send the events")
    .option("--print-secret", "print the secret with which the receiver verifies signatures, and exit")
    .addHelpText(
      "after",
      "\nExample:\n  $ export WEBHOOK_SECRET=$(madang listen --print-secret)\n  $ madang listen --forward-to http://127.0.0.1:8080/webhooks",
    );
  addFollowOptions(command).action(async (options: ListenOptions) => {
    const secret = await requireSigningSecret(io.env);
    if (options.printSecret) return output.line(secret);
    const url = requireUrl(options.forwardTo);
    for await (const { event } of followEvents(session, options))
      if (event !== undefined) await print(await forward(event, url, secret, io.signal));
      else
        output.note(
          `Forwarding events to ${url}. The receiver needs the secret: madang listen --print-secret`,
        );
  });

  async function print(delivery: Delivery): Promise<void> {
    if (session.options().json) return write(io.stdout, toJsonLine(delivery));
    const { event_id, type, status, error, duration_ms } = delivery;
    const isDone = status !== undefined && status >= 200 && status < 300;
    const outcome = output.styleData(isDone ? "green" : "red", toPlainText(String(status ?? error)));
    await output.line(
      `${toPlainText(type).padEnd(17)}  ${toPlainText(event_id)}  ${outcome}  ${duration_ms} ms`,
    );
  }
}

function requireUrl(text: string | undefined): string {
  if (text === undefined) throw new UsageError("--forward-to is required.");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      "--forward-to must be an http or https URL, such as http://127.0.0.1:8080/webhooks.",
    );
  return url.href;
}
