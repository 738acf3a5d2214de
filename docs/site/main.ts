import { fileURLToPath } from "node:url";
import { Application, LogLevel, PageEvent, type TypeDocOptions } from "typedoc";
import { entryPoints } from "./entry-points.ts";
import { gaps } from "../../generated/gaps.ts";
import { findMissing } from "./completeness.ts";
import { describeInterface } from "./interface.ts";
import { followLinks } from "./links.ts";
import { PageRouter } from "./page-router.ts";
import { allPages, guides } from "./pages.ts";
import { wrongFirstResults } from "./search.ts";
import { stage } from "./staging.ts";
import { addStaticNavigation } from "./static-navigation.ts";

// Builds README, guides, gaps, examples and the reference of the public interface into one static site, docs/dist.
// A broken link, an export without a word about it, and any other warning fail.

const root = fileURLToPath(new URL("../..", import.meta.url));
const staging = `${root}docs/dist/pages`;
const site = `${root}docs/dist/site`;

/** Types within public types that users do not need to name. */
const intentionallyNotExported = [
  "generated/fleet.ts:Pagination", // the same type as the exported one
  "src/client/core/pagination/page-source.ts:PageSource", // lists are made by the clients
  "src/client/core/request/operation.ts:ShapedAs", // the output of a shape, or else the contract's type
  "src/client/core/request/operation.ts:ShapedInput",
  "src/client/core/options/drift.ts:ShortPageDrift", // parts of the exported union `Drift`
  "src/client/core/options/drift.ts:ContradictionDrift",
  "src/client/core/options/drift.ts:MissingDrift",
  "src/client/core/mirror/sink.ts:Awaitable",
  "src/sync/parts.ts:ListName", // parts of exported signatures
  "src/sync/modify.ts:Change",
  "src/sync/modify.ts:ListChange",
  "src/sync/plan.ts:PlannedRow",
  "src/sync/sink.ts:Awaitable",
  "src/client/raw/index.ts:AnyClient",
  "src/mock/scenarios/causes.ts:Cause",
  "src/client/core/request/shape.ts:ShapeResult", // Standard Schema's own
  "src/wire/json.ts:JsonObject", // the same type as the exported one of each API
  "src/mock/server/clock.ts:UNITS",
  "src/mock/apis/store/data.ts:RecordedRow",
  "src/mock/testing/journal.ts:Journal", // exported with the types of both APIs
  "src/mock/testing/journal-entry.ts:JournalEntry",
  "src/mock/testing/journal-entry.ts:ViolationEntry",
  "src/mock/testing/journal-matcher.ts:JournalMatcher",
  "src/mock/testing/overrides.ts:Overrides",
  "src/mock/testing/pending-override.ts:PendingOverride",
  "src/mock/apis/operations.ts:PathParameter",
  "src/mock/http/request.ts:CoreRequest",
  "src/client/node/undici.ts:DispatchHandler", // undici's own
  "src/client/node/undici.ts:DispatchOptions",
  "src/client/store/client.ts:DetailOf",
  "src/client/store/client.ts:RatesOf",
  // parts of exported types, and parameters and options of one function
  "src/client/core/errors/response-errors.ts:ApiErrorDetails",
  "src/client/core/errors/response-errors.ts:UnexpectedResponseDetails",
  "src/client/core/errors/response-errors.ts:WriteErrorReason",
  "src/client/core/options/drift.ts:DriftEvent",
  "src/client/core/options/drift.ts:RepeatDrift",
  "src/client/core/options/drift.ts:TotalDrift",
  "src/client/core/options/environment.ts:Environment",
  "src/client/core/options/limiter.ts:LimitedRequest",
  "src/client/core/options/log.ts:RequestBodies",
  "src/client/core/options/logger.ts:LogLevel",
  "src/client/core/options/options.ts:Clock",
  "src/client/core/options/options.ts:RandomSource",
  "src/client/core/pagination/page.ts:ConcurrencyOptions",
  "src/client/core/pagination/page.ts:PrefetchOptions",
  "src/client/core/pagination/page.ts:ToArrayOptions",
  "src/client/core/pagination/range-source.ts:NextPageStrategy",
  "src/client/core/request/secret.ts:SecretContext",
  "src/client/core/transport/fetch.ts:FetchInit",
  "src/client/core/transport/fetch.ts:FetchResponse",
  "src/client/core/transport/transport.ts:TransportBody",
  "src/client/fleet/client-options.ts:FleetSettings",
  "src/client/fleet/ensure-run.ts:EnsurableResource",
  "src/client/fleet/errors.ts:Refusal",
  "src/client/fleet/keys.ts:FleetBaseUrls",
  "src/client/fleet/scope-gate.ts:Gated",
  "src/client/fleet/scopes.ts:ScopeEntry",
  "src/client/store/apply-plan.ts:ApplyProgress",
  "src/client/store/apply-task.ts:StorePart",
  "src/client/store/apply-task.ts:StoreWriter",
  "src/client/store/fill-rates.ts:RateQuery",
  "src/client/store/photos.ts:PhotoPageQuery",
  "src/client/store/plan.ts:StoreChanges",
  "src/client/store/plan.ts:StoreListReader",
  "src/client/store/protocols.ts:Identify",
  "src/client/store/upsert-expositions.ts:ExpositionWriter",
  "src/client/store/upsert-expositions.ts:UpsertExpositionsOptions",
];

const beside = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const standard = "Shape.~standard.__type.validate";

const groups = [...Object.keys(guides), "Unknown services"];
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
  groupOrder: [...groups, "API", "Examples", "Project", "*"],
  navigation: { includeGroups: true, includeCategories: false, excludeReferences: true },
  sortEntryPoints: false,
  searchInDocuments: true,
  searchGroupBoosts: { ...Object.fromEntries(groups.map((group) => [group, 500])), References: 0.1 },
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
  // Standard Schema's own
  intentionallyNotDocumented: ["shelfleet", "shelfleet/mock"].map((name) => `${name}.${standard}`),
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
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);

const { dead, ...counts } = followLinks(site);
const lacking = findMissing(site, pages, entries, Object.keys(gaps));
for (const link of dead) console.error(`dead link on ${link}`);
for (const what of lacking) console.error(`missing: ${what}`);
const wrong = wrongFirstResults(site);
for (const line of wrong) console.error(line);
if (dead.length > 0 || lacking.length > 0 || wrong.length > 0) process.exitCode = 1;
console.log(`docs/dist/site: ${counts.pages} pages, ${counts.links} links within, ${dead.length} dead`);
