import { hasVersion } from "./changelog.ts";

/** What a release consists of, besides the code. */
export interface Release {
  readonly manifest: {
    readonly version: string;
    readonly homepage?: string;
    readonly bugs?: string;
    readonly repository?: { readonly url?: string };
  };
  readonly lockVersion: string;
  readonly codeVersion: string;
  readonly changelog: string;
}

/** Returns why a version must not be published, one sentence each. */
export function findReleaseProblems({ manifest, lockVersion, codeVersion, changelog }: Release): string[] {
  const { version } = manifest;
  const urls = { repository: manifest.repository?.url, homepage: manifest.homepage, bugs: manifest.bugs };
  const placeholders = Object.entries(urls)
    .filter(([, url]) => url === undefined || url.includes("example.invalid"))
    .map(([name]) => `\`${name}\``);
  const problems: string[] = [];
  if (placeholders.length > 0)
    problems.push(
      `package.json has placeholders: set ${placeholders.join(", ")} to the URLs of the repository`,
    );
  for (const [file, other] of [
    ["package-lock.json", lockVersion],
    ["src/wire/version.ts", codeVersion],
  ] as const)
    if (other !== version)
      problems.push(`${file} has version ${other} and package.json ${version}: set it with \`npm version\``);
  if (!hasVersion(changelog, version))
    problems.push(
      `CHANGELOG.md has no section "## [${version}] - <date>": set the version with \`npm version\``,
    );
  return problems;
}
