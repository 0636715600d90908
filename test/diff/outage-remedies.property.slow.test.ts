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

/** The nodes that pools lose. */
const losses = fc.dictionary(fc.constantFrom('us/a', 'eu/a', 'eu/b'), fc.integer({ min: 1, max: 2 }));

/** Some models are edited, and some pools get fewer nodes. */
const changed: fc.Arbitrary<[Written, Written]> = fc
  .record({
    clusters,
    models: fc.array(fc.record({ model, edit: fc.option(edit, { nil: {} }) }), { minLength: 1, maxLength: 3 }),
    losses,
  })
  .map(({ clusters, models, losses }) => {
    const before = models.map((one, i) => toModel({ id: `ml/m${i}`, ...one.model }));
    const after = {
      clusters: structuredClone(clusters),
      models: before.map((one, i) => toModel({ ...one, ...models[i]?.edit })),
    };
    for (const [pool, lost] of Object.entries(losses)) setNodes(after, pool, (nodes) => Math.max(0, nodes - lost));
    return [{ clusters, models: before }, after];
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

function setNodes({ clusters }: Written, key: string, resize: (nodes: number) => number): void {
  const [cluster = '', pool = ''] = key.split('/');
  const pools = clusters[cluster];
  const nodes = pools?.[pool];
  if (!pools || nodes === undefined) throw new Error(`there is no ${key}`);
  pools[pool] = resize(nodes);
}

/** Two states of a fleet, as a user would write them, and what follows from the first. */
interface Change {
  readonly before: Written;
  readonly after: Written;
  readonly earlier: State;
}

/** What happens once deployments have what a comparison offers. */
type Follow = (change: Change, offered: readonly DeploymentDiff[]) => readonly DeploymentDiff[];

/** Adds the nodes and the surges that there is to be room for. */
function addRooms({ earlier, after }: Change, offered: readonly DeploymentDiff[]): readonly DeploymentDiff[] {
  const written = structuredClone(after);
  for (const { deployment, room } of offered) {
    if (!room) continue;
    // What several deployments lack at the same time is more than each lacks alone.
    const nodes = [...room.missing, ...(room.together ?? [])];
    for (const { pool, total = 0 } of nodes) setNodes(written, pool, (now) => Math.max(now, total));
    if (room.for === 'surge') for (const id of [deployment, ...(room.nextTo ?? [])]) modelOf(written, id).surge = 1;
  }
  return compare(earlier, written).deployments;
}

/** Adds further replicas in an earlier change. */
function addExtras({ before, earlier, after }: Change, offered: readonly DeploymentDiff[]): readonly DeploymentDiff[] {
  const [grown, written] = structuredClone([before, after]);
  for (const { deployment, extra } of offered) {
    for (const one of [grown, written]) {
      modelOf(one, deployment).replicas += extra?.added ?? 0;
      const { pool, to = 0 } = extra?.nodes ?? {};
      if (pool !== undefined) setNodes(one, pool, (now) => Math.max(now, to));
    }
  }
  return compare(compare(earlier, grown).later, written).deployments;
}

/** Leaves the numbers of replicas of before. */
function leaveReplicas({ earlier, after }: Change, offered: readonly DeploymentDiff[]): readonly DeploymentDiff[] {
  const written = structuredClone(after);
  for (const { deployment, unlowered } of offered) {
    if (unlowered) modelOf(written, deployment).replicas = unlowered.replicas;
  }
  return compare(earlier, written).deployments;
}

/** How many of a deployment have to serve, of those that can. */
function neededOf(after: Written, { deployment, serving }: DeploymentDiff): number {
  return Math.min(Math.max(1, modelOf(after, deployment).minAvailable), serving.before, serving.after);
}

const MODES = ['withWaves', 'perCluster'] satisfies ApplyMode[];

interface Remedy {
  readonly follow: Follow;
  readonly isOffered: (one: DeploymentDiff, mode: ApplyMode) => boolean;
}

const remedies: Record<string, Remedy> = {
  'room for surges, or for old and new engines, keeps enough replicas serving once it is there': {
    follow: addRooms,
    isOffered: ({ room }) => room !== undefined,
  },
  'further replicas of an earlier change keep enough replicas serving once they are there': {
    follow: addExtras,
    isOffered: ({ extra }, mode) => extra !== undefined && !extra.newPool && extra[mode] >= extra.needed,
  },
  'as many replicas as before keep enough of them serving where the change leaves their number': {
    follow: leaveReplicas,
    isOffered: ({ unlowered }, mode) => unlowered !== undefined && unlowered[mode] >= unlowered.needed,
  },
};

test.each(Object.entries(remedies))('%s', (_, { follow, isOffered }) => {
  fc.assert(
    fc.property(changed, ([before, after]) => {
      const compared = attempt(() => {
        const earlier = state('main', resourcesOf(before));
        return { earlier, ...compare(earlier, after) };
      });
      if (!('value' in compared)) return;
      const { earlier, deployments } = compared.value;
      const helped = deployments.flatMap((one) => {
        const needed = neededOf(after, one);
        const modes = MODES.filter((mode) => one.serving[mode] < needed && isOffered(one, mode));
        return modes.length > 0 ? [{ one, modes, needed }] : [];
      });
      const sets = helped.length > 1 ? [...helped.map((each) => [each]), helped] : [helped];
      for (const offered of sets.filter(({ length }) => length > 0)) {
        const found = follow(
          { before, earlier, after },
          offered.map(({ one }) => one),
        );
        for (const { one, modes, needed } of offered) {
          // One that is not found does not change any more.
          const serving = found.find(({ deployment }) => deployment === one.deployment)?.serving;
          for (const mode of modes) expect(serving?.[mode] ?? needed).toBeGreaterThanOrEqual(needed);
        }
      }
    }),
    { numRuns: daily(30) },
  );
});
