import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const scripts = fileURLToPath(new URL("../../../../scripts/", import.meta.url));

/** The lines that the report of a repository ends in, whose suites have these results. */
function report(results: object[]): string[] {
  const root = mkdtempSync(join(tmpdir(), "madang-report-"));
  const file = join(root, "packages/client/.vitest/short.json");
  mkdirSync(dirname(file), { recursive: true });
  mkdirSync(join(root, "apps"));
  writeFileSync(file, JSON.stringify({ testResults: results }));
  const program = `import { reportTests } from ${JSON.stringify(join(scripts, "report-tests.mjs"))};
    reportTests(["short"], [], ${JSON.stringify(root)});`;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
  rmSync(root, { recursive: true });
  return output.replaceAll(root, "").trim().split("\n");
}

test("the last lines of npm test name the failed tests, and the files that could not run", () => {
  const times = { startTime: 0, endTime: 1_000 };
  const lines = report([
    {
      ...{ ...times, name: "/a.test.ts", status: "failed", message: "" },
      assertionResults: [
        { status: "passed", fullName: "adds" },
        { status: "failed", fullName: "a list continues" },
      ],
    },
    {
      ...{ ...times, name: "/b.test.ts", status: "failed", message: "Cannot find x\nstack" },
      assertionResults: [],
    },
  ]);
  expect(lines.slice(-3)).toEqual([
    "1 passed, 1 failed",
    expect.stringMatching(/failed: .*a\.test\.ts: a list continues$/),
    expect.stringMatching(/failed: .*b\.test\.ts: Cannot find x$/),
  ]);
});
