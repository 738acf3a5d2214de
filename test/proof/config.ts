import { defineConfig, type ViteUserConfig } from "vitest/config";
import type { Reporter } from "vitest/node";

/** The settings of a long suite, which is not part of `npm test`. `SEED` repeats a run; `TURNS` makes it longer. */
export function proofConfig(name: string, reporters: Reporter[] = []): ViteUserConfig {
  const seed = process.env.SEED ?? String(Date.now() % 2 ** 31);
  process.stdout.write(`test:${name} with SEED=${seed} TURNS=${process.env.TURNS ?? "1"}\n`);
  return defineConfig({
    test: {
      include: [`test/${name}/**/*.test.ts`],
      env: { SEED: seed, TURNS: process.env.TURNS ?? "1" },
      reporters: ["default", ...reporters],
      // two cores: a third process would disturb the measurements of the others
      maxWorkers: 2,
      testTimeout: 600_000,
      hookTimeout: 600_000,
    },
  });
}
