import { defineConfig, type ViteUserConfig } from "vitest/config";
import type { Reporter } from "vitest/node";

/** The settings of one of the long suites, which `npm test` leaves out. `SEED` repeats a run; `TURNS` makes it longer. */
export function proofConfig(name: string, reporters: Reporter[] = []): ViteUserConfig {
  const seed = process.env.SEED ?? String(Date.now() % 2 ** 31);
  process.stdout.write(`test:${name} with SEED=${seed} TURNS=${process.env.TURNS ?? "1"}\n`);
  return defineConfig({
    test: {
      include: [`test/${name}/**/*.test.ts`],
      env: { SEED: seed, TURNS: process.env.TURNS ?? "1" },
      reporters: ["default", ...reporters],
      // two cores: a third process would only spoil the others' times
      maxWorkers: 2,
      testTimeout: 600_000,
    },
  });
}
