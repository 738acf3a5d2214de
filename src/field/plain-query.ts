/** Parameters that are usually without personal data and secrets, in addition to those with enum values or numbers. */
const PLAIN =
  /^(?:from|to|cursor|limit|page|status|groupBy|externalIds|protocolId|expositionId|vehicleGroupId|groupId|vehicleGroup|isActive|minFillRate|maxFillRate|belowExpectationOnly)$/;

/** An address or the words of a name, which also an ID can have. */
const PERSONAL = /@|\p{L}\s+\p{L}/u;

const NAME = /^[\w.-]{1,40}$/;

/** Returns the pairs of a query. `replace` returns a stand-in for a name or value that may be personal or a secret. */
export function plainQuery(
  pairs: Iterable<readonly [name: string, value: string]>,
  replace: (text: string) => string,
): [string, string][] {
  return [...pairs].map(([name, value]) => {
    const isName = NAME.test(name);
    const isCode = PLAIN.test(name) && !PERSONAL.test(value);
    const isPlain = value === "" || isCode || /^(?:-?\d{1,9}|true|false)$/.test(value);
    return [isName ? name : replace(name), isPlain && isName ? value : replace(value)];
  });
}
