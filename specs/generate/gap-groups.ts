import type { Gap } from "./gaps.ts";

const apis = { store: "Store integration API", fleet: "Fleet inspection API" };

/** The heading for the gaps whose ID begins with a name; all other gaps concern every call. */
const resources: Readonly<Record<string, string>> = {
  store: "Stores",
  stores: "Stores",
  contacts: "Contacts and expectations",
  expectations: "Contacts and expectations",
  expositions: "Expositions",
  protocols: "Protocols and photos",
  photos: "Protocols and photos",
  images: "Protocols and photos",
  "time-range": "Protocols and photos",
  "fill-rates": "Fill rates",
  weekdays: "Fill rates",
  lists: "Lists",
  vehicles: "Vehicles",
  inspections: "Inspections and templates",
  templates: "Inspections and templates",
  damages: "Damages",
  keys: "Keys, tokens and scopes",
  scopes: "Keys, tokens and scopes",
  auth: "Keys, tokens and scopes",
};
const order = [...new Set(Object.values(resources)), "Every call"];

/** The gaps of one resource of one API. */
interface GapGroup {
  api: string;
  resource: string;
  gaps: Gap[];
}

function resourceOf({ id }: Gap): string {
  return resources[id.split(".")[0] ?? ""] ?? "Every call";
}

/** Returns the gaps by API and resource; in each group those with an option of the clients are first. */
export function groupGaps(gaps: readonly Gap[]): GapGroup[] {
  return Object.entries(apis).flatMap(([api, title]) =>
    order.flatMap((resource) => {
      const found = gaps.filter((gap) => gap.api === api && resourceOf(gap) === resource);
      const sorted = found.toSorted((a, b) => Number(b.option === "client") - Number(a.option === "client"));
      return sorted.length === 0 ? [] : [{ api: title, resource, gaps: sorted }];
    }),
  );
}
