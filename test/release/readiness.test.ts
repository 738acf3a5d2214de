import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { publishSteps, type ReleaseFacts, releaseProblems } from "./readiness.ts";

const ready: ReleaseFacts = {
  status: "",
  manifest: {
    version: "1.2.3",
    repository: { url: "git+https://example.com/owner/name.git" },
    homepage: "https://example.com/owner/name",
    bugs: "https://example.com/owner/name/issues",
    publishConfig: { access: "public" },
  },
  lock: { version: "1.2.3" },
  changelog: "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-31\n\n### Fixed\n\n- A thing.\n",
  npm: "11.15.0",
};

describe("the check of a release", () => {
  it("passes if nothing is left to do", () => {
    expect(releaseProblems(ready)).toEqual([]);
    const named = { ...ready.manifest, repository: "example:owner/name" };
    expect(releaseProblems({ ...ready, manifest: named })).toEqual([]);
  });

  it.each<[string, Partial<ReleaseFacts>]>([
    ["the working tree differs", { status: " M src/index.ts\n" }],
    ["no version that npm takes", { manifest: { ...ready.manifest, version: "next" } }],
    ["package-lock.json is of version 1.2.2", { lock: { version: "1.2.2" } }],
    ["no dated section for 1.2.3", { changelog: "## [1.2.3]\n\n- A thing.\n" }],
    ["or an empty one", { changelog: "## [1.2.3] - 2026-01-31\n\n### Fixed\n" }],
    ["still has entries under Unreleased", { changelog: `## [Unreleased]\n\n- More.\n\n${ready.changelog}` }],
    ["says private", { manifest: { ...ready.manifest, private: true } }],
    ["access is not public", { manifest: { ...ready.manifest, publishConfig: {} } }],
    ["names no homepage", { manifest: { ...ready.manifest, homepage: "https://example.invalid/x" } }],
    ["names no place for bugs", { manifest: { ...ready.manifest, bugs: { url: "" } } }],
    ["npm 11.14.2 cannot stage", { npm: "11.14.2" }],
    ["names no repository", { manifest: { ...ready.manifest, repository: {} } }],
  ])("fails if CHANGELOG.md, package.json or git has this problem: %s", (problem, facts) => {
    expect(releaseProblems({ ...ready, ...facts }).join("\n")).toContain(problem);
  });

  it("reports the placeholders of this package until they are replaced", () => {
    const manifest = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    ) as ReleaseFacts["manifest"];
    const facts = { ...ready, manifest: { ...manifest, version: "1.2.3" } };
    expect(releaseProblems(facts)).toEqual([
      expect.stringContaining("names no repository") as string,
      expect.stringContaining("names no homepage") as string,
      expect.stringContaining("names no place for bugs") as string,
    ]);
    expect(manifest.publishConfig).toEqual({ access: "public" });
  });

  it.each([
    [{ ACTIONS_ID_TOKEN_REQUEST_URL: "https://example.com" }, "with the identity of GitHub Actions"],
    [{ SIGSTORE_ID_TOKEN: "x", GITLAB_CI: "true" }, "with the identity of GitLab CI"],
    [{}, "npm cannot sign the provenance here"],
  ])("prints how to stage the packed file, and says where the provenance comes from: %j", (env, text) => {
    const steps = publishSteps("a.tgz", env).join("\n");
    expect(steps).toContain("npm stage publish ./a.tgz --provenance --access public");
    expect(steps).toContain(text);
  });
});
