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
  /** The version of npm. */
  npm: string;
}

/** The reasons why a commit cannot be published, one sentence each. */
export function releaseProblems({ status, manifest, lock, changelog, npm }: ReleaseFacts): string[] {
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
    [canStage(npm), `npm ${npm} cannot stage a package: install 11.15 or later`],
  ];
  return checks.filter(([fits]) => !fits).map(([, problem]) => problem);
}

function canStage(npm: string): boolean {
  const [major = 0, minor = 0] = npm.split(".").map(Number);
  return major > 11 || (major === 11 && minor >= 15);
}

/** Returns where npm gets the identity from that signs the provenance; undefined if this job cannot ask for one. */
export function identityProvider(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env["ACTIONS_ID_TOKEN_REQUEST_URL"] !== undefined) return "GitHub Actions";
  if (env["SIGSTORE_ID_TOKEN"] !== undefined)
    return env["GITLAB_CI"] === undefined ? "SIGSTORE_ID_TOKEN" : "GitLab CI";
  return undefined;
}

/** Returns the commands that publish a packed file: it is staged in the job, and a maintainer approves it. */
export function publishSteps(file: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const provider = identityProvider(env);
  const identity =
    provider === undefined
      ? "not in this job, which can ask for no identity token (ACTIONS_ID_TOKEN_REQUEST_URL, SIGSTORE_ID_TOKEN): npm cannot sign the provenance here"
      : `in this job, npm signs the provenance with the identity of ${provider}`;
  return [
    `1. stage it (${identity}):`,
    `     npm stage publish ./${file} --provenance --access public`,
    "2. look at the staged file, whose integrity is the one above, and approve it with two factors:",
    "     npm stage list shelfleet && npm stage download <stage-id> && npm stage approve <stage-id>",
    "The first version of a new package cannot be staged by every npm: if npm refuses, publish it with",
    `     npm publish ./${file} --provenance --access public`,
  ];
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
