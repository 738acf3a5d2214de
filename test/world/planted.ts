/**
 * Plants faults in a copy of the project, one at a time, and shows what finds each: the world, or else the tests beside the
 * code. `npm run test:planted`, with `ONLY=words` for some of them.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** What is wrong, the file below `src`, and a text that occurs once in the file with its replacement. */
const faults = `
a numbered walk ends one page early ⇒ client/lists/numbered-page.ts ⇒ number > totalPages || (number ⇒ number >= totalPages - 1 || (number
the cursor of a walk does not advance ⇒ client/lists/cursor.ts ⇒ cursor = next; ⇒ cursor ??= next;
a token is that of the page before ⇒ client/lists/cursor.ts ⇒ yield await walk.build(page, sent, walk.placeAfter(page)); ⇒ yield await walk.build(page, sent, next === null ? undefined : () => ({ cursor }));
a token of a time range knows nothing of the page before ⇒ client/lists/range.ts ⇒ known: known(), idle ⇒ idle
another page than the requested one is taken ⇒ client/lists/numbered.ts ⇒ if (pagination.currentPage === number) return raw; ⇒ return raw;
a list that may come whole is not checked ⇒ client/lists/numbered-page.ts ⇒ if (number === 1) await requireWhole( ⇒ if (number === 0) await requireWhole(
an empty page ends the search for a known one ⇒ client/lists/tally.ts ⇒ (first !== undefined && isKnown(first)); ⇒ first === undefined || isKnown(first);
the totals of the page before a place are not compared ⇒ client/lists/numbered.ts ⇒     this.#compare(raw); ⇒ this.#tally.beginPass(true);
a walk goes back before its beginning ⇒ client/lists/tally.ts ⇒ (page.number === 1 && start === 1) || ⇒ page.number === 1 ||
a saved cursor whose store was deleted is the end ⇒ client/lists/cursor.ts ⇒ let isFirst = walk.place === undefined; ⇒ let isFirst = true;
a service that ignores a cursor is recognized by a whole page only ⇒ client/lists/range.ts ⇒ return known.length > page.length / 2; ⇒ return page.length > 0 && known.length === page.length;
items are recognized by the ID of their protocol ⇒ client/call.ts ⇒ of properties) { ⇒ of ["protocolId", ...properties]) {
the last page that was read ahead is lost ⇒ client/lists/cursor.ts ⇒ yield value; ⇒ if (value.resume !== null) yield value;
a POST is repeated after a lost response ⇒ client/http.ts ⇒ operation.retry === "idempotent" ⇒ (operation.method === "POST" || operation.retry === "idempotent")
Retry-After is read as milliseconds ⇒ wire/header.ts ⇒ Number(text) * 1000 ⇒ Number(text)
one retry too many ⇒ client/outcome.ts ⇒ history.failures < facts.retries ⇒ history.failures <= facts.retries
the time limit of an attempt does not hold ⇒ client/send.ts ⇒ const ms = this.#request.limits.timeout; ⇒ const ms = this.#request.limits.timeout * 2;
a lost write forgets that it was lost ⇒ client/send.ts ⇒ this.#mayHaveBeenProcessed = verdict.mayHaveBeenProcessed; ⇒ ;
the slot of a failed request is not given back ⇒ client/send.ts ⇒ slots?.release(); ⇒ if (this.#failures === 0) slots?.release();
a listener is left on the signal of the caller ⇒ client/time.ts ⇒ signal.removeEventListener("abort", listener) ⇒ void signal
the headers of an error keep a secret ⇒ client/read.ts ⇒ core.redactor.redact(withoutUsers(value)) ⇒ withoutUsers(value)
a pull begins behind the end of the last run ⇒ sync/pull-state.ts ⇒ last - overlap) ⇒ last + overlap)
a pull saves its state before the items of the page ⇒ sync/pull.ts ⇒ yield this.#batchOf(run, result); ⇒ yield this.#batchOf(run, { ...result, read: [] }); yield this.#batchOf(run, result);
a mirror deletes without a look ⇒ sync/mirror-deletion.ts ⇒ found === id ? "exists" : "unknown" ⇒ found === id ? "missing" : "unknown"
an update sends only what differs ⇒ sync/modify.ts ⇒ return [{ ...now, ...pick(changed, names) }]; ⇒ return [pick(changed, names)];
an exposition is sent without its ID ⇒ sync/expositions.ts ⇒ ...withoutUndefined(element), expositionId }; ⇒ ...withoutUndefined(element), expositionId: undefined };
the reference server has one page too few ⇒ mock/fleet/pages.ts ⇒ Math.ceil(ids.length / limit) ⇒ Math.floor(ids.length / limit)
the reference server executes a write before a fault ⇒ mock/server/handle.ts ⇒ isRead || at !== "before" ⇒ isRead || at === "before"
the reference server deletes nothing ⇒ mock/fleet/handlers.ts ⇒ call.fleet[resource].delete(call.params.id); ⇒`;

/** Copies the project without what it has installed and built. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), "planted-"));
  const left = new Set(["node_modules", ".git", "dist"].map((name) => join(root, name)));
  cpSync(root, folder, { recursive: true, filter: (path) => !left.has(path) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Returns the output of a command that failed. */
function fail(cwd: string, command: string, ...args: string[]): string | undefined {
  const env = { ...process.env, SEED: "1", RUNS: process.env["RUNS"] ?? "1000", SHRINK: "0" };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: "utf8" });
  return status === 0 ? undefined : stdout + stderr;
}

/** Returns what has found a fault; undefined if nothing has. */
function find(cwd: string): string | undefined {
  const world = fail(cwd, process.execPath, "test/world/run.ts");
  const [, subject, rule] =
    /in ((?:history|list) \d+)[^\n]*\n(?:Violation: )?([^\n]*)/.exec(world ?? "") ?? [];
  if (world !== undefined) return `${subject}: ${rule?.slice(0, 100)}`;
  const vitest = join(root, "node_modules/.bin/vitest");
  const tests = fail(cwd, vitest, "run", "test/client", "test/sync", "test/mock", "--bail=1");
  return tests && `tests: ${/FAIL.*/.exec(tests)?.[0].slice(0, 150)}`;
}

const folder = copyProject();
const baseline = find(folder);
if (baseline !== undefined) throw new Error(`without a fault: ${baseline}`);
console.log("| fault | found by |\n|---|---|");
for (const line of faults.trim().split("\n")) {
  const [what = "", file = "", text = "", replacement = ""] = line.split(/ ⇒ ?/);
  if (!what.includes(process.env["ONLY"] ?? "")) continue;
  const path = join(folder, "src", file);
  const source = readFileSync(path, "utf8");
  if (source.split(text).length !== 2) throw new Error(`${file} must have the text once: ${text}`);
  writeFileSync(
    path,
    source.replace(text, () => replacement),
  );
  const finder = find(folder);
  writeFileSync(path, source);
  if (finder === undefined) process.exitCode = 1;
  console.log(`| ${what} | ${finder ?? "**nothing**"} |`);
}
rmSync(folder, { recursive: true });
