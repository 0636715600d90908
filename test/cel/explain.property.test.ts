import * as fc from 'fast-check';
import { prepareDevice } from '../../src/cel/device';
import { explainMismatch } from '../../src/cel/explain/explain-mismatch';
import { compileSelector } from '../../src/cel/selector';
import { parseQuantity } from '../../src/cel/values/quantity';
import { parseSemver } from '../../src/cel/values/semver';
import { long } from './build';
import { daily } from '../daily';

/** A type of value that a device publishes under the name `x`, and that sentences show. */
interface Kind {
  readonly values: readonly string[];
  readonly access: 'A.x' | 'C.x';
  publish(value: string): object;

  /** How a selector writes a value. */
  literal(value: string): string;

  /** How a sentence shows it. */
  show(value: string): string;
  order(a: string, b: string): number;

  /** Whether values have compareTo and so on, in place of operators. */
  readonly methods: boolean;
}

const KINDS: Record<string, Kind> = {
  quantity: {
    values: ['40Gi', '40960Mi', '23034Mi', '1500m', '0', '-1', '1e3', '8Ei', '10Ei'],
    access: 'C.x',
    publish: (value) => ({ value }),
    literal: (value) => `quantity("${value}")`,
    show: (value) => String(parseQuantity(value)),
    order: (a, b) => parseQuantity(a).compare(parseQuantity(b)),
    methods: true,
  },
  version: {
    values: ['8.9.0', '9.0.0', '9.0.0-rc.1', '9.0.0+build', '10.0.0'],
    access: 'A.x',
    publish: (version) => ({ version }),
    literal: (value) => `semver("${value}")`,
    show: (value) => value,
    order: (a, b) => parseSemver(a).compare(parseSemver(b)),
    methods: true,
  },
  int: {
    values: ['-1', '0', '2', '10', '9007199254740993', '9007199254740992'],
    access: 'A.x',
    publish: (value) => ({ int: BigInt(value) }),
    literal: (value) => value,
    show: (value) => value,
    order: (a, b) => Number(BigInt(a) - BigInt(b)),
    methods: false,
  },
  string: {
    values: ['', 'Hopper', 'Ada Lovelace', 'a"b', 'Hoppers'],
    access: 'A.x',
    publish: (string) => ({ string }),
    literal: (value) => JSON.stringify(value),
    show: (value) => JSON.stringify(value),
    order: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
    methods: false,
  },
};

const OPERATORS = ['==', '!=', '<', '<=', '>', '>='];

/** What a sentence claims of the order of the value and the bound. */
const CLAIMS: Record<string, (order: number) => boolean> = {
  'is less than': (order) => order < 0,
  'is at most': (order) => order <= 0,
  'is greater than': (order) => order > 0,
  'is at least': (order) => order >= 0,
};

/** The expressions that compare a subject with a bound, in either order, with any operator or method. */
function relations({ methods }: Kind, a: string, b: string): string[] {
  const numbers = ['-1', '0', '1'];
  // Kubernetes refuses != between amounts: it counts as a comparison of texts of unknown size.
  const equalities = [`${a} == ${b}`, `${b} == ${a}`];
  if (!methods) return OPERATORS.flatMap((op) => [`${a} ${op} ${b}`, `${b} ${op} ${a}`]);
  const compared = OPERATORS.flatMap((op) =>
    numbers.flatMap((n) => [
      `${a}.compareTo(${b}) ${op} ${n}`,
      `${n} ${op} ${a}.compareTo(${b})`,
      `${b}.compareTo(${a}) ${op} ${n}`,
      `${n} ${op} ${b}.compareTo(${a})`,
    ]),
  );
  const named = ['isLessThan', 'isGreaterThan'].flatMap((name) => [`${a}.${name}(${b})`, `${b}.${name}(${a})`]);
  return [...compared, ...named, ...equalities];
}

const example = fc.constantFrom(...Object.values(KINDS)).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    value: fc.constantFrom(...kind.values),
    bound: fc.constantFrom(...kind.values),
    pick: fc.nat(),
    negations: fc.nat({ max: 2 }),
  }),
);

describe('a sentence about a comparison', () => {
  test('claims what is so, of the value and the bound that are compared', () => {
    fc.assert(
      fc.property(example, ({ kind, value, bound, pick, negations }) => {
        const forms = relations(kind, kind.access, kind.literal(bound));
        const form = forms[pick % forms.length]!;
        const selector = compileSelector(long('!('.repeat(negations) + form + ')'.repeat(negations)));
        const published = { x: kind.publish(value) } as never;
        const facts = { driver: 'gpu.nvidia.com', attributes: {}, capacity: {} };
        const on = prepareDevice({
          ...facts,
          [kind.access === 'A.x' ? 'attributes' : 'capacity']: published,
        });
        const sentence = explainMismatch(selector, on)?.sentence;

        expect(sentence === undefined).toBe(selector.match(on).kind === 'match');
        if (sentence !== undefined) expect(claimHolds(sentence, kind, value, bound)).toBe(true);
      }),
      { numRuns: daily(500) },
    );
  });
});

/** Whether a sentence is one of the known forms, names these two values, and claims their true order. */
function claimHolds(sentence: string, kind: Kind, value: string, bound: string): boolean {
  const order = kind.order(value, bound);
  const [shown, limit] = [kind.show(value), kind.show(bound)];
  if (sentence === `x is ${shown}, not ${limit}`) return order !== 0;
  if (sentence === `x is ${shown}, which the selector excludes`) return order === 0;
  const claim = Object.keys(CLAIMS).find((words) => sentence === `x ${shown} ${words} ${limit}`);
  if (claim) return CLAIMS[claim]!(order);
  return claimOfNumbersHolds(sentence, Math.sign(order));
}

/**
 * The same for a comparison of compareTo with a number that makes it always false, whose sentence is about the
 * result of compareTo. Its sides may be either way round.
 */
function claimOfNumbersHolds(sentence: string, order: number): boolean {
  const [, result, words, number] = / (?:is )?(-?\d),? (not|is [a-z ]+) (-?\d)$/.exec(sentence) ?? [];
  if (!sentence.includes('compareTo(') || result === undefined || words === undefined) return false;
  const difference = Number(result) - Number(number);
  const claimed = words === 'not' ? difference !== 0 : CLAIMS[words]?.(difference);
  return Math.abs(Number(result)) === Math.abs(order) && claimed === true;
}
