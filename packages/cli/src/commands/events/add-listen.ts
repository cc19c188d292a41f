import { type Command, Option } from "commander";
import { parsePort } from "../../parse-options";
import type { Session } from "../../session";
import { UsageError } from "../../terminal/exit-codes";
import { write } from "../../terminal/io";
import { toJsonLine, toPlainText } from "../../terminal/output/plain-text";
import { addFollowOptions, type FollowOptions, followEvents } from "./follow-events";
import { type Delivery, forward } from "./forward";
import { type Decision, type HookOptions, listenToHooks } from "./listen-hooks";
import { requireSigningSecret } from "./signing-secret";

interface ListenOptions extends FollowOptions, HookOptions {
  readonly hooks?: true;
  readonly forwardTo?: string;
  readonly printSecret?: true;
}

export function addListen(program: Command, session: Session): void {
  const { io, output } = session;
  const command = program
    .command("listen")
    .summary("Forward events to a program on this machine")
    .description(
      "Sends each event to a URL as a webhook would, signed by Standard Webhooks 1.0, one after the other, and prints how the receiver responded. A failed delivery is not repeated. The secret is always the same on this machine. With --hooks, creates a hook and passes its calls on instead, so that the program decides about messages until Ctrl-C, which deletes the hook.",
    )
    .option("--forward-to <url>", "where to send the events, or the calls")
    .addOption(
      new Option("--hooks", "forward the calls of a hook, not events; needs the master key").conflicts([
        "types",
        "channel",
        "after",
      ]),
    )
    .option(
      "--port <number>",
      "the port of this machine that the hook calls; by default a free one",
      parsePort,
    )
    .option("--public-url <url>", "the address of a tunnel to that port, if the server is elsewhere")
    .option("--print-secret", "print the secret with which the receiver verifies signatures, and exit")
    .addHelpText(
      "after",
      "\nExample:\n  $ export WEBHOOK_SECRET=$(madang listen --print-secret)\n  $ madang listen --forward-to http://127.0.0.1:8080/webhooks\n  $ madang listen --hooks --forward-to http://127.0.0.1:8080/hooks",
    );
  addFollowOptions(command).action(async (options: ListenOptions) => {
    const secret = await requireSigningSecret(io.env);
    if (options.printSecret) return output.line(secret);
    const url = requireUrl("--forward-to", options.forwardTo);
    if (options.hooks) {
      const { port, publicUrl } = options;
      if (publicUrl !== undefined) requireUrl("--public-url", publicUrl);
      return listenToHooks(session, url, secret, { port, publicUrl }, printDecision);
    }
    if (options.port !== undefined || options.publicUrl !== undefined)
      throw new UsageError("--port and --public-url are options of --hooks.");
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

  async function printDecision(decision: Decision): Promise<void> {
    if (session.options().json) return write(io.stdout, toJsonLine(decision));
    const { operation, channel_id, user_id, action, status, error, duration_ms } = decision;
    const result = action ?? error ?? (status === 200 ? "no action" : `status ${status}`);
    const outcome = output.styleData(action === undefined ? "red" : "green", toPlainText(result));
    await output.line(
      `${toPlainText(operation).padEnd(17)}  ${toPlainText(channel_id)}  ${toPlainText(user_id)}  ${outcome}  ${duration_ms} ms`,
    );
  }
}

function requireUrl(option: string, text: string | undefined): string {
  if (text === undefined) throw new UsageError(`${option} is required.`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${option} must be an http or https URL, such as http://127.0.0.1:8080/webhooks.`);
  return url.href;
}
