import { formatDiagnostic } from '../../src/base/diagnostic';
import { resolveFleet } from '../../src/files/read-fleet';
import { loadManifests } from '../../src/manifest/load-manifests';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK, type Lock } from '../../src/scheduler/lock/lock';
import type { Placement } from '../../src/scheduler/placement';
import { SMALL } from '../cli/cli';
import { type Json, list, node, pod, slice } from '../snapshot/build';

const labels = (deployment: string, index = 0, engine: string | undefined = 'main'): Json => ({
  'fleetwright.dev/deployment': deployment,
  'fleetwright.dev/replica-index': String(index),
  ...(engine !== undefined && { 'fleetwright.dev/engine': engine }),
});

/** A pod of a replica in the namespace of the deployment, with devices. */
function own(deployment: string, nodeName: string, { index = 0, ...more }: Json & { index?: number } = {}): Json {
  const made = pod(`${deployment}-${index}`, nodeName, {
    labels: labels(deployment, index),
    spec: { resourceClaims: [{ name: 'gpu' }] },
    ...more,
  });
  return { ...made, metadata: { ...(made['metadata'] as Json), namespace: 'ml' } };
}

interface Case {
  /** Pods on the nodes n1 and n2 of the pool. */
  pods: Json[];
  /** The lock. Default: one that never was. */
  locked?: readonly Placement[];
  replicas?: number;
  /** Fields of the pool. */
  pool?: Json;
  /** The devices that a replica requests. Default: all of a node. */
  devices?: number;
  /** Whether there is another pool, with the node n3. */
  spare?: boolean;
  /** The `node` of the class. */
  inferenceClass?: Json;
  /** The number of placed replicas, and what warnings say of pods. */
  want: [placed: number, ...said: string[]];
}

const WHERE = 'snapshots/us.yaml:';

function fleetOf({ pods, replicas = 2, pool = {}, devices = 8, spare = false, inferenceClass }: Case) {
  const pools = [
    { name: 'h100', className: 'h100', nodeCount: 2, ...pool },
    ...(spare ? [{ name: 'spare', className: 'h100', nodeCount: 1 }] : []),
  ];
  const text = SMALL.replace('replicas: 1', `replicas: ${replicas}`)
    .replace('count: 8\n                    sel', `count: ${devices}\n                    sel`)
    .replace('-tp=8', `-tp=${devices}`)
    .replace(/nodePools:\n.*\n/, `nodePools: ${JSON.stringify(pools)}\n`)
    .replace('  devices:', `${inferenceClass ? `  node: ${JSON.stringify(inferenceClass)}\n` : ''}  devices:`);
  const wide = { status: { allocatable: { cpu: '8', memory: '64Gi' } } };
  const third = spare ? [node('n3', { ...wide, labels: { 'fleetwright.dev/pool': 'spare' } }), slice('n3')] : [];
  const nodes = ['n1', 'n2'].flatMap((name) => [node(name, wide), slice(name)]);
  const manifests = loadManifests([{ path: 'fleet.yaml', text }]);
  const snapshots = [{ path: 'snapshots/us.yaml', text: list(...nodes, ...third, ...pods) }];
  return resolveFleet({ ...manifests, missing: [], otherParts: [], definitions: [], snapshots });
}

function lockOf(placements: readonly Placement[] = []): Lock {
  return { ...EMPTY_LOCK, placements };
}

const line = (index: number): Placement => {
  const { fleet, locate } = fleetOf({ pods: [], want: [0] });
  const found = decide(fleet, locate, EMPTY_LOCK).lock.placements.find((one) => one.index === index);
  if (!found) throw new Error(`bug: no replica ${index}`);
  return found;
};

const cases: Record<string, Case> = {
  'a replica that left the lock still holds the devices of its node': {
    pods: [own('gone', 'n1')],
    want: [
      1,
      "1 node of pool 'h100' cannot run new replicas: pods of replicas that are not in the lock file run there: ml/gone-0. Delete their workloads ('fleetwright status DIR --cluster us' shows the commands), and record the cluster again.",
    ],
  },
  'so does a pod that ends, as long as it has not ended': {
    pods: [{ ...own('gone', 'n1'), status: { phase: 'Running' } }],
    want: [1, 'ml/gone-0'],
  },
  'a pod that has ended holds nothing': {
    pods: [{ ...own('gone', 'n1'), status: { phase: 'Failed' } }],
    want: [2],
  },
  'replicas on both nodes leave no room': {
    pods: [own('gone', 'n1'), own('gone', 'n2', { index: 1 })],
    want: [0, "2 nodes of pool 'h100' cannot run new replicas"],
  },
  'a replica of the lock is accounted for': { pods: [own('q', 'n1')], locked: [line(0)], want: [2] },
  'another index of the same deployment is not': {
    pods: [own('q', 'n1', { index: 7 })],
    locked: [line(0)],
    want: [1, 'ml/q-7'],
  },
  'a pod in another pool than the lock has it in is not': {
    pods: [own('q', 'n3')],
    locked: [line(0)],
    replicas: 3,
    spare: true,
    want: [2, "1 node of pool 'spare' cannot run new replicas"],
  },
  'the same name in another namespace is another deployment': {
    pods: [{ ...own('q', 'n1'), metadata: { name: 'q-0', namespace: 'other', labels: labels('q') } }],
    locked: [line(0)],
    want: [1, 'other/q-0'],
  },
  'without a lock, replicas take over the pods that they would make': {
    pods: [own('q', 'n1'), own('q', 'n2', { index: 1 })],
    want: [2],
  },
  'a pod without a label of its engine belongs to any engine of its replica': {
    pods: [{ ...own('q', 'n1'), metadata: { name: 'q-0', namespace: 'ml', labels: labels('q', 0, undefined) } }],
    locked: [line(0)],
    want: [2],
  },
  'a pool that can grow makes up for it': {
    pods: [own('gone', 'n1')],
    pool: { maxNodeCount: 3 },
    want: [2, 'ml/gone-0'],
  },
  'devices that are reserved for others are not for them': {
    pods: [own('gone', 'n1')],
    pool: { reserved: { devices: { gpu: 4 } } },
    devices: 4,
    want: [1, 'ml/gone-0'],
  },
  'pods without devices take the node where CPU is planned with': {
    pods: [own('gone', 'n1', { requests: { cpu: '1' }, spec: {} })],
    inferenceClass: { allocatable: { cpu: '8', memory: '64Gi' } },
    want: [1, 'ml/gone-0'],
  },
  'and not where nothing is stated': {
    pods: [own('gone', 'n1', { requests: { cpu: '1' }, spec: {} })],
    want: [2],
  },
};

test.each(Object.entries(cases))('%s', (_, row) => {
  const { fleet, locate, warnings, notes } = fleetOf(row);
  const { plan, lock } = decide(fleet, locate, lockOf(row.locked), { notes, warnings });
  const [placed, ...said] = row.want;
  expect(lock.placements.filter(({ draining }) => !draining)).toHaveLength(placed);
  const about = plan.warnings.filter(({ code }) => code === 'unlocked-pods').map(formatDiagnostic);
  expect(about).toEqual(said.map((text) => expect.stringContaining(text) as string));
  for (const text of about) expect(text).toContain(WHERE);
});

test('what is placed stays, and deciding again from its lock changes nothing', () => {
  const { fleet, locate } = fleetOf({ pods: [own('gone', 'n1')], want: [1] });
  const both = lockOf([line(0), line(1)]);
  expect(decide(fleet, locate, both)).toMatchObject({ outOfDate: false, lock: { placements: both.placements } });
  const first = decide(fleet, locate, EMPTY_LOCK).lock;
  expect(decide(fleet, locate, first).lock).toEqual(first);
});
