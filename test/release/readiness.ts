/** The facts that decide whether a release is ready. */
export interface ReleaseFacts {
  /** The output of `git status --porcelain`. */
  status: string;
  manifest: {
    version?: string;
    private?: boolean;
    repository?: string | { url?: string };
    homepage?: string;
    bugs?: string | { url?: string };
    publishConfig?: { access?: string };
  };
  lock: { version?: string };
  changelog: string;
}

/** The reasons why a commit cannot be published, one sentence each. */
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
    [
      isSet(address),
      "package.json names no repository, or the placeholder: npm refuses a provenance that does not match it",
    ],
    [isSet(manifest.homepage), "package.json names no homepage, or the placeholder"],
    [
      isSet(typeof manifest.bugs === "string" ? manifest.bugs : manifest.bugs?.url),
      "package.json names no place for bugs, or the placeholder",
    ],
  ];
  return checks.filter(([fits]) => !fits).map(([, problem]) => problem);
}

/** Whether a URL was set: the placeholders are below `example.invalid`. */
function isSet(address: string | undefined): boolean {
  return address !== undefined && address !== "" && !address.includes("example.invalid");
}

/** The entries under `## [version]`. A released version is followed by its date. */
function sectionOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const heading = `[${version}]`;
  const section = sections.find((one) => one.startsWith(heading)) ?? "";
  const [first = "", ...rest] = section.split("\n");
  const dated = version === "Unreleased" || / - \d{4}-\d{2}-\d{2}$/.test(first.trimEnd());
  return dated ? rest.filter((line) => line.startsWith("- ")).join("\n") : "";
}
