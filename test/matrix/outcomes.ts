import { expect } from "vitest";
import { FleetApiError, ScopeError, StoreApiError, UnexpectedResponseError } from "../../src/index.ts";

/** The error of a call. */
export async function failureOf(call: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(call).then(
    (value) => expect.unreachable(`the call resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

async function refusedAs(
  kind: typeof StoreApiError | typeof FleetApiError,
  call: PromiseLike<unknown>,
  properties: Record<string, unknown>,
): Promise<void> {
  const error = await failureOf(call);
  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject(properties);
}

/** The server rejects the request, and the store client reports it. */
export function storeRefuses(
  call: PromiseLike<unknown>,
  status: number,
  properties: Record<string, unknown> = {},
): Promise<void> {
  return refusedAs(StoreApiError, call, { status, ...properties });
}

/** The server rejects the request, and the issues name these properties. */
export function refusesProperties(call: PromiseLike<unknown>, paths: string[]): Promise<void> {
  const issues = paths.map((path) => expect.objectContaining({ path }) as unknown);
  return storeRefuses(call, 400, { issues });
}

/** The server rejects the request, and the fleet client reports it. */
export function fleetRefuses(
  call: PromiseLike<unknown>,
  status: number,
  properties: Record<string, unknown> = {},
): Promise<void> {
  return refusedAs(FleetApiError, call, { status, ...properties });
}

/** The server requires scopes, and the client names them. */
export async function scopesLack(call: PromiseLike<unknown>, missing: string[]): Promise<ScopeError> {
  const error = await failureOf(call);
  expect(error).toBeInstanceOf(ScopeError);
  expect(error).toMatchObject({ status: 403, missing });
  return error as ScopeError;
}

/** The response lacks what the client depends on, and the client reports it. */
export async function unexpected(call: PromiseLike<unknown>, message: string): Promise<void> {
  const error = await failureOf(call);
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect((error as Error).message).toContain(message);
}
