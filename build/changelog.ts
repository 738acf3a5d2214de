/** The heading of a version in CHANGELOG.md. */
const heading = (version: string): RegExp =>
  new RegExp(`^## \\[${version.replaceAll(".", String.raw`\.`)}\\] - \\d{4}-\\d\\d-\\d\\d$`, "m");

/** Moves the entries below `[Unreleased]` to a version. A changelog that has the version already stays as it is. */
export function moveEntries(changelog: string, version: string, date: string): string {
  if (heading(version).test(changelog)) return changelog;
  const entries = /^## \[Unreleased\]\n+(?=[^#\s])/m;
  if (!entries.test(changelog))
    throw new Error(`CHANGELOG.md has no entries for ${version}: write them below "## [Unreleased]"`);
  return changelog.replace(entries, `## [${version}] - ${date}\n\n`);
}

/** Whether the changelog has the version, with a date. */
export function hasVersion(changelog: string, version: string): boolean {
  return heading(version).test(changelog);
}
