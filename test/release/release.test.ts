import { describe, expect, it } from "vitest";
import { moveEntries } from "../../build/changelog.ts";
import { findReleaseProblems, type Release } from "../../build/release-problems.ts";

const url = "https://code.example.com/shelfleet";
const ready: Release = {
  manifest: { version: "1.2.3", homepage: url, bugs: `${url}/issues`, repository: { url: `git+${url}.git` } },
  lockVersion: "1.2.3",
  codeVersion: "1.2.3",
  changelog: "# Changelog\n\n## [1.2.3] - 2026-11-29\n\n- An entry.\n",
};

describe("a release", () => {
  it("is accepted if nothing is missing", () => {
    expect(findReleaseProblems(ready)).toEqual([]);
  });

  it("with placeholders is refused, and each field to set is named", () => {
    const manifest = { version: "1.2.3", homepage: "https://example.invalid/x", repository: { url } };
    expect(findReleaseProblems({ ...ready, manifest })).toEqual([
      "package.json has placeholders: set `homepage`, `bugs` to the URLs of the repository",
    ]);
  });

  it.each([
    ["package-lock.json", { lockVersion: "1.2.2" }, "package-lock.json has version 1.2.2"],
    ["the code", { codeVersion: "1.2.2" }, "src/wire/version.ts has version 1.2.2"],
    [
      "a dated section of the changelog",
      { changelog: "## [Unreleased]\n\n## [1x2.3] - 2026-11-29\n" },
      'no section "## [1.2.3]',
    ],
  ])("is refused without the version in %s", (_, change, problem) => {
    expect(findReleaseProblems({ ...ready, ...change })).toEqual([expect.stringContaining(problem)]);
  });
});

describe("the changelog of a new version", () => {
  it("has the entries below [Unreleased] under the version and its date", () => {
    const before = "# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [0.1.0] - 2026-11-28\n\n- Old.\n";
    expect(moveEntries(before, "0.2.0", "2026-12-01")).toBe(
      "# Changelog\n\n## [0.2.0] - 2026-12-01\n\n- New.\n\n## [0.1.0] - 2026-11-28\n\n- Old.\n",
    );
  });

  it("stays as it is if the version is there", () => {
    const before = "## [0.2.0] - 2026-12-01\n\n- New.\n";
    expect(moveEntries(before, "0.2.0", "2027-01-01")).toBe(before);
  });

  it.each(["# Changelog\n", "## [Unreleased]\n\n## [0.1.0] - 2026-11-28\n"])("needs entries: %j", (text) => {
    expect(() => moveEntries(text, "0.2.0", "2026-12-01")).toThrow("has no entries for 0.2.0");
  });
});
