import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { example, folder, run, patient } from "./program.ts";
import { rowsIn, rowsOf } from "./rows.ts";
import { everything, serveReference, token } from "./service.ts";

const read = (url: string): string => readFileSync(new URL(url, import.meta.url), "utf8");
const { exports } = JSON.parse(read("../../../package.json")) as { exports: Record<string, unknown> };

/** A copy of the example, made by following its README. */
function copyProject(): string {
  const copy = folder();
  cpSync(example, copy, { recursive: true });
  const recipe = /^perl .+$/m.exec(read("../../../examples/sync-to-sqlite/README.md"))?.[0] ?? "false";
  execFileSync("/bin/sh", ["-c", recipe], { cwd: copy });
  return copy;
}

/** Puts the sources where the installed package would be. */
function install(copy: string): void {
  const place = join(copy, "node_modules/shelfleet");
  mkdirSync(place, { recursive: true });
  const entries = { ".": "./index.js", "./node": "./node.js" };
  writeFileSync(join(place, "package.json"), JSON.stringify({ type: "module", exports: entries }));
  for (const [file, source] of [
    ["index.js", "index.ts"],
    ["node.js", "client/node/index.ts"],
  ] as const) {
    const { href } = new URL(`../../../src/${source}`, import.meta.url);
    writeFileSync(join(place, file), `export * from ${JSON.stringify(href)};\n`);
  }
}

describe("a copy of the sync-to-sqlite folder", patient, () => {
  it("imports only its own files, Node's modules and the package's entry points", () => {
    const copy = copyProject();
    const texts = globSync("*.ts", { cwd: copy }).map((file) => readFileSync(join(copy, file), "utf8"));
    const names = texts.flatMap((text) =>
      [...text.matchAll(/^(?:import|\}) .*"(.+)";$/gm)].map(([, name]) => name),
    );
    const others = names.filter((name) => !/^(\.\/|node:)/.test(name ?? ""));
    expect(others).toContain("shelfleet/mock/node");
    const entries = new Set(Object.keys(exports).map((entry) => entry.replace(".", "shelfleet")));
    expect(others.filter((name) => !entries.has(name ?? ""))).toEqual([]);
    expect(texts.join("")).not.toContain("../");
  });

  it("runs outside the project", async () => {
    const { ref, baseUrl } = await serveReference({ store: { stores: 3 } });
    const program = copyProject();
    install(program);
    const db = join(program, "stores.sqlite");
    const ended = await run([...everything, "--base-url", baseUrl, "--db", db], { token, program });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(rowsIn(db)).toEqual(rowsOf(ref));
  });
});
