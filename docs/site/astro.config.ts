import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import starlightLinksValidator from "starlight-links-validator";
import starlightLlmsTxt from "starlight-llms-txt";
import starlightOpenAPI, { openAPISidebarGroups } from "starlight-openapi";
import starlightTypeDoc, { typeDocSidebarGroup } from "starlight-typedoc";
import { entryPoints } from "./entry-points.ts";
import { guideGroups, lastGroups } from "./sidebar.ts";
import { interfaceOptions } from "./typedoc-options.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
  homepage: string;
  description: string;
};
const sidebar = { operations: { badges: true, labels: "summary", sort: "document" } } as const;

/** The playground is no page of the collection, and TypeDoc numbers a type and a constant of one name in two ways. */
function isUnchecked(link: string): boolean {
  return link.startsWith("/try/") || /^\/interface\/.*#.*-\d+$/.test(link);
}

export default defineConfig({
  site: new URL(manifest.homepage).origin,
  outDir: "dist",
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: "shelfleet",
      description: manifest.description,
      favicon: "/favicon.svg",
      customCss: ["./src/styles/site.css"],
      disable404Route: false,
      credits: false,
      // no code is cut off at the right edge
      expressiveCode: { defaultProps: { wrap: true }, minSyntaxHighlightingColorContrast: 7 },
      lastUpdated: false,
      plugins: [
        starlightOpenAPI([
          { base: "api/store", schema: ".documents/store.openapi.yaml", sidebar },
          { base: "api/fleet", schema: ".documents/fleet.openapi.yaml", sidebar },
        ]),
        starlightTypeDoc({
          entryPoints: entryPoints(root).map(({ file }) => root + file),
          tsconfig: `${root}tsconfig.json`,
          output: "interface",
          sidebar: { label: "Interface", collapsed: true },
          typeDoc: interfaceOptions(root),
        }),
        starlightLlmsTxt({ projectName: "shelfleet", exclude: ["interface/**", "api/**"] }),
        starlightLinksValidator({ exclude: ({ link }) => isUnchecked(link) }),
      ],
      sidebar: [
        ...guideGroups,
        { label: "Try it in the browser", link: "/try/" },
        ...openAPISidebarGroups,
        typeDocSidebarGroup,
        ...lastGroups,
      ],
    }),
  ],
});
