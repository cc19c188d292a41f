import { judge } from "../gate/gate.ts";

// Prints each change since the last release, breaking ones first, and fails when one needs a major changeset.
const { changes, objections } = judge();
for (const { isBreaking, operation, description } of changes.toSorted(
  (one, other) => Number(other.isBreaking) - Number(one.isBreaking),
))
  console.log(`${isBreaking ? "breaking" : "harmless"}  ${operation}: ${description}`);
if (changes.length === 0) console.log("The contract equals the released one, or none has been released yet.");
if (objections.length > 0) {
  console.error(
    `${objections.length} of these break clients: add a changeset that raises @madang/contract to a new major version.`,
  );
  process.exitCode = 1;
}
