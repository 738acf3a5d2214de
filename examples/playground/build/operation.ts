/** The data that the form of an operation needs, read from the OpenAPI document when the page is built. */
export interface Operation {
  id: string;
  api: "store" | "fleet";
  method: string;
  path: string;
  /** The client's method: `stores.get`. */
  call: string;
  summary: string;
  description: string;
  /** The gaps that concern the operation. */
  gaps: string[];
  parameters: Parameter[];
  body: Body | null;
  /** The statuses in the OpenAPI document. */
  statuses: number[];
}

export interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  description: string;
  /** A list in the client, joined by commas on the wire. */
  isList: boolean;
  /** The gap that decides its name on the wire; empty where the contract shows the name. */
  nameGap: string;
  type: "string" | "integer" | "number" | "boolean";
  /** Empty if any value is allowed. */
  choices: string[];
  minimum: number | null;
  maximum: number | null;
  default: string | null;
  example: string;
}

export interface Body {
  /** The property of the body that the client takes instead of the whole body. */
  argument: string | null;
  description: string;
  properties: Property[];
  examples: Example[];
}

/** A property of a body, or of the elements of its list. */
export interface Property {
  name: string;
  type: string;
  required: boolean;
  description: string;
}

export interface Example {
  name: string;
  summary: string;
  value: Record<string, unknown>;
}
