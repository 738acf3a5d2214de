import type { MockReadings } from "../server/readings.ts";
import { shapeNames } from "../../wire/shape-names.ts";

/** The plan of seed data; each API adds its own options. */
export interface SeedPlan {
  readonly seed: number;
  /** When the server was created, in milliseconds; seeded dates are in the 28 days before. */
  readonly now: number;
  readonly readings: MockReadings;
  /** The shapes that the given rows must match. */
  readonly shapes: Shapes | undefined;
}

/** The 28 days of the seeded dates, in milliseconds. */
export const SEEDED_SPAN = 28 * 86_400_000;

/** The part of Standard Schema that the server uses; zod, valibot and arktype implement it. */
export interface Shape {
  readonly "~standard": {
    validate(value: unknown): unknown;
  };
}

/**
 * The shapes of both clients. Shapes of inputs and of fill rates are accepted, but no seed row is checked against them.
 */
export const knownShapes = [...shapeNames.store, ...shapeNames.fleet] as const;

/** The name of an entity that can have a shape. */
export type ShapeName = (typeof knownShapes)[number];

/** The shapes, as in the clients' option. */
export type Shapes = { readonly [Name in ShapeName]?: Shape };

/** Throws for a seed row that does not match its shape; the error names the row. */
export function checkShape(shapes: Shapes | undefined, name: ShapeName, value: unknown, seed: string): void {
  const result = shapes?.[name]?.["~standard"].validate(value);
  if (result instanceof Promise) {
    throw new Error(`shapes.${name} is asynchronous; the reference server needs synchronous shapes`);
  }
  const { issues } = (result ?? {}) as { issues?: readonly StandardIssue[] }; // as Standard Schema says
  const [issue] = issues ?? [];
  if (issue === undefined) return;
  const path = (issue.path ?? []).map((key) => String(typeof key === "object" ? key.key : key));
  throw new Error(`${[seed, ...path].join(".")}: the shape ${name} rejects it: ${issue.message}`);
}

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
}
