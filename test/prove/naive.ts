import type { ScenarioContext } from "../../src/mock/scenarios/index.ts";

type Row = Record<string, unknown>;

/** An integration as it is written on the first day: plain `fetch`, three attempts for everything, no checks. */
export async function runNaively(context: ScenarioContext): Promise<void> {
  const { task, deliver } = context;
  const data = task.data as Record<string, string> & Row;
  const api = task.api === "store" ? storeApi(context) : fleetApi(context);
  const range = `from=${data["from"]}&to=${data["to"]}`;
  switch (task.name) {
    case "copy-stores":
      return deliver(...(await api.list("/v1/stores?limit=100")));
    case "copy-protocols":
      return deliver(...(await api.list(`/v1/stores/${data["externalId"]}/protocols?${range}&limit=100`)));
    case "copy-photos": {
      const filter = data["status"] === undefined ? "" : `&status=${data["status"]}`;
      return deliver(...(await api.list(`/v1/stores/${data["externalId"]}/photos?${range}&limit=500${filter}`)));
    }
    case "copy-fill-rates":
      return deliver(...(((await api.send("GET", `/v1/fill-rate?${range}`)) as { groups: Row[] }).groups ?? []));
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
      for (const { externalId, ...store } of rowsIn(data["stores"])) await api.send("PUT", `/v1/stores/${externalId}`, store);
      return;
    case "add-contact": {
      const path = `/v1/stores/${data["externalId"]}/contacts`;
      const { items } = (await api.send("GET", path)) as { items: Row[] };
      const contacts = items.map(({ contactId: _, createdAt: __, ...contact }) => contact);
      await api.send("PUT", path, { contacts: [...contacts, data["contact"]] });
      return;
    }
    case "add-expositions":
      await api.send("PUT", `/v1/stores/${data["externalId"]}/expositions`, { expositions: data["expositions"] });
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
      for (const inspection of rowsIn(data["inspections"])) await api.send("POST", "/inspections", inspection);
      return;
    case "change-vehicles":
      for (const { id, ...changes } of rowsIn(data["vehicles"])) {
        const { data: vehicle } = (await api.send("GET", `/vehicles/${id}`)) as { data: Row };
        await api.send("PUT", `/vehicles/${id}`, { ...vehicle, ...changes });
      }
      return;
    case "change-inspections":
      for (const { id, ...changes } of rowsIn(data["inspections"])) await api.send("PATCH", `/inspections/${id}`, changes);
      return;
    case "delete-damages":
      for (const id of (data["ids"] ?? []) as string[]) await api.send("DELETE", `/damages/${id}`);
      return;
    case "delete-oldest-damage": {
      const [oldest] = (await api.list("/damages?limit=100")).toSorted((a, b) => String(a["reportedAt"]).localeCompare(String(b["reportedAt"])));
      await api.send("DELETE", `/damages/${oldest?.["id"]}`);
    }
  }
}

function rowsIn(value: unknown): Row[] {
  return value as Row[];
}

const ATTEMPTS = 3;

function apiOf({ fetch }: ScenarioContext, baseUrl: string, secret: string) {
  async function send(method: string, path: string, body?: unknown): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await fetch(baseUrl + path, {
          method,
          headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
        return await response.json();
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
      }
    }
  }
  return { send };
}

function storeApi(context: ScenarioContext) {
  const { send } = apiOf(context, context.storeUrl, context.token);
  async function list(path: string): Promise<Row[]> {
    const rows: Row[] = [];
    let cursor: string | undefined;
    do {
      const page = (await send("GET", cursor === undefined ? path : `${path}&cursor=${cursor}`)) as Row;
      rows.push(...((page["items"] ?? []) as Row[]));
      cursor = page["nextCursor"] as string | undefined;
    } while (cursor);
    return rows;
  }
  return { send, list };
}

function fleetApi(context: ScenarioContext) {
  const { send } = apiOf(context, context.fleetUrl, context.key);
  async function list(path: string): Promise<Row[]> {
    const rows: Row[] = [];
    for (let page = 1; ; page += 1) {
      const { data, meta } = (await send("GET", `${path}&page=${page}`)) as { data?: Row[]; meta?: { pagination?: Row } };
      rows.push(...(data ?? []));
      if (!meta?.pagination?.["hasNextPage"]) return rows;
    }
  }
  return { send, list };
}
