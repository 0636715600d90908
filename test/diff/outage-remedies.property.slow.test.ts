import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { attempt } from '../../src/base/attempt';
import type { DeploymentDiff } from '../../src/diff/deployment-diff';
import type { ApplyMode } from '../../src/diff/serving-during-change';
import { aClass, aCluster, aDeployment, aMember } from '../api/build';
import { daily } from '../daily';
import { change, state } from './build';
import { atLeast } from './gate-fleet';

/** A fleet as a user would write it, which remedies change. Clusters have pools by name, with their nodes of 8 GPUs. */
interface Written {
  clusters: Record<string, Record<string, number>>;
  models: Model[];
}

interface Model {
  id: string;
  gpus: number;
  replicas: number;
  minAvailable: number;
  tag: string;
  surge?: number;
}

const NODES = fc.integer({ min: 1, max: 3 });
const clusters = fc.record({
  us: fc.record({ a: NODES }),
  eu: fc.record({ a: NODES, b: fc.integer({ min: 0, max: 2 }) }),
});
const model = fc.record({
  gpus: fc.constantFrom(1, 2, 4, 8),
  replicas: fc.integer({ min: 1, max: 3 }),
  minAvailable: fc.integer({ min: 0, max: 3 }),
  tag: fc.constant('v0.23.0'),
});

const edit = fc.record(
  {
    tag: fc.constantFrom('v0.23.0', 'v0.24.0'),
    gpus: fc.constantFrom(1, 2, 4, 8),
    replicas: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: ['tag'] },
);

/** The first model is edited. */
const changed: fc.Arbitrary<[Written, Written]> = fc
  .record({ clusters, models: fc.array(model, { minLength: 1, maxLength: 3 }), edit })
  .map(({ clusters, models, edit }) => {
    const before = models.map((one, i) => toModel({ id: `ml/m${i}`, ...one }));
    const after = before.map((one, i) => (i === 0 ? toModel({ ...one, ...edit }) : one));
    return [
      { clusters, models: before },
      { clusters, models: after },
    ];
  });

function toModel(model: Model): Model {
  return { ...model, minAvailable: Math.min(model.minAvailable, model.replicas) };
}

function resourcesOf({ clusters, models }: Written): Resource[] {
  return [
    aClass('h100', { price: { perHour: 10 } }),
    ...Object.entries(clusters).map(([name, pools]) =>
      aCluster(name, {
        pools: Object.fromEntries(
          Object.entries(pools).map(([pool, nodeCount]) => [pool, { className: 'h100', nodeCount }]),
        ),
      }),
    ),
    ...models.map(({ id, gpus, replicas, minAvailable, tag, surge }) => {
      const containers = [{ name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['Qwen/Qwen3-8B'] }];
      const engines = [{ name: 'main', members: [aMember({ gpus, template: { spec: { containers } } })] }];
      return atLeast(minAvailable, aDeployment(id, { replicas, engines, ...(surge && { rollout: { surge } }) }));
    }),
  ];
}

type State = ReturnType<typeof state>;

function compare(earlier: State, after: Written): { later: State; deployments: readonly DeploymentDiff[] } {
  const { later, diff } = change(earlier, resourcesOf(after));
  return { later, deployments: diff.deployments };
}

function modelOf({ models }: Written, id: string): Model {
  const found = models.find((one) => one.id === id);
  if (!found) throw new Error(`there is no ${id}`);
  return found;
}

function setNodes({ clusters }: Written, key: string, nodes: number): void {
  const [cluster = '', pool = ''] = key.split('/');
  const pools = clusters[cluster];
  if (pools?.[pool] === undefined) throw new Error(`there is no ${key}`);
  pools[pool] = nodes;
}

/** How many replicas serve with the room for a surge, or for the old and new engines, that a remedy names. */
function serveWithRoom(
  earlier: State,
  after: Written,
  { deployment, room }: DeploymentDiff,
): DeploymentDiff | undefined {
  const written = structuredClone(after);
  if (!room) return undefined;
  // What several deployments lack at the same time is more than each lacks alone.
  for (const { pool, total = 0 } of [...room.missing, ...(room.together ?? [])]) setNodes(written, pool, total);
  if (room.for === 'surge') for (const id of [deployment, ...(room.nextTo ?? [])]) modelOf(written, id).surge = 1;
  return compare(earlier, written).deployments.find((one) => one.deployment === deployment);
}

/** Likewise with further replicas in an earlier change, next to those of the deployments before it: a reader adds all. */
function serveWithExtra(
  [before, earlier]: [Written, State],
  after: Written,
  deployments: readonly DeploymentDiff[],
): DeploymentDiff | undefined {
  const [grown, written] = structuredClone([before, after]);
  for (const { deployment, extra } of deployments) {
    if (!extra) continue;
    if (extra.newPool) return undefined;
    modelOf(grown, deployment).replicas += extra.added;
    modelOf(written, deployment).replicas += extra.added;
    const { pool, to } = extra.nodes ?? {};
    if (pool !== undefined && to !== undefined) for (const one of [grown, written]) setNodes(one, pool, to);
  }
  const id = deployments.at(-1)?.deployment;
  return compare(compare(earlier, grown).later, written).deployments.find((one) => one.deployment === id);
}

/** How many of a deployment have to serve, of those that can. */
function neededOf(after: Written, { deployment, serving }: DeploymentDiff): number {
  return Math.min(Math.max(1, modelOf(after, deployment).minAvailable), serving.before, serving.after);
}

const MODES = ['withWaves', 'perCluster'] satisfies ApplyMode[];

test('what a comparison offers to keep enough replicas serving does so once it is done', () => {
  fc.assert(
    fc.property(changed, ([before, after]) => {
      const compared = attempt(() => {
        const earlier = state('main', resourcesOf(before));
        return { earlier, ...compare(earlier, after) };
      });
      if (!('value' in compared)) return;
      const { earlier, later, deployments } = compared.value;
      if (later.decision.schedule.shortfalls.length > 0) return;
      for (const [i, one] of deployments.entries()) {
        const needed = neededOf(after, one);
        for (const mode of MODES.filter((each) => one.serving[each] < needed)) {
          const { extra, room } = one;
          if (room) expect(serveWithRoom(earlier, after, one)?.serving[mode]).toBeGreaterThanOrEqual(needed);
          if (!extra || extra.newPool || extra[mode] < extra.needed) continue;
          const grown = serveWithExtra([before, earlier], after, deployments.slice(0, i + 1));
          expect(grown?.serving[mode]).toBeGreaterThanOrEqual(needed);
        }
      }
    }),
    { numRuns: daily(40) },
  );
});
