import * as fc from 'fast-check';
import { attempt } from '../../src/base/attempt';
import { qualifiedNameOf } from '../../src/api/resource';
import { BUILT_IN_MODELS } from '../../src/fleet/models/model-book';
import type { Decision } from '../../src/plan/decision';
import { formatLock } from '../../src/scheduler/lock/lock';
import { parseLock } from '../../src/scheduler/lock/parse-lock';
import { gpuDeviceOf, gpuOfDevice } from '../../src/sizing/class-hardware';
import { DEFAULT_ENGINE } from '../../src/sizing/engine-version';
import { fitLayout } from '../../src/sizing/layout-memory';
import { classText, clusterText, decideParts, deploymentText } from './model-fleets';
import { daily } from '../daily';

const MACHINES = {
  h200: 'aws/p5en.48xlarge',
  h100: 'aws/p5.48xlarge',
  l40s: 'aws/g6e.48xlarge',
  l4: 'gcp/g2-standard-48',
} as const;

type Machine = keyof typeof MACHINES;
const NAMES = Object.keys(MACHINES) as Machine[];
const MODELS = [
  'Qwen/Qwen3-8B',
  'Qwen/Qwen3-32B',
  'openai/gpt-oss-120b',
  'RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic',
];

const fleets = fc.record({
  prices: fc.record({
    h200: fc.integer({ min: 1, max: 50 }),
    h100: fc.integer({ min: 1, max: 50 }),
    l40s: fc.integer({ min: 1, max: 50 }),
    l4: fc.integer({ min: 1, max: 50 }),
  }),
  clusters: fc.array(fc.dictionary(fc.constantFrom(...NAMES), fc.integer({ min: 1, max: 3 }), { minKeys: 1 }), {
    minLength: 1,
    maxLength: 3,
  }),
  deployments: fc.array(
    fc.record({
      model: fc.constantFrom(...MODELS),
      context: fc.constantFrom(4096, 16384, 32768),
      concurrency: fc.constantFrom(1, 4, 32),
      hardware: fc.option(fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 })),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

interface Drawn {
  prices: Record<Machine, number>;
  clusters: Partial<Record<Machine, number>>[];
  deployments: { model: string; context: number; concurrency: number; hardware: Machine[] | null }[];
}

function partsOf(drawn: Drawn): string[] {
  return [
    ...NAMES.map((name) => classText({ name, from: MACHINES[name], price: drawn.prices[name] })),
    ...drawn.clusters.map((pools, c) => clusterText(`c${c}`, pools)),
    ...drawn.deployments.map(({ model, context, concurrency, hardware }, d) => {
      const only = hardware ? `, hardware: [${hardware.join(', ')}]` : '';
      const spec = `repository: ${model}, context: ${context}, concurrency: ${concurrency}${only}`;
      return deploymentText(spec, ', allowPartial: true', `d${d}`);
    }),
  ];
}

/** The decision of a fleet. Undefined if one of its models has no layout on it. */
function decideDrawn(parts: readonly string[], ...more: [ReturnType<typeof parseLock>?]): Decision | undefined {
  const decided = attempt(() => decideParts(parts, ...more));
  if ('value' in decided) return decided.value;
  expect(new Set(decided.problems.map(({ code }) => code))).toEqual(new Set(['no-layout']));
  return undefined;
}

const reread = ({ lock }: Decision) => parseLock(formatLock(lock), 'lock');

const RUNS = { numRuns: daily(6) };

test('the layouts of models do not depend on the order of the input', () => {
  fc.assert(
    fc.property(fleets, (drawn: Drawn) => {
      const [one, other] = [partsOf(drawn), partsOf(drawn).toReversed()].map((parts) => decideDrawn(parts));
      expect(other && formatLock(other.lock)).toBe(one && formatLock(one.lock));
    }),
    RUNS,
  );
});

test('a decision from its own lock changes nothing', () => {
  fc.assert(
    fc.property(fleets, (drawn: Drawn) => {
      const first = decideDrawn(partsOf(drawn));
      const again = first && decideDrawn(partsOf(drawn), reread(first));
      expect(again?.outOfDate ?? false).toBe(false);
      expect(again?.replicas).toEqual(first?.replicas);
    }),
    RUNS,
  );
});

test('another price or a cheaper class moves nothing, and changes no layout', () => {
  fc.assert(
    fc.property(fleets, (drawn: Drawn) => {
      const first = decideDrawn(partsOf({ ...drawn, prices: { h200: 40, h100: 30, l40s: 20, l4: 10 } }));
      if (!first) return;
      const cheap = classText({ name: 'cheap', from: MACHINES.h200, price: 0.01 });
      const later = [...partsOf(drawn), cheap, clusterText('c9', { cheap: 9 })];
      // Replicas without a place may get one on a cluster that comes, but only in the layouts that were chosen.
      const decided = decideDrawn(later, reread(first));
      expect(decided?.outOfDate).toBe(false);
    }),
    RUNS,
  );
});

/** The layout of a placed replica, with the GPU and the row that it is for. */
function layoutOf({ fleet }: Decision, { engines, deployment }: Decision['replicas'][number]) {
  const pool = engines[0]?.pool;
  const chosen = fleet.expansions?.get(qualifiedNameOf(deployment))?.layouts;
  const declared = fleet.classes.find(({ metadata }) => metadata.name === pool?.className);
  const device = declared && gpuDeviceOf(declared);
  const layout = chosen?.layouts.find(({ classes }) => classes.some((name) => name === pool?.className));
  const row = chosen && BUILT_IN_MODELS.models.get(chosen.repository);
  if (!pool || !device || !layout || !row) throw new Error('a replica without a layout');
  const gpu = gpuOfDevice(device, [...fleet.hardware.catalogue.gpus.values()]);
  return { pool, gpu, layout, row, context: chosen.context, gpusOfPool: device.count * pool.nodeCount };
}

test('no replica is in a layout that does not hold its model, and no pool has more GPUs claimed than it has', () => {
  fc.assert(
    fc.property(fleets, (drawn: Drawn) => {
      const decided = decideDrawn(partsOf(drawn));
      if (!decided) return;
      const claimed = new Map<string, number>();
      for (const replica of decided.replicas) {
        const { pool, gpu, layout, row, context, gpusOfPool } = layoutOf(decided, replica);
        const concurrency = replica.deployment.spec.model?.concurrency ?? 1;
        const options = { engine: DEFAULT_ENGINE, context, concurrency, kvBytes: 2 };
        expect(fitLayout(row, gpu, layout, options).verdict).not.toBe('no');
        const name = `${replica.cluster.metadata.name}/${pool.name}`;
        claimed.set(name, (claimed.get(name) ?? 0) + layout.tp * layout.pp * layout.dp);
        expect(claimed.get(name)).toBeLessThanOrEqual(gpusOfPool);
      }
    }),
    RUNS,
  );
});
