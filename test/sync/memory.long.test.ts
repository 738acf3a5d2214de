import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("a mirror of 200 000 entries, and a second run over them, hold their memory flat", async () => {
  const [index, sync] = ["../../src/index.ts", "../../src/sync/index.ts"].map((path) =>
    JSON.stringify(fileURLToPath(new URL(path, import.meta.url))),
  );
  // a cursor list, because the tokens of a numbered list grow with it
  const script = `
    import { DatabaseSync } from "node:sqlite";
    import { StoreClient } from ${index};
    import { mirror, sqliteSink } from ${sync};
    const total = 200_050;
    const row = (n) => ({ storeId: "s" + String(n).padStart(7, "0"), externalId: "S-" + n, name: "x".repeat(200) });
    const fetch = async (url) => {
      const at = Number(new URL(url).searchParams.get("cursor") ?? 0);
      const items = Array.from({ length: Math.min(100, total - at) }, (_, n) => row(at + n));
      return new Response(JSON.stringify({ items, nextCursor: at + 100 < total ? String(at + 100) : null }));
    };
    const store = new StoreClient({ baseUrl: "https://store.example", token: "some-token", fetch });
    const sink = sqliteSink(new DatabaseSync(process.env.DATABASE), "stores");
    let saves = 0;
    const marks = [];
    const watched = { ...sink, save(changes) {
      sink.save(changes);
      if (++saves % 500 === 0) marks.push([Math.round((gc(), process.memoryUsage().heapUsed) / 1e5) / 10, Math.round(performance.now())]);
    } };
    const first = await mirror(store.stores, watched);
    const second = await mirror(store.stores, watched);
    console.log(JSON.stringify({ first, second, marks }));`;
  const flags = ["--expose-gc", "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, flags, {
    env: { ...process.env, DATABASE: ":memory:" },
  });
  const { first, second, marks } = JSON.parse(stdout) as {
    first: object;
    second: object;
    marks: [megabytes: number, ms: number][];
  };
  process.stdout.write(`MB and ms after each 50 000 entries: ${JSON.stringify(marks)}\n`);
  expect([first, second]).toMatchObject([
    { added: 200_050, deleted: 0 },
    { read: 200_050, added: 0, changed: 0, kept: 0 },
  ]);
  const sizes = marks.map(([megabytes]) => megabytes);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(15);
});
