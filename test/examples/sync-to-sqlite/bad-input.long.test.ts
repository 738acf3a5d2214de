import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { atEnd, type Ended, folder, run, start, patient } from "./program.ts";
import { rowsIn, rowsOf } from "./rows.ts";
import { everything, serveReference, token } from "./service.ts";

const nowhere = "http://127.0.0.1:9";
const kept = "The saved data is kept: start again with the same arguments to resume";

/** Expects one line that names the error and contains no secret. */
function expectOneLine({ stdout, stderr }: Ended, words: RegExp | string): void {
  expect(stderr).toMatch(/^sync-to-sqlite: [^\n]+\n$/);
  expect(stderr).toMatch(words);
  expect(stdout + stderr).not.toContain(token);
}

/** Creates a file with some of the server's rows. */
async function begin(baseUrl: string): Promise<{ db: string; args: string[]; saved: number }> {
  const db = join(folder(), "stores.sqlite");
  const args = [...everything, "--base-url", baseUrl, "--db", db];
  // limits the size of the file
  await run(args, { token, before: "ulimit -f 500" });
  return { db, args, saved: rowCount(db) };
}

function rowCount(db: string): number {
  const { stores, protocols } = rowsIn(db);
  return stores.length + protocols.length;
}

describe.concurrent("sync-to-sqlite, on the command line", patient, () => {
  it.each<[string, string[], RegExp]>([
    ["no --base-url", [], /--base-url is missing/],
    ["a --base-url that is not a URL", ["--base-url", "example.com"], /--base-url must be an absolute URL/],
    [
      "http to another machine",
      ["--base-url", "http://example.com"],
      /--base-url must be an https URL .*--allow-inse/,
    ],
    [
      "a password in --base-url",
      ["--base-url", `https://me:${token}@a.example`],
      /must not contain credentials/,
    ],
    [
      "an argument without an option",
      ["--base-url", nowhere, token],
      /an argument does not belong to an option/,
    ],
  ])("rejects %s and creates no file", async (_, args, words) => {
    const cwd = folder();
    const ended = await run(args, { token, cwd });
    expect(ended.code).not.toBe(0);
    expectOneLine(ended, words);
    expect(existsSync(join(cwd, "stores.sqlite"))).toBe(false);
  });

  it("rejects a missing token, and one that cannot be sent", async () => {
    const cwd = folder();
    const missing = await run(["--base-url", nowhere], { cwd });
    expect(missing.code).toBe(2);
    expectOneLine(missing, /the token is missing: set SHELFLEET_TOKEN, or --token/);
    const odd = await run(["--base-url", nowhere, "--token", `${token}\n`], { cwd });
    expect(odd.code).toBe(1);
    expectOneLine(odd, /must be visible ASCII characters/); // "the token" is a part of this token
    expect(existsSync(join(cwd, "stores.sqlite"))).toBe(false);
  });
});

describe.concurrent("sync-to-sqlite, with a service that does not respond as expected,", patient, () => {
  it("reports a wrong token, and continues with the right one", async () => {
    const { ref, baseUrl } = await serveReference();
    const { db, args, saved } = await begin(baseUrl);
    const ended = await run([...args, "--token", `${token}-of-another`]);
    expect(ended.code).toBe(1);
    expectOneLine(ended, /the service rejected the token \(GET .*: 401 unauthorized: .*\)\. The saved data/);
    expect(rowCount(db)).toBe(saved);
    expect(await run(args, { token })).toMatchObject({ code: 0, stderr: "" });
    expect(rowsIn(db)).toEqual(rowsOf(ref));
  });

  it("reports that a service has no token configured", async () => {
    const { baseUrl } = await serveReference({ store: { token: null } });
    const ended = await run(["--base-url", baseUrl, "--db", join(folder(), "a")], { token });
    expect(ended.code).toBe(1);
    expectOneLine(ended, /503 not_configured/);
  });

  it("reports that the server is unreachable, and leaves a file that can be used with the right URL", async () => {
    const db = join(folder(), "stores.sqlite");
    const ended = await run(["--base-url", nowhere, "--db", db], { token });
    expect(ended.code).toBe(1);
    expectOneLine(ended, /GET \/v1\/stores: no complete response: .+\. The saved data/);
    const { ref, baseUrl } = await serveReference({ store: { stores: 3 } });
    expect(await run([...everything, "--base-url", baseUrl, "--db", db], { token })).toMatchObject({
      code: 0,
    });
    expect(rowsIn(db)).toEqual(rowsOf(ref));
  });

  it("prints one line if the error message of the service has several", async () => {
    const { ref, baseUrl } = await serveReference({ store: { stores: 3 } });
    ref
      .on("listStores")
      .always({ status: 400, body: { error: { code: "odd", message: "a\nb\u001B[31mc" } } });
    const ended = await run(["--base-url", baseUrl, "--db", join(folder(), "a")], { token });
    expect(ended.code).toBe(1);
    expectOneLine(ended, /400 odd: a\\u000ab\\u001b\[31mc/);
  });
});

describe.concurrent("sync-to-sqlite, with a file that cannot be written,", patient, () => {
  it("stops if the disk is full, and continues when there is space", async () => {
    const { ref, baseUrl } = await serveReference();
    const db = join(folder(), "stores.sqlite");
    const args = [...everything, "--base-url", baseUrl, "--db", db];
    const full = await run(args, { token, before: "ulimit -f 500" });
    expect(full.code).toBe(1);
    expectOneLine(full, `is the disk full? ${kept}`);
    const saved = rowCount(db);
    expect(saved).toBeGreaterThan(100);
    const ended = await run(args, { token });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toContain("resuming in");
    expect(rowsIn(db)).toEqual(rowsOf(ref));
  });

  it("stops if another process has locked the file, and continues when it is free", async () => {
    const { ref, baseUrl } = await serveReference();
    const { db, args, saved } = await begin(baseUrl);
    const unlock = await lockElsewhere(db);
    const locked = await run(args, { token });
    expect(locked.code).toBe(1);
    expectOneLine(locked, `locked by another process. ${kept}`);
    await unlock();
    expect(rowCount(db)).toBe(saved);
    expect(await run(args, { token })).toMatchObject({ code: 0, stderr: "" });
    expect(rowsIn(db)).toEqual(rowsOf(ref));
  });

  it("does not change a file that is not a database", async () => {
    const db = join(folder(), "notes.txt");
    const text = "These are my notes, and nobody else's.\n".repeat(100);
    writeFileSync(db, text);
    const ended = await run(["--base-url", nowhere, "--db", db], { token });
    expect(ended.code).toBe(1);
    expectOneLine(ended, /notes\.txt: is not an SQLite file; it was not changed/);
    expect(readFileSync(db, "utf8")).toBe(text);
  });

  it("does not change the database of another program", async () => {
    const db = join(folder(), "other.sqlite");
    const other = new DatabaseSync(db);
    other.exec("CREATE TABLE stores (mine)");
    other.close();
    const before = readFileSync(db);
    const ended = await run(["--base-url", nowhere, "--db", db], { token });
    expect(ended.code).toBe(1);
    expectOneLine(ended, /other\.sqlite is an SQLite file of another program/);
    expect(readFileSync(db)).toEqual(before);
  });

  it("does not mix the stores of two services", async () => {
    const { baseUrl } = await serveReference({ store: { stores: 3 } });
    const { db, saved } = await begin(baseUrl);
    const ended = await run(["--base-url", nowhere, "--db", db], { token });
    expect(ended.code).toBe(1);
    expectOneLine(ended, /stores\.sqlite holds the stores of another service: http/);
    expect(rowCount(db)).toBe(saved);
  });

  it("reports that a folder is missing, or that the path is a folder", async () => {
    const path = folder();
    mkdirSync(join(path, "taken"));
    for (const db of [join(path, "missing", "a.sqlite"), join(path, "taken")]) {
      const ended = await run(["--base-url", nowhere, "--db", db], { token });
      expect(ended.code).toBe(1);
      expectOneLine(ended, /: cannot be opened or created/);
    }
  });

  it("ends when the reader of its output has gone", async () => {
    const { ref, baseUrl } = await serveReference();
    ref.on("listStores").delay(100);
    const db = join(folder(), "stores.sqlite");
    const running = start([...everything, "--base-url", baseUrl, "--db", db], { token });
    await running.waitForText("\n");
    running.process.stdout?.destroy();
    const { code, stderr } = await running.ended;
    expect(code).toBe(1);
    expect(stderr).toBe(`sync-to-sqlite: the output cannot be written (EPIPE). ${kept}\n`);
  });
});

/** Locks a database in another process. Calling the result ends this process. */
async function lockElsewhere(db: string): Promise<() => Promise<void>> {
  const script = `
    const file = new (require("node:sqlite").DatabaseSync)(process.argv[1]);
    file.exec("BEGIN EXCLUSIVE");
    process.stdin.resume();
    console.log("locked");`;
  const child = spawn(process.execPath, ["-e", script, db], { stdio: ["pipe", "pipe", "inherit"] });
  atEnd(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return async () => {
    child.stdin.end();
    await once(child, "close");
  };
}
