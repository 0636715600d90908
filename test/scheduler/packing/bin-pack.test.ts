import * as fc from 'fast-check';
import { countNodesBinPacked } from '../../../src/scheduler/packing/bin-pack';
import { normalizeFootprint } from '../../../src/scheduler/packing/pod-footprint';
import type { PodLoad } from '../../../src/scheduler/packing/worst-case';
import { cluster, deployment, nodeClass } from '../build';
import { type Case, check } from '../rows';

/** Pods of one need each, written as what they take of each kind. */
function loads(...pods: number[][]): PodLoad[] {
  return pods.map((amounts) => ({
    footprint: normalizeFootprint(amounts.map((count, kind) => ({ count, kinds: [kind] }))),
    pods: 1,
  }));
}

/** A number of pods that take the same of one kind. */
const alike = (count: number, pods: number): PodLoad => ({
  footprint: normalizeFootprint([{ count, kinds: [0] }]),
  pods,
});

const cases: Record<string, { amounts: number[]; loads: PodLoad[]; want: number }> = {
  'no pods need no nodes': { amounts: [8], loads: [], want: 0 },
  'small pods leave the other nodes free': { amounts: [8], loads: loads([1], [1], [1], [1], [8]), want: 2 },
  'large pods come first, whatever the order': { amounts: [8], loads: loads([2], [6], [2], [6]), want: 2 },
  'where the first fit wastes room, the search finds better': {
    // First fit: 4+3, 3+2+2, 2.
    amounts: [8],
    loads: loads([4], [3], [3], [2], [2], [2]),
    want: 2,
  },
  'many pods of few kinds are searched too': {
    amounts: [8],
    loads: loads([4], [3], [3], [2], [2], [2], ...Array.from({ length: 70 }, () => [8])),
    want: 72,
  },
  'pods of very many kinds are counted as halves, quarters and so on': {
    amounts: [100],
    loads: loads(...Array.from({ length: 40 }, (_, i) => [31 + i])),
    want: 30,
  },
  'what takes nothing that is counted needs no node': { amounts: [8], loads: loads([0], [8]), want: 1 },
  'what no node has takes a node, as if it were there': { amounts: [8], loads: loads([9], [8]), want: 2 },
  'every kind must fit': { amounts: [8, 4], loads: loads([1, 4], [1, 4], [4, 0]), want: 2 },
  'a kind that the node lacks and no pod wants changes nothing': {
    amounts: [8, 0],
    loads: loads([4], [4]),
    want: 1,
  },
  'a pod that may choose between kinds takes a node of its own': {
    amounts: [4, 4],
    loads: [{ footprint: [{ count: 1, kinds: [0, 1] }], pods: 2 }, ...loads([4, 4])],
    want: 3,
  },
  'so does a pod whose needs cannot be reported': {
    amounts: [4],
    loads: [{ footprint: 'node', pods: 2 }, ...loads([1], [1])],
    want: 3,
  },
};

describe('nodesToPack', () => {
  test.each(Object.entries(cases))('%s', (_, { amounts, loads, want }) => {
    expect(countNodesBinPacked(amounts, loads)).toBe(want);
    expect(countNodesBinPacked(amounts, loads.toReversed())).toBe(want);
  });

  const node = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 2 });
  const scenario = node.chain((amounts) =>
    fc.record({
      amounts: fc.constant(amounts),
      pods: fc.array(fc.tuple(...amounts.map((most) => fc.integer({ min: 0, max: most }))), { maxLength: 7 }),
    }),
  );

  test('as few nodes as any arrangement of few pods, and never fewer than their sum', () => {
    fc.assert(
      fc.property(scenario, ({ amounts, pods }) => {
        const some = pods.filter((pod) => pod.some((count) => count > 0));
        const nodes = countNodesBinPacked(amounts, loads(...some));
        expect(nodes).toBe(fewestNodes(amounts, some));
        for (const [kind, amount] of amounts.entries()) {
          const sum = some.reduce((total, pod) => total + pod[kind]!, 0);
          expect(nodes * amount).toBeGreaterThanOrEqual(sum);
        }
      }),
      { numRuns: 300 },
    );
  });

  /** From all that is searched to none of it. */
  const searched = fc.constantFrom(4096, 64, 16, 4, 1);

  test('never fewer nodes than pods need, however little is searched', () => {
    fc.assert(
      fc.property(scenario, fc.integer({ min: 1, max: 3 }), searched, ({ amounts, pods }, times, most) => {
        const some = pods.filter((pod) => pod.some((count) => count > 0)).slice(0, 7 / times);
        const many = some.flatMap((pod) => Array.from({ length: times }, () => pod));
        expect(countNodesBinPacked(amounts, loads(...many), most)).toBeGreaterThanOrEqual(fewestNodes(amounts, many));
      }),
      { numRuns: 300 },
    );
  });

  test('no more nodes when a pod goes, or when nodes have more', () => {
    const many = node.chain((amounts) =>
      fc.record({
        amounts: fc.constant(amounts),
        pods: fc.array(fc.tuple(...amounts.map((most) => fc.integer({ min: 1, max: most }))), {
          minLength: 1,
          maxLength: 40,
        }),
        more: fc.tuple(...amounts.map(() => fc.nat(3))),
      }),
    );
    fc.assert(
      fc.property(many, fc.nat(), searched, ({ amounts, pods, more }, gone, most) => {
        const before = countNodesBinPacked(amounts, loads(...pods), most);
        const left = pods.filter((_, i) => i !== gone % pods.length);
        expect(countNodesBinPacked(amounts, loads(...left), most)).toBeLessThanOrEqual(before);
        const larger = amounts.map((amount, kind) => amount + more[kind]!);
        expect(countNodesBinPacked(larger, loads(...pods), most)).toBeLessThanOrEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  test('pods of halves and quarters of a node fill thousands of nodes to the brim', () => {
    expect(countNodesBinPacked([8], [alike(8, 7000), alike(4, 6000), alike(2, 4001), alike(1, 8000)])).toBe(12_001);
  });

  test('thousands of pods that fill no node are counted in bulk, a few hundredths too many at most', () => {
    const nodes = countNodesBinPacked([8], [alike(3, 10_000), alike(2, 5000)]);
    expect(nodes).toBeGreaterThanOrEqual(5000);
    expect(nodes).toBeLessThanOrEqual(5150);
  });
});

/** Tries every way to put pods on nodes. */
function fewestNodes(amounts: number[], pods: number[][], free: number[][] = []): number {
  const [pod, ...rest] = pods;
  if (!pod) return free.length;
  const put = (i: number, node: number[]): number =>
    fewestNodes(amounts, rest, [...free.slice(0, i), node.map((count, k) => count - pod[k]!), ...free.slice(i + 1)]);
  const ways = free.flatMap((node, i) => (pod.every((count, k) => count <= node[k]!) ? [put(i, node)] : []));
  return Math.min(...ways, put(free.length, amounts));
}

const H100 = nodeClass('h100');
const small = deployment('ml/small', { replicas: 4, gpus: 1, spec: { priority: 1 } });
const whole = deployment('ml/whole', { replicas: 4 });
const packing = (name: string) => cluster('eu', { a: 'h100 x 4' }, { pool: { packing: name } });
const all = (id: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${id} eu/${i} a`);

const packings: Record<string, Case> = {
  'Spread promises what holds however pods are arranged': {
    resources: [H100, packing('Spread'), small, whole],
    want: all('ml/small', 4),
  },
  'BinPack trusts the cluster to put small pods on one node': {
    resources: [H100, packing('BinPack'), small, whole],
    want: [...all('ml/small', 4), ...all('ml/whole', 3)],
  },
  'Exclusive gives every pod a node': {
    resources: [H100, packing('Exclusive'), deployment('ml/small', { replicas: 9, gpus: 1 })],
    want: all('ml/small', 4),
  },
  'pools of one cluster that are trusted differently are distinguished': {
    // Of two pools in the same state only one is tried, so the packing is part of the state.
    resources: [
      H100,
      cluster('eu', { a: 'h100 x 1' }, { pool: { packing: 'Exclusive' } }),
      cluster('us', { a: 'h100 x 1' }, { pool: { packing: 'BinPack' } }),
      deployment('ml/q', { replicas: 9, gpus: 4 }),
    ],
    want: ['ml/q eu/0 a', 'ml/q us/0 a', 'ml/q us/1 a'],
  },
};

test.each(Object.entries(packings))('packing: %s', (_, row) => check(row));
