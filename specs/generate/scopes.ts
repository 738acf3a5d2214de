import type { OperationScopes } from "../../src/wire/operation.ts";
import type { Document, Endpoint } from "./document.ts";
import { refuse } from "./refusal.ts";

type Alternative = readonly string[];

/** The scopes of each alternative of `security`, if all name the one scheme of the document. */
function alternatives(document: Document, { operation }: Endpoint): Alternative[] {
  const schemes = Object.keys(document.components["securitySchemes"] ?? {});
  return (operation.security ?? []).map((requirement) => {
    const [first, ...others] = Object.entries(requirement);
    if (first === undefined || others.length > 0 || !schemes.includes(first[0]))
      return refuse(
        requirement,
        "a requirement with another scheme",
        `write ${schemes.join(" or ")}: [scopes]`,
      );
    return first[1];
  });
}

/**
 * The scopes of an operation: the first alternative of `security` is that of the contract's table, the others are those
 * that its text names. A gap of scopes among the operation's gaps leaves open which alternative counts.
 */
export function operationScopes(document: Document, endpoint: Endpoint): OperationScopes | undefined {
  const [table, ...others] = alternatives(document, endpoint);
  if (table === undefined) return undefined;
  const known = document.components.schemas["Scope"]?.enum ?? [];
  const prose = others.flat();
  const unknown = [...table, ...prose].find((scope) => !known.includes(scope));
  if (unknown !== undefined)
    refuse(endpoint.operation, `unknown scope ${unknown}`, "add it to the enum of the schema Scope");
  const gap = endpoint.operation["x-gaps"]?.find((id) => id.startsWith("scopes."));
  const disputed = gap === undefined ? "any" : "disputed";
  return { rule: others.length === 0 ? "all" : disputed, table, prose, ...(gap && { gap }) };
}
