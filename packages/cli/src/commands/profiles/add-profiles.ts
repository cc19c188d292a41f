import type { Command } from "commander";
import type { Session } from "../../session";
import { UsageError } from "../../terminal/exit-codes";
import { confirm } from "../../terminal/prompts";
import { type Profiles, readProfiles, writeProfiles } from "./store";

export function addProfiles(program: Command, { io, output }: Session): void {
  const group = program
    .command("profiles")
    .description("Saved addresses and keys. MADANG_URL and MADANG_API_KEY take precedence over them.")
    .helpCommand(false);
  group
    .command("list", { isDefault: true })
    .summary("List the profiles")
    .description("Lists the profiles, without their keys. Commands use the current one.")
    .action(async () => {
      const { current, profiles } = await readProfiles(io.env);
      const rows = Object.entries(profiles).map(([name, { url }]) => ({
        name,
        url,
        current: name === current,
      }));
      await output.list([rows]);
    });
  group
    .command("use")
    .summary("Choose the current profile")
    .description("Makes a profile the current one, which commands use.")
    .argument("<profile>", "the name of the profile")
    .action(async (name: string) => {
      const saved = await requireProfile(name);
      await writeProfiles(io.env, { ...saved, current: name });
      output.note(`Commands now use the profile ${name}.`);
    });
  group
    .command("delete")
    .summary("Delete a profile")
    .description(
      "Deletes a profile from this machine. Its key stays valid: delete it on the server if it has leaked.",
    )
    .argument("<profile>", "the name of the profile")
    .option("--yes", "do not ask for confirmation")
    .action(async (name: string, { yes }: { yes?: true }) => {
      const { current, profiles } = await requireProfile(name);
      if (!yes && !(await confirm(io, `Delete the profile ${name}?`)))
        return output.note("Nothing was deleted.");
      const { [name]: _, ...others } = profiles;
      const kept = current !== undefined && current !== name ? { current } : {};
      await writeProfiles(io.env, { ...kept, profiles: others });
      output.note(`Deleted the profile ${name}.`);
    });

  async function requireProfile(name: string): Promise<Profiles> {
    const saved = await readProfiles(io.env);
    if (!Object.hasOwn(saved.profiles, name))
      throw new UsageError(`There is no profile ${JSON.stringify(name)}. Run: madang profiles`);
    return saved;
  }
}
