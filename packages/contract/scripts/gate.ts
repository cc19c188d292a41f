import { judge } from "../gate/gate.ts";

// Tells each change since the last release, the breaking ones first, and fails when one needs a major changeset.
const { changes, objections } = judge();
for (const { isBreaking, place, what } of changes.toSorted(
  (one, other) => Number(other.isBreaking) - Number(one.isBreaking),
))
  console.log(`${isBreaking ? "breaking" : "harmless"}  ${place}: ${what}`);
if (changes.length === 0) console.log("The contract is the released one, or none was released yet.");
if (objections.length > 0) {
  console.error(
    `${objections.length} of these break callers: add a changeset that raises @madang/contract to a new major version.`,
  );
  process.exitCode = 1;
}
