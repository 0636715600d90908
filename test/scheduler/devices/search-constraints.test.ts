import * as fc from 'fast-check';
import type { DeviceKind, NodeShape } from '../../../src/scheduler/compile/shapes';
import { assignDevices } from '../../../src/scheduler/devices/assign-devices';
import { type AllowedDevices, prepareConstraints, searchConstraints } from '../../../src/scheduler/devices/constraints';
import { daily } from '../../daily';

interface Kind {
  count: number;
  root: number;
  parent: number;

  /** The requests that accept it. */
  takers: boolean[];
}

interface Problem {
  kinds: Kind[];
  wants: number[];
  constraints: { rule: 'match' | 'distinct'; attribute: string; named: boolean[] }[];
}

const REQUESTS = [0, 1, 2];
/** Most kinds are accepted by every request, so that choices depend on each other. */
const flags = fc.array(
  fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
  { minLength: 3, maxLength: 3 },
);
const small = fc.integer({ min: 0, max: 2 });

const problems: fc.Arbitrary<Problem> = fc.record({
  kinds: fc.array(fc.record({ count: fc.integer({ min: 1, max: 2 }), root: small, parent: small, takers: flags }), {
    minLength: 1,
    maxLength: 8,
  }),
  wants: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 3, maxLength: 3 }),
  constraints: fc.array(
    fc.record({
      rule: fc.constantFrom('match' as const, 'match' as const, 'match' as const, 'distinct' as const),
      attribute: fc.constantFrom('root', 'parent'),
      named: flags,
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

/** The values of kinds, by which they differ. */
function valueOf(kind: Kind | undefined, attribute: string): number | undefined {
  return attribute === 'root' ? kind?.root : kind?.parent;
}

/** Every choice of a value for each constraint, in the order of values, without a bound. */
function everyChoice({ kinds, wants, constraints }: Problem, start: AllowedDevices): AllowedDevices[] {
  let options: AllowedDevices[] = [start];
  for (const { rule, attribute, named } of constraints) {
    const concerned = REQUESTS.filter((r) => named.every((one) => !one) || named[r]);
    const values = [...new Set(concerned.flatMap((r) => start.kinds[r]!.map((k) => valueOf(kinds[k], attribute))))];
    options = options.flatMap((option): AllowedDevices[] => {
      if (rule === 'match') {
        return values.map((value) => ({
          ...option,
          kinds: option.kinds.map((own, r) =>
            concerned.includes(r) ? own.filter((k) => valueOf(kinds[k], attribute) === value) : own,
          ),
        }));
      }
      const seen = new Set<number | undefined>();
      const first = new Map<number, number>();
      for (const k of new Set(concerned.flatMap((r) => start.kinds[r]!))) {
        const value = valueOf(kinds[k], attribute);
        first.set(k, seen.has(value) ? 0 : 1);
        seen.add(value);
      }
      return [{ ...option, counts: option.counts.map((count, k) => Math.min(count, first.get(k) ?? count)) }];
    });
  }
  return options.filter((option) => assignDevices(wants, option.counts, option.kinds));
}

test('the search finds the first choice of all, and whether there is another', () => {
  fc.assert(
    fc.property(problems, (problem) => {
      const { kinds, wants, constraints } = problem;
      const node = {
        kinds: kinds.map(
          ({ root, parent }) =>
            ({ shared: false, attributes: { root: `${root}`, parent: `${parent}` } }) as unknown as DeviceKind,
        ),
        counts: kinds.map(({ count }) => count),
      } as unknown as NodeShape;
      const accepted = REQUESTS.map((r) => {
        const own = [...kinds.keys()].filter((k) => kinds[k]!.takers[r]);
        return r === 0 ? own.toReversed() : own;
      });
      const bindings = accepted.map((own) => ({ claimedAs: 'c', kinds: own }));
      const named = constraints.map(({ rule, attribute, named: flagged }) => ({
        rule,
        attribute,
        requests: REQUESTS.filter((r) => flagged[r]).map(String),
      }));
      const prepared = prepareConstraints(named, REQUESTS.map(String), bindings, node);
      const fits = ({ counts, kinds: own }: AllowedDevices) => assignDevices(wants, counts, own) !== undefined;
      const found = searchConstraints(prepared, node, fits, (option) => (fits(option) ? option : undefined));
      const want = everyChoice(problem, prepared.start);
      expect(found[0]).toEqual(want[0]);
      expect(found.length > 1).toBe(want.length > 1);
    }),
    { numRuns: daily(750), seed: 11 },
  );
});

function takesOneEach({ counts, kinds }: AllowedDevices): boolean {
  return assignDevices([1, 1], counts, kinds) !== undefined;
}

test('a value is tried after another like it has failed, if a later constraint prefers one of the two', () => {
  const attributes = [
    { root: 'a', parent: 'p' },
    { root: 'b', parent: 'p' },
    { root: 'c', parent: 'q' },
  ];
  const kinds = attributes.map((own) => ({ shared: false, attributes: own }) as unknown as DeviceKind);
  const node = { kinds, counts: [1, 1, 1] } as unknown as NodeShape;
  const prepared = prepareConstraints(
    [
      { rule: 'match', attribute: 'root', requests: ['1'] },
      { rule: 'distinct', attribute: 'parent', requests: [] },
    ],
    ['0', '1'],
    [{ kinds: [1, 0, 2] }, { kinds: [0, 1] }],
    node,
  );
  expect(searchConstraints(prepared, node, takesOneEach, (one) => (takesOneEach(one) ? one.kinds : undefined))).toEqual(
    [[[1, 0, 2], [1]]],
  );
});
