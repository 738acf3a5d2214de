import { useState } from "preact/hooks";
import type { ScopeCheck } from "shelfleet";
import { isNarrow } from "../narrow.ts";
import { type Operation, resources } from "../operations.ts";
import type { View } from "../route.ts";
import { scopeRules } from "../scope-rules.ts";
import { keyScopes } from "../server.ts";

interface Props {
  view: View;
  current: string | undefined;
  only?: (operation: Operation) => boolean;
}

/** The operations of both APIs. On a narrow screen they are collapsed, so that the form comes first. */
export function OperationList(props: Props) {
  if (!isNarrow.value) {
    return (
      <nav class="operations" aria-label="Operations">
        <Groups {...props} />
      </nav>
    );
  }
  return (
    <nav class="operations" aria-label="Operations">
      <details key={`${props.view}/${props.current}`}>
        <summary>Choose another operation</summary>
        <Groups {...props} />
      </details>
    </nav>
  );
}

/** The operations, grouped like the methods of the clients. Forbidden and disputed ones are marked. */
function Groups({ view, current, only = () => true }: Props) {
  const [search, setSearch] = useState("");
  const isListed = (operation: Operation): boolean => only(operation) && matches(operation, search);
  const check = scopeRules.check(keyScopes.value);
  const groups = resources.map((resource) => ({
    ...resource,
    operations: resource.operations.filter(isListed),
  }));
  return (
    <>
      <input
        type="search"
        aria-label="Find an operation"
        placeholder="Find an operation"
        value={search}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {groups.map(
        ({ client, name, operations }) =>
          operations.length > 0 && (
            <section key={`${client}.${name}`}>
              <h2>
                {client}.<b>{name}</b>
              </h2>
              <ul>
                {operations.map((operation) => (
                  <Entry
                    key={operation.id}
                    {...{ operation, view, check }}
                    isCurrent={operation.id === current}
                  />
                ))}
              </ul>
            </section>
          ),
      )}
      {groups.every(({ operations }) => operations.length === 0) && <p class="note">No operation matches.</p>}
    </>
  );
}

function Entry({
  operation,
  view,
  check,
  isCurrent,
}: {
  operation: Operation;
  view: View;
  check: ScopeCheck;
  isCurrent: boolean;
}) {
  const access = accessOf(operation, check);
  return (
    <li>
      <a
        href={`#/${view}/${operation.id}`}
        aria-current={isCurrent ? "page" : undefined}
        title={operation.summary}
      >
        <span class={`method ${operation.method.toLowerCase()}`}>{operation.method}</span>
        <span class="name">{operation.call.split(".")[1]}</span>
        {access !== "allowed" && <span class={`access ${access}`}>{access}</span>}
      </a>
    </li>
  );
}

/** Whether the scopes of the key permit an operation. The store token permits every operation. */
function accessOf(
  { id }: Operation,
  { disputed, forbidden }: ScopeCheck,
): "allowed" | "disputed" | "forbidden" {
  const among = (ids: readonly string[]): boolean => ids.includes(id);
  if (among(forbidden)) return "forbidden";
  return among(disputed) ? "disputed" : "allowed";
}

function matches({ id, method, path, summary, call }: Operation, search: string): boolean {
  const words = `${id} ${method} ${path} ${summary} ${call}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}
