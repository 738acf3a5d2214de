/** What a release is judged by. */
export interface ReleaseFacts {
  /** What `git status --porcelain` wrote. */
  status: string;
  manifest: {
    version?: string;
    private?: boolean;
    repository?: string | { url?: string };
    publishConfig?: { access?: string; provenance?: boolean };
  };
  lock: { version?: string };
  changelog: string;
}

/** What keeps a commit from being published, a sentence each. */
export function releaseProblems({ status, manifest, lock, changelog }: ReleaseFacts): string[] {
  const { version = "", publishConfig, repository } = manifest;
  const address = typeof repository === "string" ? repository : repository?.url;
  const checks: [boolean, string][] = [
    [status.trim() === "", "the working tree differs from the commit"],
    [/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version), `package.json has no version that npm takes: "${version}"`],
    [lock.version === version, `package-lock.json is of version ${lock.version}: run npm install`],
    [
      sectionOf(changelog, version) !== "",
      `CHANGELOG.md has no dated section for ${version}, or an empty one`,
    ],
    [sectionOf(changelog, "Unreleased") === "", "CHANGELOG.md still has entries under Unreleased"],
    [manifest.private !== true, "package.json says private"],
    [publishConfig?.access === "public", "publishConfig.access is not public"],
    [publishConfig?.provenance === true, "publishConfig.provenance is not true"],
    [
      address !== undefined && address !== "",
      "package.json names no repository: npm refuses a provenance that does not match it",
    ],
  ];
  return checks.filter(([fits]) => !fits).map(([, problem]) => problem);
}

/** The entries under `## [version]`; a released one has its date behind it. */
function sectionOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const heading = `[${version}]`;
  const section = sections.find((one) => one.startsWith(heading)) ?? "";
  const [first = "", ...rest] = section.split("\n");
  const dated = version === "Unreleased" || / - \d{4}-\d{2}-\d{2}$/.test(first.trimEnd());
  return dated ? rest.filter((line) => line.startsWith("- ")).join("\n") : "";
}
