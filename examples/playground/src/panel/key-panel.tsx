import { type Scope, scopes } from "shelfleet";
import { scopeRules } from "../scope-rules.ts";
import { chooseKeyState, chooseScopes, keyScopes, keyState } from "../server.ts";
import type { KeyState } from "../server-options.ts";

const presets: [title: string, chosen: readonly Scope[]][] = [
  ["Every scope", scopes],
  ["Read scopes only", scopes.filter((scope) => scope.endsWith(":read"))],
  ["None", []],
];

const states: [state: KeyState, title: string][] = [
  ["valid", "valid"],
  ["revoked", "revoked"],
  ["expired", "expired"],
];

/** The key of the fleet client: which scopes it has and what they open. */
export function KeyPanel() {
  const chosen = keyScopes.value;
  const { allowed, disputed, forbidden } = scopeRules.check(chosen);
  return (
    <section>
      <h2>Key of the fleet API</h2>
      <p>
        Open to it: {allowed.length} operations. Disputed: {disputed.length}. Closed: {forbidden.length}.
      </p>
      <p class="note">
        Where the contract contradicts itself, only the server can tell: switch the gaps that begin with{" "}
        <code>scopes</code>.
      </p>
      <div class="row" role="group" aria-label="Sets of scopes">
        {presets.map(([title, preset]) => (
          <button type="button" class="quiet" key={title} onClick={() => chooseScopes(preset)}>
            {title}
          </button>
        ))}
      </div>
      <ScopeChoices />
      <StateChoices />
      {forbidden.length > 0 && (
        <details>
          <summary>Closed to this key</summary>
          <ul class="plain">
            {forbidden.map((id) => (
              <li key={id}>
                <a href={`#/calls/${id}`}>{id}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function ScopeChoices() {
  const chosen = keyScopes.value;
  return (
    <fieldset>
      <legend>Scopes</legend>
      <div class="scopes">
        {scopes.map((scope) => (
          <label key={scope} class="choice">
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={({ currentTarget: { checked } }) =>
                chooseScopes(scopes.filter((one) => (one === scope ? checked : chosen.includes(one))))
              }
            />
            <code>{scope}</code>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function StateChoices() {
  return (
    <fieldset>
      <legend>The key is</legend>
      {states.map(([state, title]) => (
        <label key={state} class="choice">
          <input
            type="radio"
            name="key-state"
            checked={keyState.value === state}
            onChange={() => chooseKeyState(state)}
          />
          {title}
        </label>
      ))}
    </fieldset>
  );
}
