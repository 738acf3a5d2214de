/** The part of Standard Schema that is needed here; zod, valibot and arktype have it. */
export interface Shape {
  readonly "~standard": {
    validate(value: unknown): unknown;
  };
}

/** Entities whose seeds can be checked. */
export const shapeNames = [
  "protocol",
  "protocolImage",
  "photo",
  "vehicle",
  "vehicleGroup",
  "inspectionSummary",
  "damageSummary",
  "driverAssignment",
] as const;

/** An entity whose seeds can be checked. */
export type ShapeName = (typeof shapeNames)[number];

/** The shapes of the clients, as far as they concern seeds; any other of the clients' shapes is passed over. */
export type Shapes = { readonly [Name in ShapeName]?: Shape } & {
  readonly [name: string]: Shape | undefined;
};

/** Refuses a seed that its shape does not pass, by name. */
export function checkShape(shapes: Shapes | undefined, name: ShapeName, value: unknown, seed: string): void {
  const result = shapes?.[name]?.["~standard"].validate(value);
  if (result instanceof Promise) {
    throw new Error(`shapes.${name} is asynchronous; the reference server checks its seeds at once`);
  }
  const { issues } = (result ?? {}) as { issues?: readonly StandardIssue[] };
  const [issue] = issues ?? [];
  if (issue === undefined) return;
  const path = (issue.path ?? []).map((key) => String(typeof key === "object" ? key.key : key));
  throw new Error(`${[seed, ...path].join(".")}: the shape ${name} refuses it: ${issue.message}`);
}

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
}
