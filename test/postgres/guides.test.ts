import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { blocks } from "../documentation.ts";
import { run } from "../guides/run.ts";
import { openPostgres, type PostgresDatabase } from "./database.ts";

const written = blocks().filter(({ text }) => text.includes('from "pg"'));
let db: PostgresDatabase;

beforeAll(async () => {
  db = await openPostgres();
});
beforeEach(async () => {
  await db.reset();
  const { searchParams, username } = new URL(db.url);
  vi.stubEnv("PGHOST", searchParams.get("host") ?? "");
  vi.stubEnv("PGUSER", username);
  vi.stubEnv("PGDATABASE", "postgres");
});
afterAll(() => db.close());

test.for(written)("the block at $document:$line has the results that it shows", async (block) => {
  const { requests, wrong } = await run(block);
  expect(wrong).toEqual([]);
  expect(requests).toBeGreaterThan(0);
});
