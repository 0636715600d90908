import * as fc from 'fast-check';
import { countNodesBinPacked } from '../../../src/scheduler/packing/bin-pack';
import type { CounterSetShape } from '../../../src/scheduler/packing/counter-sets';
import { countNodesWorstCase, type PodLoad } from '../../../src/scheduler/packing/worst-case';
import { daily } from '../../daily';

/** A pod that takes a number of the devices of a node, and CPU. */
interface Pod {
  readonly devices: readonly number[];
  readonly count: number;
  readonly cpu: number;
}

interface Node {
  readonly set: CounterSetShape;
  readonly cpu: number;
}

const CPU = 1;

function loadsOf({ set }: Node, pods: readonly Pod[]): PodLoad[] {
  const distinct = [...new Map(pods.map((pod) => [JSON.stringify(pod), pod])).values()];
  return distinct.map((pod) => {
    const { count, devices, cpu } = pod;
    const partition = { count, kinds: [set.kind], partition: { set, devices } };
    const alike = pods.filter((other) => JSON.stringify(other) === JSON.stringify(pod)).length;
    return { footprint: cpu > 0 ? [partition, { count: cpu, kinds: [CPU] }] : [partition], pods: alike };
  });
}

function amountsOf({ set, cpu }: Node): number[] {
  return [set.count, cpu];
}

function countNodes(node: Node, pods: readonly Pod[]): number {
  return countNodesWorstCase(amountsOf(node), loadsOf(node, pods));
}

/** What a partition takes: compute slices, then a run of memory slices. */
function at(compute: number, start: number, size: number): number[] {
  return [compute, ...Array.from({ length: 8 }, (_, slice) => Number(slice >= start && slice < start + size))];
}

/** The MIG profiles of an H100: seven compute slices, then eight memory slices. */
function mig(gpus: number): CounterSetShape {
  const of = [7, ...Array.from({ length: 8 }, () => 1)];
  const devices = [
    at(7, 0, 8),
    ...[0, 1, 2, 3, 4, 5, 6].map((start) => at(1, start, 1)),
    ...[0, 2, 4].map((start) => at(2, start, 2)),
    ...[0, 4].map((start) => at(3, start, 4)),
    at(4, 0, 4),
  ];
  return { name: 'gpu', kind: 0, count: gpus, of, devices };
}

const PROFILES = { whole: [0], '1g': [1, 2, 3, 4, 5, 6, 7], '2g': [8, 9, 10], '3g': [11, 12], '4g': [13] } as const;

const pods = (number: number, profile: keyof typeof PROFILES, count = 1): Pod[] =>
  Array.from({ length: number }, () => ({ devices: PROFILES[profile], count, cpu: 0 }));

const cases: Record<string, { gpus?: number; pods: Pod[]; want: number }> = {
  'a GPU has room for seven of the smallest partitions': { pods: pods(7, '1g'), want: 1 },
  'the eighth needs a node': { pods: pods(8, '1g'), want: 2 },
  'eight GPUs have room for 56': { gpus: 8, pods: pods(56, '1g'), want: 1 },
  'a GPU has room for two of three slices, whose memory is all of it': { pods: pods(2, '3g'), want: 1 },
  'and not for a third, although a compute slice is left': { pods: pods(3, '3g'), want: 2 },
  'one small partition keeps a whole GPU from its node': { pods: [...pods(1, '1g'), ...pods(1, 'whole')], want: 2 },
  'eight small partitions keep a whole GPU from eight GPUs': {
    gpus: 8,
    pods: [...pods(8, '1g'), ...pods(1, 'whole')],
    want: 2,
  },
  'seven do not': { gpus: 8, pods: [...pods(7, '1g'), ...pods(1, 'whole')], want: 1 },
  'two small partitions keep both placements of three slices': {
    pods: [...pods(2, '1g'), ...pods(1, '3g')],
    want: 2,
  },
  'one small partition does not': { pods: [...pods(1, '1g'), ...pods(1, '3g')], want: 1 },
  'a partition of one placement is kept out by one of the same slices': {
    pods: [...pods(1, '3g'), ...pods(1, '4g')],
    want: 2,
  },
  'a pod of four GPUs has room next to four partitions of eight GPUs': {
    gpus: 8,
    pods: [...pods(4, '1g'), ...pods(1, 'whole', 4)],
    want: 1,
  },
  'and not next to five': { gpus: 8, pods: [...pods(5, '1g'), ...pods(1, 'whole', 4)], want: 2 },
  'pods of three GPUs each leave two of eight': {
    gpus: 8,
    pods: [...pods(2, 'whole', 3), ...pods(2, 'whole')],
    want: 1,
  },
  'a thousand partitions are counted as ten are': { gpus: 8, pods: pods(1000, '1g'), want: 18 },
};

test.each(Object.entries(cases))('%s', (_, { gpus = 1, pods: all, want }) => {
  const node = { set: mig(gpus), cpu: 0 };
  expect(countNodes(node, all)).toBe(want);
  expect(countNodes(node, all.toReversed())).toBe(want);
});

const amount = fc.integer({ min: 0, max: 3 });

const setShape = fc
  .record({ counters: fc.integer({ min: 1, max: 3 }), count: fc.integer({ min: 1, max: 2 }) })
  .chain(({ counters, count }) =>
    fc.record({
      name: fc.constant('gpu'),
      kind: fc.constant(0),
      count: fc.constant(count),
      of: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: counters, maxLength: counters }),
      devices: fc.array(fc.array(amount, { minLength: counters, maxLength: counters }), { minLength: 1, maxLength: 4 }),
    }),
  )
  .map((set): CounterSetShape => {
    const devices = set.devices.map((takes) => takes.map((one, c) => Math.min(one, set.of[c]!)));
    return { ...set, devices };
  });

const node = fc.record({ set: setShape, cpu: fc.integer({ min: 0, max: 2 }) });

function podOn({ set, cpu }: Node): fc.Arbitrary<Pod> {
  return fc
    .record({
      devices: fc.uniqueArray(fc.nat(set.devices.length - 1), { minLength: 1, maxLength: 2 }),
      count: fc.constantFrom(1, 1, 1, 2),
      cpu: fc.integer({ min: 0, max: Math.min(1, cpu) }),
    })
    .map((pod): Pod => {
      const devices = pod.devices.toSorted((a, b) => a - b);
      // A pod that no empty node has devices for is never on the pool.
      const fits = placesOf({ ...pod, devices }, emptyOf({ set, cpu }), { set, cpu }).length > 0;
      return fits ? { ...pod, devices } : { ...pod, devices, count: 1 };
    });
}

const scenario = node.chain((one) =>
  fc.record({ node: fc.constant(one), pods: fc.array(podOn(one), { minLength: 1, maxLength: 5 }) }),
);

test('every pod has a place on that many nodes, whatever the others get', () => {
  fc.assert(
    fc.property(scenario, ({ node, pods }) => {
      expect(findStranded(node, countNodes(node, pods), pods)).toBeUndefined();
    }),
    { numRuns: daily(150) },
  );
});

test('packed pods have a place too', () => {
  fc.assert(
    fc.property(scenario, ({ node, pods }) => {
      const nodes = countNodesBinPacked(amountsOf(node), loadsOf(node, pods));
      expect(findStranded(node, nodes, pods)).toBeUndefined();
    }),
    { numRuns: daily(100) },
  );
});

test('pods that take one partition each are counted exactly: with a node less, some arrangement keeps one out', () => {
  const single = node.chain((one) => {
    const alone = { ...one, cpu: 0 };
    const pod = podOn(alone).map((some) => ({ ...some, count: 1 }));
    return fc.record({ node: fc.constant(alone), pods: fc.array(pod, { minLength: 1, maxLength: 5 }) });
  });
  fc.assert(
    fc.property(single, ({ node, pods }) => {
      const nodes = countNodes(node, pods);
      if (nodes > 1) expect(findStranded(node, nodes - 1, pods)).toBeDefined();
    }),
    { numRuns: daily(150) },
  );
});

test('no more nodes when a pod goes, and none fewer in another order', () => {
  fc.assert(
    fc.property(scenario, fc.nat(), ({ node, pods }, gone) => {
      const left = pods.filter((_, i) => i !== gone % pods.length);
      expect(countNodes(node, left)).toBeLessThanOrEqual(countNodes(node, pods));
      expect(countNodes(node, pods.toReversed())).toBe(countNodes(node, pods));
    }),
    { numRuns: daily(100) },
  );
});

/** What is free on a node: by parent, its counters and the devices that are not given out. */
interface Free {
  readonly parents: readonly { readonly counters: readonly number[]; readonly devices: readonly number[] }[];
  readonly cpu: number;
}

function emptyOf({ set, cpu }: Node): Free {
  const parent = { counters: set.of, devices: set.devices.map((_, d) => d) };
  return { parents: Array.from({ length: set.count }, () => parent), cpu };
}

/** A pod that some arrangement of the others leaves without a place. Tries all arrangements, and subsets of pods. */
function findStranded(node: Node, nodes: number, all: readonly Pod[]): Pod | undefined {
  return all.find((victim, v) => {
    const others = all.filter((_, i) => i !== v);
    const free = Array.from({ length: nodes }, () => emptyOf(node));
    return isStranded(victim, others, free, { node, seen: new Set() });
  });
}

function isStranded(
  victim: Pod,
  others: readonly Pod[],
  nodes: readonly Free[],
  search: { readonly node: Node; readonly seen: Set<string> },
): boolean {
  const state = `${others.length} ${nodes
    .map((one) => JSON.stringify(one))
    .sort()
    .join(' ')}`;
  if (search.seen.has(state)) return false;
  search.seen.add(state);
  if (nodes.every((free) => placesOf(victim, free, search.node).length === 0)) return true;
  const [pod, ...rest] = others;
  if (!pod) return false;
  const put = nodes.flatMap((free, i) => placesOf(pod, free, search.node).map((left) => nodes.with(i, left)));
  return [...put, nodes].some((after) => isStranded(victim, rest, after, search));
}

/** What each choice of devices for a pod leaves of a node. */
function placesOf({ count, devices, cpu }: Pod, free: Free, node: Node): Free[] {
  if (cpu > free.cpu) return [];
  const first = { ...free, cpu: free.cpu - cpu };
  const places = Array.from({ length: count }).reduce<readonly Free[]>(
    (all) => all.flatMap((one) => giveOne(devices, one, node)),
    [first],
  );
  return [...new Map(places.map((one) => [JSON.stringify(one), one])).values()];
}

function giveOne(devices: readonly number[], { parents, cpu }: Free, { set }: Node): Free[] {
  return parents.flatMap((parent, p) =>
    devices.flatMap((device) => {
      const takes = set.devices[device]!;
      const fits = parent.devices.includes(device) && takes.every((taken, c) => taken <= parent.counters[c]!);
      if (!fits) return [];
      const after = {
        counters: parent.counters.map((has, c) => has - takes[c]!),
        devices: parent.devices.filter((other) => other !== device),
      };
      const sorted = parents.with(p, after).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
      return [{ parents: sorted, cpu }];
    }),
  );
}
