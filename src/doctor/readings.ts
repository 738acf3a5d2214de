import { NoDataError } from "./client.ts";
import { type Conclude, findNames, type Second } from "./lists.ts";
import { valuesAt } from "./schema.ts";
import type { Service } from "./service.ts";

const noData = "no data to tell";
const photos = "/v1/stores/{externalId}/photos";
const templates = "/inspection-templates";

/** The names of the photo page that the reference server plays. */
const photoPages: readonly string[] = ["items-nextCursor", "photos-nextCursor", "data-cursor"];

export function readPhotoNames(service: Service): void {
  const body = service.body(photos);
  const { items, cursor = "" } = findNames(body) ?? {};
  if (items === undefined || valuesAt(body, cursor).length === 0) throw new NoDataError(noData);
  const reading = `${items}-${cursor}`;
  const text = `photos are in ${items}, the cursor is ${cursor} (${service.replies.get(photos)?.request})`;
  if (photoPages.includes(reading)) service.read("photos.page-shape", reading, text);
  else service.ok(text);
  if (reading !== photoPages[0])
    service.options.set("photoPage", `{ items: "${items}", cursor: "${cursor}" }`);
}

/** Whether the cursor of a page of stores is its last ID, or the first one of the next page. */
export const concludeStores: Conclude = (service, second, { ids, cursor }, { entries }) => {
  const [last, next] = entries.slice(ids.length - 1).map(({ externalId }) => externalId);
  const start = cursor === last ? "after" : "at";
  if (!/^(?:follows|begins)/.test(second)) service.differ(`page 2 ${second}`);
  else if (cursor !== last && cursor !== next) service.differ("nextCursor is not an external ID");
  else if (second === "follows page 1")
    service.read("stores.cursor-start", start, `a page begins ${start} its cursor`);
};

const secondProtocols: Partial<Record<Second, string>> = {
  "follows page 1": "cursor",
  "is page 1 again": "ignored",
  "is page 1 again, with a new cursor": "ignored-new-cursor",
  "is refused with 400": "rejected",
};

/** The contract describes no cursor for the list of protocols. */
export const concludeProtocols: Conclude = (service, second) => {
  if (second.startsWith("begins")) return;
  const reading = secondProtocols[second];
  const text = `page 2 ${second}; the client reads narrower ranges`;
  if (reading === undefined) throw new NoDataError(text);
  service.read("protocols.next-page", reading, reading === "cursor" ? "the undocumented cursor works" : text);
  if (reading !== "cursor") service.options.set("protocolPages", '"window"');
};

/** Finds the name of a filter that leaves out some of the templates, but not all. */
async function readFilter(service: Service, filter: string, names: string[], value = ""): Promise<void> {
  const all = valuesAt(service.body(templates), "data[].id");
  for (const name of value === "" ? [] : names) {
    const { body, request } = await service.get(templates, { [name]: value });
    const kept = valuesAt(body, "data[].id");
    if (kept.length === 0 || kept.length >= all.length || !kept.every((id) => all.includes(id))) continue;
    const control = await service.get(templates);
    if (valuesAt(control.body, "data[].id").join() !== all.join()) break;
    service.read(`templates.${filter}-filter`, name, `the name of the filter is ${name} (${request})`);
    const others = service.options.get("templateFilters")?.replace(" }", ",") ?? "{";
    if (name !== names[0]) service.options.set("templateFilters", `${others} ${filter}: "${name}" }`);
    return;
  }
  throw new NoDataError("no filter left out some of the templates");
}

export async function readTitleFilter(service: Service): Promise<void> {
  const titles = valuesAt(service.body(templates), "data[].title").map(String);
  // another title does not contain the longest one
  const [longest] = titles.toSorted((a, b) => b.length - a.length);
  await readFilter(service, "title", ["search", "title"], longest);
}

export async function readGroupFilter(service: Service): Promise<void> {
  const names = ["vehicleGroupId", "groupId", "vehicleGroup"];
  await readFilter(service, "group", names, service.ids.get("/vehicle-groups"));
}

/** Whether the lists that the contract only names have pages. */
export function readWholeLists(service: Service): void {
  const lists = [...service.paging].filter(([path]) => !/fields|templates/.test(path));
  const [kind, ...others] = new Set(lists.map(([, paging]) => paging));
  if (kind === undefined || others.length > 0) throw new NoDataError(noData);
  service.read("lists.undocumented", kind, `the lists that the contract only names are ${kind}`);
  if (kind === "whole") service.options.set("wholeLists", "true");
}
