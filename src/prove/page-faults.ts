import { isObject, type JsonObject, objectOf, objectsIn } from "../wire/json.ts";
import { always, answer, ENDLESS, type Fault, fault, type Where } from "./faults.ts";

type BodyChange = (body: JsonObject, first: JsonObject) => unknown;
type RowsChange = (rows: JsonObject[], first: JsonObject[]) => readonly JsonObject[];

/** Changes the body of a success, knowing the first one. */
export function changeBody(what: string, where: Where, apply: BodyChange): Fault {
  return fault(what, where, (on, world) =>
    on.change(({ status, body }) =>
      status < 300 && isObject(body) ? { status, body: apply(body, world.first ?? body) } : undefined,
    ),
  );
}

/** Changes the rows of a page, whatever its list is called, knowing those of the first one. */
export function changeRows(what: string, where: Where, apply: RowsChange): Fault {
  return changeBody(what, where, (page, first) => {
    const name = ["items", "data", "photos"].find((list) => Array.isArray(page[list])) ?? "items";
    return { ...page, [name]: apply(objectsIn(page[name]), objectsIn(first[name])) };
  });
}

/** Changes `meta.pagination`. */
export function changePagination(what: string, where: Where, changes: (before: JsonObject) => object): Fault {
  return changeBody(what, where, ({ meta, ...body }) => {
    const pagination = objectOf(objectOf(meta)["pagination"]);
    return { ...body, meta: { ...objectOf(meta), pagination: { ...pagination, ...changes(pagination) } } };
  });
}

/** A list with numbers of pages, which ignores filters, and shows no row after a number of them. */
export function servePages(what: string, isKnown = (_: number) => true, window = ENDLESS): Fault {
  return answer(what, always, ({ query, operation }, { ref }) => {
    const { vehicles, damages, inspectionTemplates } = ref.state.fleet;
    const rows = { listVehicles: vehicles, listDamages: damages }[operation] ?? inspectionTemplates;
    const all = [...rows.values()].filter((_, index) => isKnown(index));
    const [page, limit] = [Number(query["page"] ?? 1), Number(query["limit"] ?? 50)];
    const pagination = {
      currentPage: page,
      totalPages: Math.ceil(all.length / limit),
      totalCount: all.length,
      hasNextPage: page * limit < all.length,
      hasPreviousPage: page > 1,
    };
    const data = all.slice((page - 1) * limit, Math.min(page * limit, window));
    return { body: { data, meta: { version: "v1", pagination } } };
  });
}
