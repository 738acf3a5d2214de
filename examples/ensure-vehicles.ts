// Creates the vehicles that the fleet does not have and corrects those that differ. A second run changes nothing, and a
// lost response creates no vehicle twice: the list shows whether the request was processed.
//
//   npm install shelfleet
//   node ensure-vehicles.ts
//
// Without SHELFLEET_FLEET_URL and SHELFLEET_KEY it writes to the reference server, which loses the first response.
import { DatabaseSync } from "node:sqlite";
import { fleetFromEnv } from "shelfleet";
import { createReferenceServer } from "shelfleet/mock";
import { ensure, sqliteSink } from "shelfleet/sync";

const demo = createReferenceServer({ fleet: { vehicles: 30 } });
demo.on("createVehicle").fault("reset", { at: "after" }).times(1);
const isDemo = process.env["SHELFLEET_KEY"] === undefined;
const fleet = fleetFromEnv(isDemo ? demo.fleetOptions : {});

const sink = sqliteSink(new DatabaseSync(process.env["SHELFLEET_DB"] ?? ":memory:"), "created"); // remembers each POST
const desired = [
  { plateNumber: "WX 10001", brand: "MAN", type: "TRACTOR_UNIT" },
  { plateNumber: "WX 10002", brand: "Volvo", type: "TRACTOR_UNIT" },
  { plateNumber: "WX 10003", brand: "Krone" },
];

for (const run of ["first run", "second run"]) {
  console.log(run);
  const results = await ensure(fleet.vehicles, desired, { key: "plateNumber", sink });
  for (const { desired: vehicle, action = "no change", outcome } of results)
    console.log(`  ${String(vehicle["plateNumber"])}: ${action}, ${outcome}`);
}
if (isDemo) console.log(`${demo.journal.of("createVehicle").length} vehicles were created`);
