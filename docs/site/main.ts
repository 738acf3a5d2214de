import { fileURLToPath } from "node:url";
import { Application, LogLevel, OptionDefaults, PageEvent, type TypeDocOptions } from "typedoc";
import { entryPoints } from "./entry-points.ts";
import { buildPlayground } from "../../examples/playground/build.ts";
import { readGaps } from "../../specs/generate/gaps.ts";
import { findMissing } from "./completeness.ts";
import { describeInterface } from "./interface.ts";
import { followLinks } from "./links.ts";
import { PageRouter } from "./page-router.ts";
import { allPages, guides } from "./pages.ts";
import { findUnexpectedResults } from "./search.ts";
import { stage } from "./staging.ts";
import { addStaticNavigation } from "./static-navigation.ts";

// Builds README, guides, gaps, examples and the reference of the public interface into one static site, docs/dist.
// A broken link, an export without a word about it, and any other warning fail.

const root = fileURLToPath(new URL("../..", import.meta.url));
const staging = `${root}docs/dist/pages`;
const site = `${root}docs/dist/site`;

/** Types within public types that users do not need to name. */
const intentionallyNotExported = [
  "generated/fleet.ts:Schema", // a schema by its name
  "generated/store.ts:Schema",
  "src/wire/json.ts:JsonObject", // the same type as the exported one of each API
  // parts of exported types
  "generated/readings.ts:Readings",
  "generated/readings.ts:mockReadings",
  "src/client/errors.ts:ApiErrorDetails",
  "src/client/errors.ts:CallDetails",
  "src/client/errors.ts:ResponseDetails",
  "src/client/errors.ts:UnexpectedResponseDetails",
  "src/client/fleet/errors.ts:Refusal",
  "src/client/fleet/scopes.ts:Gated",
  "src/client/fleet/scopes.ts:ScopeEntry",
  "src/client/http.ts:Send",
  "src/client/lists/page.ts:MissingDrift", // parts of the exported union `Drift`
  "src/client/lists/page.ts:RepeatDrift",
  "src/client/lists/page.ts:TotalDrift",
  "src/client/response.ts:ReadResponse",
  "src/client/runtime.ts:Clock",
  "src/client/shape.ts:ShapeResult", // Standard Schema's own
  "src/client/shape.ts:ShapedAs", // the output of a shape, or else the contract's type
  "src/client/shape.ts:ShapedInput",
  "src/client/store/client.ts:DetailOf",
  "src/client/store/client.ts:RatesOf",
  "src/client/transport.ts:FetchCache",
  "src/client/transport.ts:FetchHeaders",
  "src/sync/modify.ts:Change",
  "src/sync/modify.ts:ListChange",
  "src/sync/modify.ts:ListResource",
  "src/mock/adapters/msw.ts:Json", // parts of the types of `storeHttp`
  "src/mock/adapters/msw.ts:MaybeResponse",
  "src/mock/adapters/msw.ts:Method",
  "src/sync/sink.ts:Awaitable",
  "src/mock/server/operations.ts:Braced",
  "generated/store.operations.ts:storeOperations",
  "generated/fleet.operations.ts:fleetOperations",
  "src/mock/server/clock.ts:UNITS",
];

const beside = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Methods of Standard Schema and of the platform. */
const intentionallyNotDocumented = [
  "shelfleet.Shape.~standard.__type.validate",
  "shelfleet/store.FetchResponse.arrayBuffer",
  "shelfleet/store.FetchResponse.text",
  "shelfleet/store.FetchResponse.json",
  "shelfleet.Runtime.Math.__type.random",
];

const groups = Object.keys(guides);
const entries = entryPoints(root);
const pages = allPages(root);
const [start = "", ...documents] = stage(pages, root, staging);

const options: TypeDocOptions = {
  name: "shelfleet",
  includeVersion: true,
  entryPoints: entries.map(({ file }) => root + file),
  basePath: root,
  tsconfig: `${root}tsconfig.json`,
  readme: start,
  projectDocuments: documents,
  out: site,
  router: "pages",
  locales: { en: { kind_plural_module: "API" } },
  skipErrorChecking: true, // `npm run lint` does it
  disableSources: true,
  includeHierarchySummary: false,
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  preservedTypeAnnotationTags: ["@throws"],
  blockTags: [...OptionDefaults.blockTags, "@description"], // openapi-typescript writes it
  groupOrder: [...groups, "API", "Examples", "Project", "*"],
  navigation: { includeGroups: true, includeCategories: false, excludeReferences: true },
  sortEntryPoints: false,
  searchInDocuments: true,
  searchGroupBoosts: {
    ...Object.fromEntries(groups.map((group) => [group, 300])),
    Tables: 100,
    References: 0.1,
  },
  searchInComments: true,
  highlightLanguages: ["typescript", "javascript", "shellscript", "python", "go", "json", "yaml", "jsonc"],
  customCss: beside("style.css"),
  customJs: beside("open-guides.js"),
  favicon: beside("favicon.svg"),
  headings: { readme: true, document: true },
  hideGenerator: true,
  validation: {
    notExported: true,
    invalidLink: true,
    invalidPath: true,
    rewrittenLink: true,
    notDocumented: true,
    unusedMergeModuleWith: true,
  },
  intentionallyNotExported,
  intentionallyNotDocumented,
  requiredToBeDocumented: ["Class", "Interface", "TypeAlias", "Function", "Variable", "Method"],
  externalSymbolLinkMappings: { "@types/node": { '"tls".connect': "https://nodejs.org/api/tls.html" } },
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
  logLevel: LogLevel.Warn,
};

const app = await Application.bootstrap(options);
app.renderer.defineRouter("pages", PageRouter);
describeInterface(app, entries);
// a folder's address is its index on a server; on a disk it is a list of files
app.renderer.on(PageEvent.END, (page) => {
  const html = (page.contents ?? "").replaceAll(/href="((?:\.\.?\/)+)(#[^"]*)?"/g, 'href="$1index.html$2"');
  page.contents = addStaticNavigation(html, pages);
});
const project = await app.convert();
if (project === undefined) process.exit(1);
app.validate(project);
await app.generateOutputs(project);
await buildPlayground(`${site}/try`);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);

const { dead, ...counts } = followLinks(site);
const gaps = readGaps().map(({ id }) => id);
const lacking = findMissing(site, pages, entries, gaps);
for (const link of dead) console.error(`dead link on ${link}`);
for (const what of lacking) console.error(`missing: ${what}`);
const unexpected = findUnexpectedResults(site);
for (const line of unexpected) console.error(line);
if (dead.length > 0 || lacking.length > 0 || unexpected.length > 0) process.exitCode = 1;
console.log(`docs/dist/site: ${counts.pages} pages, ${counts.links} links within, ${dead.length} dead`);
