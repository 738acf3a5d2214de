import { otherWriter, respond } from "../faults.ts";
import type { ScenarioRows } from "../model.ts";
import { addContact, addExpositions, changeStores, createStores } from "../tasks/writes.ts";
import { changeVehicles, deleteDamages, reportDamages, submitInspections } from "../tasks/fleet-writes.ts";

const POSTS = [reportDamages, submitInspections];
const ALWAYS = Number.POSITIVE_INFINITY;

const DORA = { name: "Dora", phone: "+48 555", email: null, hasWhatsapp: false, contactType: "store" };
const THEIR_CONTACTS = [
  { name: "Anna 2", phone: "+48 12", email: "anna2@example.com" },
  { name: "Bo 2", phone: "+48 22", hasWhatsapp: true, contactType: "regional_manager" },
  DORA,
];

export const writeRows: ScenarioRows = {
  "other-writer-of-the-list": {
    tasks: [addContact],
    why: "A colleague adds a contact between the program's read and its write of the list.",
    cause: "stale-write",
    faults: [
      otherWriter(
        { method: "PUT", path: "/v1/stores/S-2/contacts", body: { contacts: THEIR_CONTACTS } },
        { operation: "read" },
      ),
    ],
  },
  "other-writer-of-the-store": {
    tasks: [changeStores],
    why: "A colleague changes the location of a store between the program's read and its write.",
    cause: "stale-write",
    faults: [
      otherWriter(
        { method: "PUT", path: "/v1/stores/S-2", body: { location: "New street" } },
        { operation: "read" },
      ),
    ],
  },
  "other-writer-of-the-vehicle": {
    tasks: [changeVehicles],
    why: "A colleague changes the plate number of a vehicle between the program's read and its write.",
    cause: "stale-write",
    faults: [
      otherWriter(
        {
          method: "PUT",
          path: "/vehicles/vehicle-2",
          body: {
            plateNumber: "WX 9999",
            brand: "MAN",
            model: "TGX 1",
            vin: "VIN00000000000001",
            type: "TRACTOR_UNIT",
          },
        },
        { operation: "read" },
      ),
    ],
  },
  "one-bad-entry": {
    tasks: [...POSTS, createStores],
    why: "The service rejects one entry for good, and accepts the others.",
    cause: "write-not-checked",
    faults: [respond({ status: 400 }, { from: 2 })],
  },
  "fails-half-way-then-again": {
    tasks: [...POSTS, createStores, deleteDamages],
    why: "The service fails in the middle of a run, and the scheduler starts the program again.",
    cause: "not-rerunnable",
    faults: [respond({ status: 500 }, { from: 2, times: 5 })],
    runs: { kind: "again", when: "failed" },
  },
  "two-runs": {
    tasks: [...POSTS, addExpositions, addContact],
    why: "The scheduler starts the program twice.",
    cause: "not-rerunnable",
    runs: { kind: "again", when: "always" },
    isSolvable: true,
  },
  "two-runs-at-once": {
    tasks: [...POSTS, addExpositions],
    why: "A slow run has not ended when the scheduler starts the next one.",
    cause: "not-locked",
    runs: { kind: "together" },
  },
  "deleted-by-somebody-else": {
    tasks: [deleteDamages],
    why: "A colleague has deleted one of the damages already.",
    cause: "delete-not-recognized",
    faults: [otherWriter({ method: "DELETE", path: "/damages/damage-6" })],
  },
  "not-found": {
    tasks: [changeStores, changeVehicles],
    why: "One of the entities is gone for good: its write is rejected with 404.",
    cause: "write-not-checked",
    faults: [respond({ status: 404 }, { times: ALWAYS })],
  },
};
