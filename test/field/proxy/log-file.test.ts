import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { LogFile } from "../../../src/field/proxy/log/log-file.ts";

it("a log keeps the permissions of a device or pipe, and restricts those of a file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [pipe, file] = [join(folder, "pipe"), join(folder, "file")];
  execFileSync("sh", ["-c", "mkfifo pipe; touch file"], { cwd: folder });
  const reader = openSync(pipe, "r+"); // a pipe without a reader cannot be opened
  onTestFinished(() => closeSync(reader));
  const modes = [];
  for (const path of [pipe, file]) {
    chmodSync(path, 0o666);
    const log = new LogFile(path);
    modes.push(statSync(path).mode & 0o777);
    await log.end();
  }
  expect(modes).toEqual([0o666, 0o600]);
});
