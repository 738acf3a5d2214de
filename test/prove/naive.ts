import type { ScenarioContext, ScenarioProgram } from "../../src/prove/index.ts";

/** A row of either API; the program believes that every value is a string. */
type Row = Record<string, string>;

/** The faults that are planted into an integration. */
interface Habits {
  /** The sign that ends a numbered list. */
  readonly end?: "last-page" | "empty-page" | "total-pages" | "short-page";
  /** The number of attempts for every request. */
  readonly attempts?: number;
  /** Whether an error is logged and then forgotten. */
  readonly swallows?: boolean;
  /** Whether a property that is named like an error makes a response an error. */
  readonly suspectsErrors?: boolean;
  /** Whether only 201 is a success of a POST. */
  readonly expectsCreated?: boolean;
  /** Whether a redirect of any method becomes a GET. */
  readonly redirectsToGet?: boolean;
  /** Whether the position is saved before the rows. */
  readonly savesPositionFirst?: boolean;
  /** Whether rows are keyed and cleaned up as a hasty database import does, on a machine in India. */
  readonly isLossy?: boolean;
}

/** Programs that each have a common fault, and do the tasks in a world without faults. */
export const plantedPrograms: Readonly<Record<string, ScenarioProgram>> = {
  "forgets errors": naive({ attempts: 1, swallows: true }),
  "trusts every response": naive({}),
  "walks until an empty page": naive({ end: "empty-page" }),
  "trusts the number of pages": naive({ end: "total-pages" }),
  "walks until a short page": naive({ end: "short-page" }),
  "takes a property named errors for an error": naive({ suspectsErrors: true, swallows: true }),
  "repeats without end": naive({ attempts: 40 }),
  "accepts only 201": naive({ expectsCreated: true }),
  "turns redirected writes into reads": naive({ redirectsToGet: true, swallows: true }),
  "saves its position before the rows": naive({ savesPositionFirst: true }),
  "cleans rows up": naive({ isLossy: true }),
};

/** An integration as it is written on the first day: plain `fetch`, three attempts for everything, no checks. */
function naive(habits: Habits): ScenarioProgram {
  return async (context) => {
    try {
      await runTask(context, habits);
    } catch (error) {
      if (habits.swallows !== true) throw error;
    }
  };
}

/** The lists to copy, with the values of the task in braces. */
const lists: Readonly<Record<string, string>> = {
  "copy-stores": "/v1/stores?limit=100",
  "copy-protocols": "/v1/stores/{externalId}/protocols?from={from}&to={to}&limit=100",
  "copy-photos": "/v1/stores/{externalId}/photos?from={from}&to={to}&limit=100&status={status}",
  "copy-vehicles": "/vehicles?limit=100",
  "copy-damages": "/damages?limit=100",
  "copy-templates": "/inspection-templates?limit=100&isActive={isActive}",
  "delete-oldest-damage": "/damages?limit=100",
};

/** The requests of the tasks that send each row of the task. */
const writes: Readonly<Record<string, readonly [method: string, path: string, rows: string]>> = {
  "change-stores": ["PUT", "/v1/stores/{externalId}", "stores"],
  "create-stores": ["PUT", "/v1/stores/{externalId}", "stores"],
  "report-damages": ["POST", "/damages", "damages"],
  "submit-inspections": ["POST", "/inspections", "inspections"],
  "change-inspections": ["PATCH", "/inspections/{id}", "inspections"],
};

/** Fills a path, and omits the filters that the task does not have. */
function fill(path: string, values: Row): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${values[name]}`).replace(/&\w+=undefined/, "");
}

async function runTask(context: ScenarioContext, habits: Habits): Promise<void> {
  const { name, data: values } = context.task;
  const data = values as Row;
  const send = senderOf(context, habits);
  const rows = lists[name] === undefined ? [] : await listAll(context, habits, send, fill(lists[name], data));
  const columns = values["columns"] as string[];
  const deliver = (copied: Row[]) =>
    context.deliver(...(habits.isLossy === true ? cleanUp(copied, columns) : copied));
  const [method, path, property] = writes[name] ?? ["", "", ""];
  for (const { externalId = "", id = "", ...changes } of rowsIn(values[property])) {
    const url = fill(path, { externalId, id });
    const readsFirst = habits.isLossy === true && name === "change-stores";
    const { storeId: _, ...before } = readsFirst ? ((await send("GET", url)) as Row) : {};
    await send(method, url, { ...before, ...changes });
  }
  switch (name) {
    case "copy-fill-rates": {
      const report = await send("GET", fill("/v1/fill-rate?from={from}&to={to}", data));
      return deliver((report as { groups?: Row[] }).groups ?? []);
    }
    case "add-contact": {
      const url = fill("/v1/stores/{externalId}/contacts", data);
      const { items } = (await send("GET", url)) as { items: Row[] };
      const contacts = items.map(({ contactId: _, createdAt: __, ...contact }) => contact);
      await send("PUT", url, { contacts: [...contacts, data["contact"]] });
      return;
    }
    case "add-expositions": {
      const { expositions } = values;
      await send("PUT", fill("/v1/stores/{externalId}/expositions", data), { expositions });
      return;
    }
    case "change-exposition": {
      const url = fill("/v1/stores/{externalId}/expositions", data);
      const { items } = (await send("GET", url)) as { items: Row[] };
      const found = items.find(({ expositionId }) => expositionId === data["expositionId"]);
      await send("PUT", url, { expositions: [{ ...found, label: data["label"] }] });
      return;
    }
    case "change-vehicles":
      for (const { id, ...changes } of rowsIn(values["vehicles"])) {
        const { data: vehicle } = (await send("GET", `/vehicles/${id}`)) as { data: Row };
        const known = habits.isLossy === true ? typed(vehicle) : vehicle;
        await send("PUT", `/vehicles/${id}`, { ...known, ...changes });
      }
      return;
    case "delete-damages":
      for (const id of values["ids"] as string[]) await send("DELETE", `/damages/${id}`);
      return;
    case "delete-oldest-damage": {
      const [oldest] = rows.toSorted((x, y) =>
        String(x["reportedAt"]).localeCompare(String(y["reportedAt"])),
      );
      await send("DELETE", `/damages/${oldest?.["id"]}`);
      return;
    }
    default:
      if (name.startsWith("copy-")) deliver(rows);
  }
}

/** A vehicle as a class with the properties of the contract reads it. */
function typed({ plateNumber, brand, model, vin, type }: Row): object {
  return { plateNumber, brand, model, vin, type };
}

function rowsIn(value: unknown): Row[] {
  return (value ?? []) as Row[];
}

/** Keys rows by what looks unique, keeps the known columns, and trims texts. */
function cleanUp(rows: Row[], columns: string[]): Row[] {
  const key = (row: Row) => ("storeType" in row ? `${row["externalId"]}` : keyOf(row));
  const unique = [...new Map(rows.map((row) => [key(row), row])).values()];
  const clean = (value: unknown) => (typeof value === "string" ? readTime(value.trim()) : value);
  return unique.map((row) => Object.fromEntries(columns.map((name) => [name, clean(row[name])])) as Row);
}

function keyOf(row: Row): string {
  return `${row["description"]} ${row["reportedAt"] ?? JSON.stringify(row)}`;
}

/** Reads a time without an offset as one of the machine. */
function readTime(text: string): string {
  return /T[\d:.]+$/.test(text) ? `${text}+05:30` : text;
}

type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

function senderOf(context: ScenarioContext, habits: Habits): Send {
  const { attempts = 3, expectsCreated, redirectsToGet, suspectsErrors } = habits;
  const isStore = context.task.api === "store";
  const baseUrl = isStore ? context.storeUrl : context.fleetUrl;
  const secret = isStore ? context.readToken() : context.readKey();
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  return async (method, path, body) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const redirect = redirectsToGet === true ? "manual" : "follow";
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        let response = await context.fetch(baseUrl + path, { method, headers, redirect, ...sent });
        const location = response.headers.get("location");
        if (location !== null) response = await context.fetch(new URL(location, baseUrl + path), { headers });
        if (!response.ok || (expectsCreated === true && method === "POST" && response.status !== 201))
          throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
        const json = (await response.json()) as unknown;
        if (suspectsErrors === true && (json as { errors?: unknown }).errors !== undefined)
          throw new Error(`${method} ${path}: ${response.status} with errors`);
        return json;
      } catch (error) {
        if (attempt === attempts) throw error;
      }
    }
  };
}

/** A page of either API. */
interface Page {
  items?: Row[];
  nextCursor?: string | null;
  data?: Row[];
  meta?: { pagination?: { hasNextPage?: boolean; totalPages?: number } };
}

async function listAll(
  { task, storage }: ScenarioContext,
  habits: Habits,
  send: Send,
  path: string,
): Promise<Row[]> {
  const rows: Row[] = [];
  const saved = habits.savesPositionFirst === true ? storage.get("position") : undefined;
  if (task.api === "store") {
    let cursor = saved as string | null | undefined;
    for (;;) {
      const page = (await send("GET", cursor ? `${path}&cursor=${cursor}` : path)) as Page;
      rows.push(...(page.items ?? []));
      cursor = page.nextCursor ?? null;
      storage.set("position", cursor);
      const count = (page.items ?? []).length;
      if (habits.end === "empty-page" && count === 0) return rows;
      if (habits.end === "short-page" && count === 100) continue; // whatever the cursor says
      if (!cursor) return rows;
    }
  }
  for (let page = (saved as number | undefined) ?? 1; ; page += 1) {
    storage.set("position", page);
    const { data = [], meta } = (await send("GET", `${path}&page=${page}`)) as Page;
    rows.push(...data);
    const { hasNextPage = false, totalPages } = meta?.pagination ?? {};
    const isLast = {
      "last-page": !hasNextPage,
      "empty-page": data.length === 0,
      "short-page": data.length < 100,
      "total-pages": !(page < Number(totalPages)),
    };
    if (isLast[habits.end ?? "last-page"]) return rows;
  }
}
