import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// a worker takes its zone from here: what reads a time in the zone of the machine gets another one than UTC
process.env["TZ"] = "Asia/Tokyo";

/** Runs the short files first: the first failure ends the run of a mutant. */
class ShortFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer
    return (await super.sort(files)).toReversed();
  }
}

/** The tests that are run for each mutant: those of the clients, of their methods and of the jobs, or those in the folder `TESTS`. */
export default defineConfig({
  test: {
    include: [`${process.env["TESTS"] ?? "test/{client,operations,sync}"}/**/*.test.ts`],
    // separate programs: no mutant is active in them
    exclude: [...configDefaults.exclude, "**/*.long.test.ts"],
    setupFiles: ["test/mutation/eager.ts"],
    // one after another: Stryker's own comes first and says which constant is changed before any is evaluated
    sequence: { setupFiles: "list", sequencer: ShortFirst },
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
