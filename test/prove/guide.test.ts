import { describe } from "vitest";
import { blocks } from "../documentation.ts";
import { run } from "../guides/run.ts";

const block = blocks().find(({ file }) => file === "prove.test.ts");

describe("the test in docs/prove.md", async () => {
  if (block === undefined) throw new Error("docs/prove.md has no prove.test.ts");
  // a busy machine may need longer
  await run({ ...block, text: block.text.replace("15_000", "600_000") });
});
