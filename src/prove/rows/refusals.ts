import { always, echo, fromSecond, redirect, rejectUntil, respond, rotate, second } from "../faults.ts";
import type { Where } from "../faults.ts";
import { eventRow, READS, type Rows, row } from "../row.ts";

const later = { "retry-after": "1" };
const everySecond: Where = { times: 2, when: (_, { times }) => times.length % 2 === 0 };
const inAnHour = { "retry-after": "3600" };

/** Returns a time as a header of a server whose clock is an hour ahead. */
function ahead(time: number): string {
  return new Date(time + 3_600_000).toUTCString();
}

export const limitRows: Rows = {
  "wait-a-second": row([...READS, "change-stores", "report-damages"], "wait", {
    why: "The service limits the rate of requests and says how long to wait.",
    fault: rejectUntil(429, 1, () => later),
  }),
  "no-retry-after": eventRow(READS, "wait", respond({ status: 429 }, second), {
    why: "The service limits the rate of requests and does not say how long.",
  }),
  "wait-an-hour": row([...READS, "report-damages"], "obey-the-wait", {
    why: "The quota of the day is used up: the service says to come back in an hour.",
    fault: respond({ status: 429, headers: inAnHour }, fromSecond),
  }),
  maintenance: row([...READS, "change-stores"], "obey-the-wait", {
    why: "The service is down for maintenance and says to come back in an hour.",
    fault: respond({ status: 503, headers: inAnHour }, fromSecond),
  }),
  "strange-retry-after": row(["copy-stores"], "wait", {
    why: "Retry-After is not a number and not a date.",
    fault: respond({ status: 429, headers: { "retry-after": "soon" } }, second),
  }),
  "wait-again-and-again": row(["copy-stores", "copy-protocols"], "wait", {
    why: "The service limits the rate of requests, and every second request is one too many.",
    fault: respond({ status: 429, headers: later }, everySecond),
  }),
  outage: eventRow([...READS, "change-stores"], "check-reads", respond({ status: 500 }, fromSecond), {
    why: "The service fails with 500 from the second request on, and does not come back.",
  }),
  "short-outage": eventRow(READS, "repeat-reads", respond({ status: 503 }, { from: 2, times: 2 }), {
    why: "Two requests in a row fail with 503.",
  }),
  "not-configured": row(["copy-stores"], "check-reads", {
    why: "The operator of the service has not configured a token: 503 until somebody acts.",
    fault: respond({ status: 503, body: { error: { code: "not_configured", message: "no token" } } }, always),
  }),
  "limit-as-403": eventRow(
    READS,
    "wait",
    rejectUntil(403, 1, () => later),
    {
      why: "A firewall limits the rate of requests with 403, and says how long to wait.",
    },
  ),
  "clock-ahead": row(READS, "wait", {
    why: "Retry-After is a time of a clock that is an hour ahead, as the header Date shows.",
    fault: rejectUntil(429, 2, (end) => ({ "retry-after": ahead(end), date: ahead(Date.now()) })),
  }),
};

export const credentialRows: Rows = {
  "replaced-during-the-run": row([...READS, "change-stores", "report-damages"], "read-the-credential", {
    why: "The token or key is replaced at night, in the middle of a run.",
    fault: rotate(true),
  }),
  "revoked-during-the-run": eventRow([...READS, "change-stores"], "stop-without-credential", rotate(false), {
    why: "The token or key expires in the middle of a run, and there is no other one.",
  }),
  "scope-missing": eventRow(["report-damages", "change-vehicles"], "check-writes", respond({ status: 403 }), {
    why: "The key may read but not write, which shows at the first write.",
  }),
  "scope-lost-half-way": eventRow(["report-damages"], "check-writes", respond({ status: 403 }, fromSecond), {
    why: "The key is replaced by one with fewer scopes while the program writes.",
  }),
  "key-of-another-environment": row(["report-damages"], "check-writes", {
    why: "The service rejects a key of the sandbox in production.",
    fault: respond({ status: 401 }, always),
  }),
  "token-echoed": eventRow([...READS, "change-stores", "report-damages"], "keep-secrets", echo(400), {
    why: "The error message of the service contains the request, with its token, and the program logs it.",
  }),
  "redirected-to-another-host": row([...READS, "change-stores", "report-damages"], "do-not-follow", {
    why: "A redirect leads to another host, which must get neither the token nor the data.",
    fault: redirect(307, "another host"),
  }),
  "token-of-words": row(["copy-stores", "change-stores"], "keep-secrets", {
    why: "The token is made of words, and the service quotes it in an error that the program logs.",
    seed: { store: { token: "correct-horse-battery-staple" } },
    fault: echo(400),
  }),
};
