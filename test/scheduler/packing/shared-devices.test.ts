import * as fc from 'fast-check';
import { countNodesBinPacked } from '../../../src/scheduler/packing/bin-pack';
import type { PodLoad } from '../../../src/scheduler/packing/worst-case';
import { countNodesWorstCase } from '../../../src/scheduler/packing/worst-case';
import { daily } from '../../daily';

/** A pod that takes a part of each of some devices, and CPU. */
interface SharingPod {
  readonly count: number;
  readonly taken: readonly number[];
  readonly cpu: number;
}

interface Node {
  readonly devices: number;
  /** What one device has of each capacity. */
  readonly of: readonly number[];
  readonly cpu: number;
}

function loadOf({ count, taken, cpu }: SharingPod, { of }: Node, pods = 1): PodLoad {
  const sharing = { count, kinds: [0], part: { taken, of } };
  return { footprint: cpu > 0 ? [sharing, { count: cpu, kinds: [1] }] : [sharing], pods };
}

function countNodes(node: Node, pods: readonly SharingPod[]): number {
  return countNodesWorstCase(amountsOf(node), loadsOf(node, pods));
}

function amountsOf({ devices, cpu }: Node): number[] {
  return [devices, cpu];
}

function loadsOf(node: Node, pods: readonly SharingPod[]): PodLoad[] {
  const distinct = [...new Map(pods.map((pod) => [JSON.stringify(pod), pod])).values()];
  return distinct.map((pod) => {
    return loadOf(pod, node, pods.filter((other) => JSON.stringify(other) === JSON.stringify(pod)).length);
  });
}

const GIB = 2 ** 30;
const pods = (number: number, taken: readonly number[], count = 1): SharingPod[] =>
  Array.from({ length: number }, () => ({ count, taken, cpu: 0 }));

const cases: Record<string, { node: Node; pods: SharingPod[]; want: number }> = {
  'a device of 80 GiB has room for 20 pods of 4 GiB': {
    node: { devices: 1, of: [80 * GIB], cpu: 0 },
    pods: pods(20, [4 * GIB]),
    want: 1,
  },
  'the next pod of 4 GiB needs a node': {
    node: { devices: 1, of: [80 * GIB], cpu: 0 },
    pods: pods(21, [4 * GIB]),
    want: 2,
  },
  'a node of eight devices has room for eight times as many': {
    node: { devices: 8, of: [80 * GIB], cpu: 0 },
    pods: pods(160, [4 * GIB]),
    want: 1,
  },
  'a pod of a whole device needs one that no small pod can reach': {
    node: { devices: 2, of: [80 * GIB], cpu: 0 },
    pods: [...pods(2, [4 * GIB]), ...pods(1, [80 * GIB])],
    want: 2,
  },
  'a pod of a whole device has room next to one small pod, which reaches one device only': {
    node: { devices: 2, of: [80 * GIB], cpu: 0 },
    pods: [...pods(1, [4 * GIB]), ...pods(1, [80 * GIB])],
    want: 1,
  },
  'what remains of devices does not add up': {
    node: { devices: 2, of: [10], cpu: 0 },
    pods: pods(3, [6]),
    want: 2,
  },
  'the scarcest capacity decides': {
    node: { devices: 1, of: [80 * GIB, 4], cpu: 0 },
    pods: pods(5, [4 * GIB, 1]),
    want: 2,
  },
  'a pod of nothing is never kept out': { node: { devices: 1, of: [10], cpu: 0 }, pods: pods(99, [0]), want: 1 },
};

test.each(Object.entries(cases))('%s', (_, { node, pods, want }) => {
  expect(countNodes(node, pods)).toBe(want);
  expect(countNodes(node, pods.toReversed())).toBe(want);
});

const node = fc.record({
  devices: fc.integer({ min: 1, max: 2 }),
  of: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 2 }),
  cpu: fc.integer({ min: 0, max: 3 }),
});

const podOn = ({ devices, of, cpu }: Node): fc.Arbitrary<SharingPod> =>
  fc.record({
    count: fc.constantFrom(1, 1, devices),
    taken: fc.tuple(...of.map((most) => fc.integer({ min: 0, max: most }))),
    cpu: fc.integer({ min: 0, max: Math.min(1, cpu) }),
  });

/** Pods that take parts of several devices take more than half of each: others may get two parts of one device. */
const scenario = node.chain((one) =>
  fc.record({
    node: fc.constant(one),
    pods: fc.array(podOn(one), { minLength: 1, maxLength: 5 }).map((all) =>
      all.map((pod): SharingPod => {
        const whole = pod.taken.some((amount, c) => 2 * amount > one.of[c]!);
        return whole ? pod : { ...pod, count: 1 };
      }),
    ),
  }),
);

test('every pod has a place on that many nodes, whatever node and devices the others get', () => {
  fc.assert(
    fc.property(scenario, ({ node, pods }) => {
      expect(findStranded(node, countNodes(node, pods), pods)).toBeUndefined();
    }),
    { numRuns: daily(200) },
  );
});

test('packed pods have a place too, whatever devices they get', () => {
  fc.assert(
    fc.property(scenario, ({ node, pods }) => {
      const nodes = countNodesBinPacked(amountsOf(node), loadsOf(node, pods));
      expect(findStranded(node, nodes, pods)).toBeUndefined();
    }),
    { numRuns: daily(100) },
  );
});

test('pods of one amount are counted exactly: with a node less, some arrangement keeps one out', () => {
  const alike = node.chain((one) =>
    fc.record({
      node: fc.constant({ ...one, cpu: 0 }),
      pod: podOn({ ...one, cpu: 0 }),
      pods: fc.integer({ min: 1, max: 5 }),
    }),
  );
  fc.assert(
    fc.property(alike, ({ node, pod, pods: number }) => {
      const all = pods(number, pod.taken);
      const nodes = countNodes(node, all);
      if (nodes > 1) expect(findStranded(node, nodes - 1, all)).toBeDefined();
    }),
    { numRuns: daily(75) },
  );
});

test('no more nodes when a pod goes', () => {
  fc.assert(
    fc.property(scenario, fc.nat(), ({ node, pods }, gone) => {
      const left = pods.filter((_, i) => i !== gone % pods.length);
      expect(countNodes(node, left)).toBeLessThanOrEqual(countNodes(node, pods));
    }),
    { numRuns: daily(125) },
  );
});

interface Free {
  readonly devices: readonly (readonly number[])[];
  readonly cpu: number;
}

/** A pod that some arrangement of the others leaves without a place. Tries all arrangements, and subsets of pods. */
function findStranded(node: Node, nodes: number, all: readonly SharingPod[]): SharingPod | undefined {
  const empty: Free = { devices: Array.from({ length: node.devices }, () => node.of), cpu: node.cpu };
  return all.find((victim, v) => {
    const others = all.filter((_, i) => i !== v);
    return isStranded(
      victim,
      others,
      Array.from({ length: nodes }, () => empty),
      new Set(),
    );
  });
}

function isStranded(
  victim: SharingPod,
  others: readonly SharingPod[],
  nodes: readonly Free[],
  seen: Set<string>,
): boolean {
  const state = `${others.length} ${nodes
    .map((one) => JSON.stringify(one))
    .sort()
    .join(' ')}`;
  if (seen.has(state)) return false;
  seen.add(state);
  if (nodes.every((free) => placesOf(victim, free).length === 0)) return true;
  const [pod, ...rest] = others;
  if (!pod) return false;
  const put = nodes.flatMap((free, i) => placesOf(pod, free).map((left) => nodes.with(i, left)));
  return [...put, nodes].some((after) => isStranded(victim, rest, after, seen));
}

/** What each choice of devices for a pod leaves of a node. */
function placesOf({ count, taken, cpu }: SharingPod, free: Free): Free[] {
  if (cpu > free.cpu) return [];
  const subsets = listSubsets(free.devices.length, count);
  return subsets.flatMap((chosen) => {
    const fits = chosen.every((d) => taken.every((amount, c) => amount <= free.devices[d]![c]!));
    if (!fits) return [];
    const devices = free.devices.map((left, d) => (chosen.includes(d) ? left.map((a, c) => a - taken[c]!) : left));
    return [{ devices: devices.toSorted((a, b) => (String(a) < String(b) ? -1 : 1)), cpu: free.cpu - cpu }];
  });
}

function listSubsets(of: number, size: number): number[][] {
  const all = Array.from({ length: 2 ** of }, (_, bits) =>
    Array.from({ length: of }, (_, i) => i).filter((i) => bits & (1 << i)),
  );
  return all.filter((subset) => subset.length === size);
}
