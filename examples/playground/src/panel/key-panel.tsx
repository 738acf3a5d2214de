import { type Scope, scopes } from "shelfleet";
import { scopeRules } from "../scope-rules.ts";
import { chooseKeyState, chooseScopes, keyScopes, keyState } from "../server.ts";
import type { KeyState } from "../server-options.ts";

const presets: [title: string, chosen: readonly Scope[]][] = [
  ["All scopes", scopes],
  ["Only read scopes", scopes.filter((scope) => scope.endsWith(":read"))],
  ["No scopes", []],
];

const states: [state: KeyState, title: string][] = [
  ["valid", "valid"],
  ["revoked", "revoked"],
  ["expired", "expired"],
];

/** The scopes and the state of the key of the fleet client, and the operations that the key permits. */
export function KeyPanel() {
  const chosen = keyScopes.value;
  const { allowed, disputed, forbidden } = scopeRules.check(chosen);
  return (
    <section>
      <h2>Key of the fleet API</h2>
      <p>
        Operations: {allowed.length} allowed, {disputed.length} disputed, {forbidden.length} forbidden.
      </p>
      <p class="note">
        An operation is disputed if the contract contradicts itself about its scopes. The readings of the gaps
        that begin with <code>scopes</code> decide.
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
          <summary>Forbidden operations</summary>
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
      <legend>State of the key</legend>
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
