import { compareLoads } from "../load/compare";
import { findOperation } from "../operations/all";
import type { Findings } from "../results/findings";
import { notesOn, tableOf } from "../results/report";
import type { Row } from "../results/row";
import { createTarget, type Run } from "../servers/target";
import { createTestbed, disableAutovacuum } from "../servers/testbed";

/** The history does not matter here. */
const messages = 10_000;

/** The processor time of sends with an audit log, compared with that of a server without one. */
export async function measureAudit({ settings, resources }: Run): Promise<Findings> {
  const sized = { ...settings, sizes: { ...settings.sizes, messages } };
  const testbed = await createTestbed(resources, sized.sizes);
  await disableAutovacuum(testbed.database);
  const start = async (MADANG_AUDIT: string) =>
    createTarget(testbed, await testbed.startServer({ environment: { MADANG_AUDIT } }), sized);
  const baseline = await start("off");
  const rows: Row[] = [];
  for (const audit of ["changes", "all"]) {
    const subject = await start(audit);
    for (const id of ["messages.send", "messages.sendOne"]) {
      const operation = findOperation(id);
      const title = `${operation.title}, ${audit} over off`;
      rows.push(
        await compareLoads({ target: subject, operation }, { target: baseline, operation }, { title }),
      );
    }
    await subject.server.stop();
  }
  return { tables: [tableOf(rows)], notes: notesOn(rows), data: { rows } };
}
