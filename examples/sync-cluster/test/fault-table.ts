import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";

/** The faults of FAULTS.md, with what happened before they were handled ("": not tried). The tests record the rest. */
export const faults = {
  "wrong-base-path": ["The base URL has a wrong path: 404 for every request", "finished, 0 rows, exit 0"],
  "gateway-404": [
    "A gateway responds with 404 in the middle of a run",
    "stores marked as deleted, 5,473 rows missing, exit 0",
  ],
  "gateway-404-with-code": ["The same with the service's error code", "stores deleted, rows missing, exit 4"],
  "store-deleted": ["One store is deleted during the run", "no second look"],
  "list-empty": ["The list of stores is empty", "finished, exit 0"],
  "list-half": ["The list of stores has half of them", "finished, exit 0"],
  "store-unlisted": ["A store is no longer listed", "not marked"],
  "other-service": ["A worker has another base URL", "joined the run: 97 of 197 stores missing, exit 0"],
  "no-base-url": ["No base URL is set", "the demo server was used"],
  "store-429": ["One store always gets 429", "no end, all workers paused each time"],
  "store-403": ["One store always gets 403", "stopped at each start, without the store's ID"],
  "store-401": ["One store always gets 401", "stopped at each start, without the store's ID"],
  outage: ["The service fails for longer than the patience", "no end"],
  "no-address": ["The host of the service has no address", ""],
  "redis-memory": ["Redis has no memory for a while", "393 of 541 jobs were dead letters"],
  "redis-read-only": ["Redis is a read-only replica for a while", ""],
  "redis-evicts": ["Redis may evict keys", "a warning"],
  "redis-password": ["The password of Redis is wrong", ""],
  "postgres-read-only": ["PostgreSQL is read-only for a while", "2,121 instead of 1,170 requests, no reason"],
  "postgres-full": ["PostgreSQL's disk is full for a while", "requests without end, no reason"],
  "postgres-connections": ["PostgreSQL has no free connection for a while", ""],
  "postgres-deadlock": ["PostgreSQL ends every fifth statement (deadlock)", ""],
  "column-renamed": ["A column is renamed", "200 dead letters"],
  "no-rights": ["The role may not write a table", ""],
  "large-key": ["The ID of a photo is too large for an index", "stopped at each start"],
  "fill-rates": ["Fill rates have the wrong shape", "saved"],
  "other-range": ["A backfill is resumed with another range", "the range was ignored"],
  interrupted: ["sync is interrupted", "exit 0"],
  abandoned: ["The run is abandoned while sync shows it", "finished, exit 0"],
  "backfill-dead-letter": [
    "A sync follows a backfill with a dead letter",
    "the dead letter was removed, its rows missing",
  ],
  "clock-ahead": ["The clock of a worker is three hours ahead", "the next pulls began three hours too late"],
  "clock-ahead-killed": ["The same worker is killed", "its jobs were stuck for that time"],
  "old-run-dead-letter": ["A dead letter of an earlier run", "not reachable"],
} as const;

export type Fault = keyof typeof faults;

/** The outcome of a fault in a test. */
export interface Outcome {
  exit: number;
  /** The reason that was shown. */
  reason: string;
  /** The number of rows that equal those of the service after the fault; undefined if no run could begin. */
  rows?: number | undefined;
}

export function recordOutcome(fault: Fault, outcome: Outcome): void {
  const file = process.env["TEST_OUTCOMES"];
  if (file) appendFileSync(file, `${JSON.stringify({ fault, ...outcome })}\n`);
}

/** Compares FAULTS.md with the outcomes of a whole run of the tests, or writes it. Returns whether it is the same. */
export function checkTable(outcomes: string, page: URL, isUpdate: boolean): boolean {
  const seen = new Map(
    readFileSync(outcomes, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Outcome & { fault: Fault }) // written by recordOutcome
      .map((outcome) => [outcome.fault, outcome]),
  );
  const missing = Object.keys(faults).filter((fault) => !seen.has(fault as Fault));
  if (missing.length > 0) {
    console.error(`no test has recorded: ${missing.join(", ")}`);
    return false;
  }
  const rows = Object.entries(faults).map(([fault, [text, before]]) => {
    const { exit, reason, rows: count } = seen.get(fault as Fault) ?? { exit: 0, reason: "" };
    const cells = [text, before, `${exit}`, reason === "" ? "" : `\`${reason}\``, count?.toString() ?? ""];
    return `| ${cells.join(" | ")} |`;
  });
  const text = `# Faults

Written by \`UPDATE=1 npm test -- faults operation outage\` from what the tests see, and compared in every run of the tests. *Before*:
what the first trial of the example saw or, for faults that were found later, what the code did. *Exit*: the exit code of \`sync\` during the fault; 0 means that the run waited or went around the fault
and finished. *Rows*: the number of rows that were compared with the service afterwards; all were equal, and none was missing.

| fault | before | exit | reason shown | rows |
|---|---|--:|---|--:|
${rows.join("\n")}
`;
  if (isUpdate) writeFileSync(page, text);
  const isSame = existsSync(page) && readFileSync(page, "utf8") === text;
  if (!isSame)
    console.error(
      "FAULTS.md differs from what the tests see: UPDATE=1 npm test -- faults operation outage writes it",
    );
  return isSame;
}
