import type { ScenarioRows } from "../model.ts";
import * as copies from "../tasks/copies.ts";
import * as fleetWrites from "../tasks/fleet-writes.ts";
import * as writes from "../tasks/writes.ts";

/** Every task in a world without faults: a failure here is not about robustness. */
export const plainRows: ScenarioRows = {
  "no-fault": {
    tasks: [
      copies.copyStores,
      copies.copyProtocols,
      copies.copyPhotos,
      copies.copyFillRates,
      copies.copyVehicles,
      copies.copyDamages,
      copies.copyTemplates,
      writes.changeStores,
      writes.createStores,
      writes.addContact,
      writes.addExpositions,
      writes.changeExposition,
      fleetWrites.reportDamages,
      fleetWrites.submitInspections,
      fleetWrites.changeVehicles,
      fleetWrites.changeInspections,
      fleetWrites.deleteDamages,
      fleetWrites.deleteOldestDamage,
    ],
    why: "Most days nothing happens: the lists have several pages, and everything works.",
    cause: "basics",
    isSolvable: true,
  },
};
