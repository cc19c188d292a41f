import { checkCompatibility } from "../gate/gate.ts";

// Prints each change since the last release, breaking ones first. Fails if one needs a major changeset.
const { changes, errors } = checkCompatibility();
for (const { isBreaking, operation, description } of changes.toSorted(
  (one, other) => Number(other.isBreaking) - Number(one.isBreaking),
))
  console.log(`${isBreaking ? "breaking" : "compatible"}  ${operation}: ${description}`);
if (changes.length === 0) console.log("The contract equals the released one, or none has been released yet.");
if (errors.length > 0) {
  console.error(
    `${errors.length} of these changes break clients. Add a changeset that raises @madang/contract to a new major version.`,
  );
  process.exitCode = 1;
}
