import { always, echo, fromSecond, redirect, respond, rotate, second } from "../faults.ts";
import { type Rows, row } from "../model.ts";

const READS = ["copy-stores", "copy-vehicles"] as const;

export const credentialRows: Rows = {
  "replaced-during-the-run": row([...READS, "change-stores", "report-damages"], "read-the-credential", {
    why: "The token or key is replaced at night, in the middle of a run.",
    faults: [rotate(true, second)],
  }),
  "revoked-during-the-run": row([...READS, "change-stores"], "stop-without-credential", {
    why: "The token or key expires in the middle of a run, and there is no other one.",
    faults: [rotate(false, second)],
  }),
  "scope-missing": row(["report-damages", "change-vehicles"], "check-writes", {
    why: "The key may read but not write, which shows at the first write.",
    faults: [respond({ status: 403 })],
  }),
  "scope-lost-half-way": row(["report-damages"], "check-writes", {
    why: "The key is replaced by one with fewer scopes while the program writes.",
    faults: [respond({ status: 403 }, fromSecond)],
  }),
  "key-of-another-environment": row(["report-damages"], "check-writes", {
    why: "The service rejects a key of the sandbox in production.",
    faults: [respond({ status: 401 }, always)],
  }),
  "token-echoed": row([...READS, "change-stores", "report-damages"], "keep-secrets", {
    why: "The error message of the service contains the request, with its token, and the program logs it.",
    faults: [echo(400, always)],
  }),
  "redirected-to-another-host": row([...READS, "change-stores", "report-damages"], "do-not-follow", {
    why: "A redirect leads to another host, which must get neither the token nor the data.",
    faults: [redirect(307, "another host")],
  }),
  "token-of-words": row(["copy-stores", "change-stores"], "keep-secrets", {
    why: "The token is made of words, and the service quotes it in an error that the program logs.",
    seed: { store: { token: "correct-horse-battery-staple" } },
    faults: [echo(400, always)],
  }),
};
