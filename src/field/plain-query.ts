/** Parameters without personal data and secrets, in addition to those with enum values or numbers. */
const PLAIN =
  /^(?:from|to|cursor|limit|page|status|groupBy|externalIds|protocolId|expositionId|vehicleGroupId|groupId|vehicleGroup|isActive|minFillRate|maxFillRate|belowExpectationOnly)$/;

const NAME = /^[\w.-]{1,40}$/;

/** Returns the pairs of a query. `replace` returns a stand-in for a name or value that may be personal or a secret. */
export function plainQuery(
  pairs: Iterable<readonly [name: string, value: string]>,
  replace: (text: string) => string,
): [string, string][] {
  return [...pairs].map(([name, value]) => {
    const isName = NAME.test(name);
    const isPlain = value === "" || PLAIN.test(name) || /^(?:-?\d{1,9}|true|false)$/.test(value);
    return [isName ? name : replace(name), isPlain && isName ? value : replace(value)];
  });
}
