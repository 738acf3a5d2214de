import { ApiError, PaginationError } from "../errors/response-errors.ts";

/** Whether an error can mean that a position of an earlier run does not exist any more. */
export function isStalePosition(error: unknown): boolean {
  if (error instanceof ApiError) return [400, 404, 410].includes(error.status);
  return error instanceof PaginationError;
}
