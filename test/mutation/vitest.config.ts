import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files whose tests wait, or run programs. */
const slow =
  /(retries|error-tree|cycles|deadlines|scopes|methods|protocols|concurrency|limiter|regressions|secrets|settled|planted|findings|numbered|list)\.test\.ts$/;

/** The slow files last: the first test that fails ends the run of a mutant. */
class QuickFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((one, other) => rank(one) - rank(other)));
  }
}

function rank({ moduleId }: TestSpecification): number {
  return slow.test(moduleId) ? 1 : 0;
}

// a worker takes its zone from here: what reads a time in the zone of the machine gets another one than UTC
process.env["TZ"] = "Asia/Tokyo";

/** The tests that are run once for each mutant: the fast ones of the clients and what they stand on. */
export default defineConfig({
  test: {
    include: [
      "test/client/{core,store,fleet,pagination}/**/*.test.ts",
      "test/operations/requests.test.ts",
      "test/secrets/secrets.test.ts",
      "test/abuse/client/{exactness,hooks,origin,redirects,retry-after,rotation,settled}.test.ts",
      "test/simulation/regressions.test.ts",
      // only the changes of `src/client/core/pagination` are worth its time
      ...(process.env["PAGINATION"] === undefined ? [] : ["test/matrix/store-cursors.test.ts"]),
    ],
    exclude: [
      ...configDefaults.exclude,
      // types: no mutant changes what the compiler sees
      "test/client/fleet/scope-gate.test.ts",
      // sizes: seconds for each mutant, and what they refuse is refused in small elsewhere
      "test/client/core/request/schema-check.long.test.ts",
      // separate programs: no mutant is active in them
      "test/client/store/processes.long.test.ts",
    ],
    setupFiles: ["test/mutation/eager.ts"],
    // one after another: Stryker's own comes first and says which constant is changed before any is evaluated
    sequence: { setupFiles: "list", sequencer: QuickFirst },
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
