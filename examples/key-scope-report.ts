// Prints the operations that a fleet key with these scopes can call, and compares them with the server's responses.
//
//   node examples/key-scope-report.ts [scope …]      node examples/key-scope-report.ts vehicles:read damages:read
import { FleetClient, type Scope, ScopeError, scopes as known } from "../src/index.ts";
import { createReferenceServer } from "../src/mock/index.ts";

const requested = process.argv.slice(2);
const granted = known.filter((scope) => requested.includes(scope));
for (const other of requested.filter((scope) => !known.includes(scope as Scope)))
  console.warn(`${other} is not a scope of the contract: it permits no operation`);
if (granted.length === 0) granted.push("vehicles:read", "inspections:read");

const key = `demo_${"0".repeat(64)}`;
const ref = createReferenceServer({ fleet: { keys: [{ key, scopes: granted }] } });
const fleet = new FleetClient(ref.fleetOptions);

const { allowed, disputed, forbidden } = fleet.scopes.check(granted);
console.log(`A key with ${granted.join(", ")}`);
console.log(`\ncan call (${allowed.length}):`);
for (const operation of allowed) console.log(`  ${operation}`);
console.log(`\ncan call under some readings of the contract (${disputed.length}):`);
for (const operation of disputed) console.log(`  ${operation}: in any case with ${sufficient(operation)}`);
console.log(`\ncannot call (${forbidden.length}):`);
for (const operation of forbidden) console.log(`  ${operation}: needs ${sufficient(operation)}`);

/** Returns the scopes that permit an operation under every reading of the contract. */
function sufficient(operation: (typeof forbidden)[number]): string {
  return fleet.scopes
    .for(operation)
    .sufficient.map((all) => all.join(" and "))
    .join(", or ");
}

try {
  await fleet.vehicles.delete("1");
} catch (error) {
  if (!(error instanceof ScopeError)) throw error;
  console.log(`\nThe error if it deletes a vehicle:\n  ${error.explanation}`);
}
