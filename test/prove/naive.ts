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

async function runTask(context: ScenarioContext, habits: Habits): Promise<void> {
  const { task } = context;
  const deliver = (...rows: Row[]) => context.deliver(...(habits.isLossy === true ? cleanUp(rows) : rows));
  const data = task.data as Row;
  const api = task.api === "store" ? storeApi(context, habits) : fleetApi(context, habits);
  const range = `from=${data["from"]}&to=${data["to"]}`;
  switch (task.name) {
    case "copy-stores":
      return deliver(...(await api.list("/v1/stores?limit=100")));
    case "copy-protocols":
      return deliver(...(await api.list(`/v1/stores/${data["externalId"]}/protocols?${range}&limit=100`)));
    case "copy-photos": {
      const filter = data["status"] === undefined ? "" : `&status=${data["status"]}`;
      return deliver(
        ...(await api.list(`/v1/stores/${data["externalId"]}/photos?${range}&limit=500${filter}`)),
      );
    }
    case "copy-fill-rates":
      return deliver(
        ...(((await api.send("GET", `/v1/fill-rate?${range}`)) as { groups: Row[] }).groups ?? []),
      );
    case "copy-vehicles":
      return deliver(...(await api.list("/vehicles?limit=100")));
    case "copy-damages":
      return deliver(...(await api.list("/damages?limit=100")));
    case "copy-templates": {
      const filter = data["isActive"] === undefined ? "" : `&isActive=${data["isActive"]}`;
      return deliver(...(await api.list(`/inspection-templates?limit=100${filter}`)));
    }
    case "change-stores":
    case "create-stores":
      for (const { externalId, ...store } of rowsIn(data["stores"]))
        await api.send("PUT", `/v1/stores/${externalId}`, store);
      return;
    case "add-contact": {
      const path = `/v1/stores/${data["externalId"]}/contacts`;
      const { items } = (await api.send("GET", path)) as { items: Row[] };
      const contacts = items.map(({ contactId: _, createdAt: __, ...contact }) => contact);
      await api.send("PUT", path, { contacts: [...contacts, data["contact"]] });
      return;
    }
    case "add-expositions":
      await api.send("PUT", `/v1/stores/${data["externalId"]}/expositions`, {
        expositions: data["expositions"],
      });
      return;
    case "change-exposition": {
      const path = `/v1/stores/${data["externalId"]}/expositions`;
      const { items } = (await api.send("GET", path)) as { items: Row[] };
      const found = items.find(({ expositionId }) => expositionId === data["expositionId"]);
      await api.send("PUT", path, { expositions: [{ ...found, label: data["label"] }] });
      return;
    }
    case "report-damages":
      for (const damage of rowsIn(data["damages"])) await api.send("POST", "/damages", damage);
      return;
    case "submit-inspections":
      for (const inspection of rowsIn(data["inspections"]))
        await api.send("POST", "/inspections", inspection);
      return;
    case "change-vehicles":
      for (const { id, ...changes } of rowsIn(data["vehicles"])) {
        const { data: vehicle } = (await api.send("GET", `/vehicles/${id}`)) as { data: Row };
        await api.send("PUT", `/vehicles/${id}`, {
          ...(habits.isLossy === true ? typed(vehicle) : vehicle),
          ...changes,
        });
      }
      return;
    case "change-inspections":
      for (const { id, ...changes } of rowsIn(data["inspections"]))
        await api.send("PATCH", `/inspections/${id}`, changes);
      return;
    case "delete-damages":
      for (const id of (data as { ids?: string[] }).ids ?? []) await api.send("DELETE", `/damages/${id}`);
      return;
    case "delete-oldest-damage": {
      const [oldest] = (await api.list("/damages?limit=100")).toSorted((a, b) =>
        String(a["reportedAt"]).localeCompare(String(b["reportedAt"])),
      );
      await api.send("DELETE", `/damages/${oldest?.["id"]}`);
    }
  }
}

/** A vehicle as a class with the properties of the contract reads it. */
function typed({ plateNumber, brand, model, vin, type }: Row): object {
  return { plateNumber, brand, model, vin, type };
}

function rowsIn(value: unknown): Row[] {
  return value as Row[];
}

/** Keys stores by their external ID and the rest by their text, and makes every value a trimmed string. */
function cleanUp(rows: Row[]): Row[] {
  const key = (row: Row) => String(row["externalId"] ?? row["description"] ?? row["id"]);
  const unique = [...new Map(rows.map((row) => [key(row), row])).values()];
  return unique.map((row) =>
    Object.fromEntries(
      Object.entries<string | null>(row).map(([name, value]) => [name, readTime(String(value).trim())]),
    ),
  );
}

/** Reads a time without an offset as one of the machine. */
function readTime(text: string): string {
  return /T[\d:.]+$/.test(text) ? `${text}+05:30` : text;
}

type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

function senderOf({ fetch }: ScenarioContext, habits: Habits, baseUrl: string, secret: string): Send {
  const { attempts = 3, expectsCreated, redirectsToGet } = habits;
  return async (method, path, body) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
        const redirect = redirectsToGet === true ? "manual" : "follow";
        const init = {
          method,
          headers,
          redirect,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        } as const;
        let response = await fetch(baseUrl + path, init);
        const location = response.headers.get("location");
        if (location !== null) response = await fetch(new URL(location, baseUrl + path), { headers });
        if (!response.ok || (expectsCreated === true && method === "POST" && response.status !== 201))
          throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
        const json = (await response.json()) as unknown;
        if (habits.suspectsErrors === true && (json as { errors?: unknown }).errors !== undefined)
          throw new Error(`${method} ${path}: ${response.status} with errors`);
        return json;
      } catch (error) {
        if (attempt === attempts) throw error;
      }
    }
  };
}

interface CursorPage {
  items?: Row[];
  nextCursor?: string | null;
}

interface Pagination {
  hasNextPage?: boolean;
  totalPages?: number;
}

interface NumberedPage {
  data?: Row[];
  meta?: { pagination?: Pagination };
}

interface NaiveApi {
  readonly send: Send;
  list(path: string): Promise<Row[]>;
}

function storeApi(context: ScenarioContext, habits: Habits): NaiveApi {
  const send = senderOf(context, habits, context.storeUrl, context.readToken());
  const { storage } = context;
  async function list(path: string): Promise<Row[]> {
    const rows: Row[] = [];
    let cursor = habits.savesPositionFirst === true ? (storage.get("cursor") as string | null) : null;
    do {
      const page = (await send("GET", cursor ? `${path}&cursor=${cursor}` : path)) as CursorPage;
      rows.push(...(page.items ?? []));
      cursor = page.nextCursor ?? null;
      storage.set("cursor", cursor);
      // its pages have 100 rows
      if (habits.end === "short-page" && (page.items ?? []).length === 100) cursor ??= "next";
    } while (cursor);
    return rows;
  }
  return { send, list };
}

function fleetApi(context: ScenarioContext, habits: Habits): NaiveApi {
  const send = senderOf(context, habits, context.fleetUrl, context.readKey());
  const { storage } = context;
  async function list(path: string): Promise<Row[]> {
    const rows: Row[] = [];
    const first = habits.savesPositionFirst === true ? ((storage.get("page") as number | undefined) ?? 1) : 1;
    for (let page = first; ; page += 1) {
      storage.set("page", page);
      const { data = [], meta } = (await send("GET", `${path}&page=${page}`)) as NumberedPage;
      rows.push(...data);
      if (isLast(page, data, meta?.pagination ?? {}, habits)) return rows;
    }
  }
  return { send, list };
}

function isLast(page: number, rows: Row[], pagination: Pagination, { end = "last-page" }: Habits): boolean {
  if (end === "empty-page") return rows.length === 0;
  if (end === "short-page") return rows.length < 100;
  if (end === "total-pages") return !(page < Number(pagination.totalPages));
  return pagination.hasNextPage !== true;
}
