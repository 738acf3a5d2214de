import { always, echo, redirect, respond, rotate, second } from "../faults.ts";
import type { ScenarioRows } from "../model.ts";
import { copyStores, copyVehicles } from "../tasks/copies.ts";
import { changeStores } from "../tasks/writes.ts";
import { changeVehicles, reportDamages } from "../tasks/fleet-writes.ts";

const READS = [copyStores, copyVehicles];

export const credentialRows: ScenarioRows = {
  "replaced-during-the-run": {
    tasks: [...READS, changeStores, reportDamages],
    why: "The token or key is replaced at night, in the middle of a run.",
    cause: "credential-cached",
    faults: [rotate(true, second)],
    isSolvable: true,
  },
  "revoked-during-the-run": {
    tasks: [...READS, changeStores],
    why: "The token or key expires in the middle of a run, and there is no other one.",
    cause: "credential-cached",
    faults: [rotate(false, second)],
  },
  "scope-missing": {
    tasks: [reportDamages, changeVehicles],
    why: "The key may read but not write, which shows at the first write.",
    cause: "write-not-checked",
    faults: [respond({ status: 403 })],
  },
  "scope-lost-half-way": {
    tasks: [reportDamages],
    why: "The key is replaced by one with fewer scopes while the program writes.",
    cause: "write-not-checked",
    faults: [respond({ status: 403 }, { from: 2, times: Number.POSITIVE_INFINITY })],
  },
  "key-of-another-environment": {
    tasks: [reportDamages],
    why: "The service rejects a key of the sandbox in production.",
    cause: "write-not-checked",
    faults: [respond({ status: 401 }, { times: Number.POSITIVE_INFINITY })],
  },
  "token-echoed": {
    tasks: [...READS, changeStores, reportDamages],
    why: "The error message of the service contains the request, with its token, and the program logs it.",
    cause: "secret-sent-on",
    faults: [echo(400, always)],
  },
  "redirected-to-another-host": {
    tasks: [...READS, changeStores, reportDamages],
    why: "A redirect leads to another host, which must get neither the token nor the data.",
    cause: "redirect-followed",
    faults: [redirect(307, "other host")],
  },
};
