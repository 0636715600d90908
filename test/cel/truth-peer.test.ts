import { isQuantity } from '../../src/cel/values/quantity';
import { isSemver } from '../../src/cel/values/semver';
import { type DeviceRow, type Ending, endingIn, endingOf, type Expected, truthTable } from './truth';

interface Table {
  readonly cases: readonly {
    readonly name: string;
    readonly expression: string;
    readonly device: DeviceRow;
    readonly expected: Expected;
    readonly upstream: Expected;
  }[];
  readonly parseRejects?: readonly { readonly name: string; readonly input: string }[];
  readonly compileErrors?: readonly { readonly expression: string }[];
}

/** Rows where the peer differs from Kubernetes, with the outcome of Kubernetes, which is ours. */
const DIVERGENCES: Readonly<Record<string, Ending>> = {
  'device.capacity["gpu.nvidia.com"].memory.sign() == 1': 'compile-error',
  'isQuantity("Mi")': 'match',
};

/** Texts that the peer rejects, and Kubernetes and we accept. */
const ACCEPTED = new Set(['Mi']);

describe.each(['mp-cel-cases.json', 'mp-quantity-cases.json', 'mp-semver-cases.json'])('%s', (file) => {
  const table = truthTable<Table>(file);

  test.each(table.cases.map((row) => [row.name, row] as const))('%s', (_, row) => {
    const got = endingOf(row.expression, row.device);
    expect(got).toBe(endingIn(row.upstream));
    // The peer takes errors for no match.
    expect(got === 'match').toBe(
      row.expression in DIVERGENCES ? DIVERGENCES[row.expression] === 'match' : endingIn(row.expected) === 'match',
    );
  });

  test('no row diverges from Kubernetes but those that are known to', () => {
    const diverging = table.cases.filter(
      ({ expected, upstream }) => (endingIn(expected) === 'match') !== (endingIn(upstream) === 'match'),
    );
    expect(diverging.filter(({ expression }) => !(expression in DIVERGENCES))).toEqual([]);
  });

  test('rejects the texts that the peer rejects', () => {
    const accepts = file.includes('semver') ? isSemver : isQuantity;
    const accepted = (table.parseRejects ?? []).map(({ input }) => input).filter((input) => accepts(input));
    expect(accepted).toEqual(accepted.filter((input) => ACCEPTED.has(input)));
  });

  test('rejects the expressions that the peer rejects', () => {
    const endings = (table.compileErrors ?? []).map(({ expression }) => endingOf(expression, {}));
    expect(endings.filter((ending) => ending !== 'compile-error')).toEqual([]);
  });
});
