import type { ScenarioRows } from "../model.ts";
import { copyProtocols, copyStores, copyVehicles } from "../tasks/copies.ts";
import { addContact, addExpositions } from "../tasks/writes.ts";
import { deleteOldestDamage, reportDamages, submitInspections } from "../tasks/fleet-writes.ts";

const COPIES = [copyStores, copyProtocols, copyVehicles];
const POSTS = [reportDamages, submitInspections];

export const stopRows: ScenarioRows = {
  "killed-at-the-first-request": {
    tasks: [reportDamages, addExpositions, addContact],
    why: "The machine is restarted when the program has just begun, and the program starts again.",
    cause: "not-rerunnable",
    runs: { kind: "killed", atRequest: 1 },
    isSolvable: true,
  },
  "killed-at-the-second-request": {
    tasks: [...COPIES, ...POSTS],
    why: "The machine is restarted while the program works, and the program starts again.",
    cause: "not-rerunnable",
    runs: { kind: "killed", atRequest: 2 },
  },
  "killed-at-the-third-request": {
    tasks: [...COPIES, reportDamages],
    why: "The machine is restarted late in the work of the program, and the program starts again.",
    cause: "not-rerunnable",
    runs: { kind: "killed", atRequest: 3 },
  },
  "killed-while-it-deletes": {
    tasks: [deleteOldestDamage],
    why: "The machine is restarted when the DELETE is executed, and the next run looks for the oldest damage again.",
    cause: "not-rerunnable",
    runs: { kind: "killed", atRequest: 1 },
  },
};
