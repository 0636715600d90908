import type { Resource } from '../../src/api/kinds';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { policyFile } from '../../src/api/policy-file';
import { diffStates } from '../../src/diff/fleet-diff';
import { findGateFindings } from '../../src/diff/gate-findings';
import type { ApplyMode } from '../../src/diff/serving-during-change';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { formatGateFinding } from '../../src/report/diff/gate-text';
import { aCache, aClass, aCluster, aDeployment, aMember, byPath, type Doc, MACHINES } from '../api/build';
import { state } from './build';
import { atLeast } from './gate-fleet';

type Cloud = keyof typeof MACHINES;
type State = ReturnType<typeof state>;

/** Nodes of 8 GPUs at 10 dollars an hour. */
function made(cloud: Cloud, machine: Doc = {}, name = 'h100'): Resource {
  const key = cloud.toLowerCase();
  const own = MACHINES[cloud] as unknown as Record<string, Doc>;
  const provisioning = { provider: cloud, [key]: { ...own[key], ...machine } };
  return aClass(name, { provisioning, price: { perHour: 10 } });
}

const site = (source: Cloud, pool: Doc = {}, others: Doc = {}): Resource =>
  aCluster('us', { source, pools: { h100: { nodeCount: 1, ...pool }, ...others } });
/** Nodes whose price is known in other regions alone. */
function unpriced(machine: Doc = {}): Resource {
  const { provider, gke } = MACHINES.GKE;
  return aClass('h100', { provisioning: { provider, gke: { ...gke, ...machine } } });
}
const abroad = aCluster('us', {
  cluster: { source: 'GKE', gke: { region: 'asia-south2' } },
  pools: { h100: { nodeCount: 1, zones: ['asia-south2-a'] } },
});
/** Clusters on which nothing happens, of which the first comes first for a replica. */
const [dc, west] = ['dc', 'west'].map((name) => aCluster(name, { pools: { h100: { nodeCount: 1 } } })) as [
  Resource,
  Resource,
];

/** A cluster whose queue has quota for some devices. */
const queued = (name: string, nodeCount: number, quota: number): Resource =>
  aCluster(name, {
    scheduler: { type: 'Kueue', queue: 'models', quota: { 'gpu.nvidia.com': quota } },
    pools: { h100: { nodeCount } },
  });

const q = (replicas: number, image = 'vllm/vllm-openai:v0.11.0'): ModelDeployment => {
  const container = { name: 'engine', image, args: ['Qwen/Qwen3-8B'] };
  const members = [aMember({ gpus: 8, template: { spec: { containers: [container] } } })];
  return aDeployment('ml/q', { replicas, engines: [{ name: 'main', members }] });
};
const PRICED = aClass('h100', { price: { perHour: 10 } });

const filed = (name: string, storageClassName: string): Resource =>
  aCluster(name, { pools: { h100: { nodeCount: 2 } }, storage: { sharedFilesystem: { storageClassName } } });
const cached = (name: string, spec: Doc = {}): Resource =>
  aDeployment(name, { cache: 'weights', engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }], ...spec });

/** Clusters with a file system for a cache, which both have already: on the second one for other replicas. */
const stored = (dcClass: string, westClass: string): Resource[] => [
  PRICED,
  filed('dc', dcClass),
  filed('west', westClass),
  aCache('ml/weights'),
  cached('ml/q'),
  cached('ml/z', { rollout: { strategy: 'Recreate' } }),
];
const NEWER = 'vllm/vllm-openai:v0.12.0';

function refusedOf(earlier: State, later: State, applied: ApplyMode = 'withWaves'): string[] {
  const planned = decide(assemble(later.resources), byPath, earlier.decision.lock);
  const diff = diffStates(earlier, later, planned);
  const context = { before: earlier.decision, after: later.decision, applied, acceptRemovals: false };
  const located = { fleet: later.decision.fleet, locate: byPath };
  return findGateFindings(diff, context).map((finding) => formatGateFinding(finding, located));
}

interface Case {
  before: Resource[];
  after: Resource[];
  applied?: ApplyMode;
  want: string;
}

const APPLY = ', and apply this change when it serves (you can undo the earlier one afterwards)';
const APPLY_TO_TWO = APPLY.replace(
  ' (',
  ': at least 1 of 3 serves then, with up to 2 times the requests of a replica today (',
);

const cases: Record<string, Case> = {
  'another cluster with room needs nothing else': {
    before: [made('EKS'), site('EKS'), west, q(1)],
    after: [made('EKS'), site('EKS', { zones: ['us-east-1b'] }), west, q(1)],
    want: `In an earlier change, set 'replicas: 2' (cost unchanged; the new replica runs on west/h100)${APPLY}`,
  },
  'whose name comes first takes the new replica, because the old one would take it too': {
    before: [made('EKS'), site('EKS', { nodeCount: 4 }), q(2)],
    after: [made('EKS'), site('EKS', { nodeCount: 4, zones: ['us-east-1b'] }), q(2)],
    want: `In an earlier change, set 'replicas: 3' and declare a node pool 'a-h100' like us/h100 with 1 node (+$7,300 a month; the new replica runs on us/a-h100, whose name comes first)${APPLY_TO_TWO}`,
  },
  'a pool of a class that changes needs a copy of the class': {
    before: [made('GKE'), site('GKE'), q(1)],
    after: [made('GKE', { spot: true }), site('GKE'), q(1)],
    want: `In an earlier change, set 'replicas: 2' and declare a node pool 'a-h100' like us/h100 with 1 node and a copy of its class h100 (+$7,300 a month; `,
  },
  'a pool of AKS has a name without hyphens': {
    before: [made('AKS'), site('AKS'), q(1)],
    after: [made('AKS', { spot: true }), site('AKS'), q(1)],
    want: `declare a node pool 'a0h100' like us/h100 `,
  },
  'nodes that are recreated one at a time need one more where none is free': {
    before: [made('GKE'), site('GKE'), q(1)],
    after: [made('GKE', { diskSizeGb: 500 }), site('GKE'), q(1)],
    want: `. In an earlier change, set 'replicas: 2' and 'nodeCount: 2' of us/h100 (+$7,300 a month; the new replica runs on us/h100, where one replica at a time stops)${APPLY}`,
  },
  'nodes without a known price have an estimate with that of another region': {
    before: [unpriced(), abroad, q(1)],
    after: [unpriced({ diskSizeGb: 500 }), abroad, q(1)],
    want: "and 'nodeCount: 2' of us/h100 (about +$64,600 a month as in us-central1; the new replica runs on us/h100",
  },
  'nodes that are recreated one at a time need nothing where one is free': {
    before: [made('GKE'), site('GKE', { nodeCount: 2 }), q(1)],
    after: [made('GKE', { diskSizeGb: 500 }), site('GKE', { nodeCount: 2 }), q(1)],
    want: `. In an earlier change, set 'replicas: 2' (cost unchanged; the new replica runs on us/h100, where one replica at a time stops)${APPLY}; or accept downtime`,
  },
  'as many replicas are added as minAvailable asks for': {
    before: [made('GKE'), site('GKE', { nodeCount: 2 }), atLeast(2, q(2))],
    after: [made('GKE', { spot: true }), site('GKE', { nodeCount: 2 }), atLeast(2, q(2))],
    want: `set 'replicas: 4' and declare a node pool 'a-h100' like us/h100 with 2 nodes`,
  },
  'a pool that is there without a replica says so': {
    before: [made('GKE'), site('GKE', {}, { next: { className: 'h100', nodeCount: 1 } }), q(1)],
    after: [made('GKE'), aCluster('us', { source: 'GKE', pools: { next: { className: 'h100', nodeCount: 1 } } }), q(1)],
    want: `whose name comes first; no replica serves on us/next before this change)${APPLY}`,
  },
  'replicas that also roll all at once are not helped by a further one': {
    before: [made('GKE'), site('GKE'), q(1)],
    after: [made('GKE', { spot: true }), site('GKE'), q(1, NEWER)],
    applied: 'atOnce',
    want: `. In an earlier change, add a replica on another node pool or cluster${APPLY}`,
  },
  'pods that restart in place are helped by room that another cluster has': {
    before: [PRICED, dc, west, q(1)],
    after: [PRICED, dc, west, q(1, NEWER)],
    want: `. In an earlier change, set 'replicas: 2' (cost unchanged; the new replica runs on west/h100)${APPLY}; or add 1 more node of dc/h100 and set 'rollout.surge: 1' (+$7,300 a month; the surge reserves 8 GPUs of dc/h100); or accept downtime with 'rollout: Recreate' (cost unchanged)`,
  },
  'pods that restart in place need a surge where no cluster has room': {
    before: [PRICED, dc, q(1)],
    after: [PRICED, dc, q(1, NEWER)],
    want: `. Add 1 more node of dc/h100 and set 'rollout.surge: 1' (+$7,300 a month; the surge reserves 8 GPUs of dc/h100); or accept downtime with 'rollout: Recreate' (cost unchanged)`,
  },
  'pods that restart on several pools are helped by a replica on one of them, which costs less than a surge on each': {
    before: [PRICED, dc, west, q(2)],
    after: [PRICED, dc, west, q(2, NEWER)],
    applied: 'perCluster',
    want: `. In an earlier change, set 'replicas: 3' and 'nodeCount: 2' of dc/h100 (+$7,300 a month; the new replica runs on dc/h100)${APPLY_TO_TWO}; or add 2 more nodes (1 of dc/h100, 1 of west/h100) and set 'rollout.surge: 1' (+$14,600 a month: +$7,300 for dc/h100, +$7,300 for west/h100; the surge reserves 8 GPUs of dc/h100 and 8 GPUs of west/h100)`,
  },
  'pods that restart for an edit of their cluster are helped by one replica on another cluster': {
    before: stored('slow', 'slow'),
    after: stored('fast', 'slow'),
    applied: 'perCluster',
    want: `; or in an earlier change, set 'replicas: 2' (cost unchanged; the new replica runs on west/h100)${APPLY}`,
  },
  'a replica on another cluster that is edited too restarts with the others': {
    before: stored('slow', 'slow'),
    after: stored('fast', 'fast'),
    applied: 'perCluster',
    want: `n an earlier change, set 'replicas: 3' (cost unchanged; new replicas run on dc/h100 and west/h100)`,
  },
  'pods of a surge, for which there is room, need a quota of their queue': {
    before: [PRICED, queued('us', 2, 8), q(1)],
    after: [PRICED, queued('us', 2, 8), q(1, NEWER)],
    want: `. Set 'rollout.surge: 1', for which there is room, and raise the quota of queue 'models' and 'scheduler.quota' of us from 8 to 16 gpu.nvidia.com (cost unchanged; the surge reserves 8 GPUs of us/h100 worth $7,300 a month); or `,
  },
  'replicas of an earlier change need a quota of their queue too': {
    before: [made('EKS'), site('EKS'), queued('west', 1, 4), q(1)],
    after: [made('EKS'), site('EKS', { zones: ['us-east-1b'] }), queued('west', 1, 4), q(1)],
    want: `In an earlier change, set 'replicas: 2' and raise the quota of queue 'models' and 'scheduler.quota' of west from 4 to 8 gpu.nvidia.com (cost unchanged; the new replica runs on west/h100)`,
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, applied, want }) => {
  const earlier = state('main', before);
  const later = state('here', after, earlier.decision.lock, earlier);
  expect(refusedOf(earlier, later, applied)).toEqual([expect.stringContaining(want)]);
});

/** A deployment whose replicas take half of a node. */
const half = (id: string): ModelDeployment => {
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.11.0', args: ['Qwen/Qwen3-8B'] };
  const members = [aMember({ gpus: 4, template: { spec: { containers: [container] } } })];
  return aDeployment(id, { replicas: 1, engines: [{ name: 'main', members }] });
};

/** What is refused where the nodes of deployments become spot nodes. */
const spotted = (...deployments: ModelDeployment[]): string[] => {
  const earlier = state('main', [made('GKE'), site('GKE', { nodeCount: 2 }), ...deployments]);
  const resources = [made('GKE', { spot: true }), site('GKE', { nodeCount: 2 }), ...deployments];
  return refusedOf(earlier, state('here', resources, earlier.decision.lock, earlier));
};

describe('of two deployments that lose their nodes', () => {
  test('the second one takes what is free of the node that the change for the first one adds', () => {
    expect(spotted(half('ml/a'), half('ml/b'))).toEqual([
      expect.stringContaining("set 'replicas: 2' and declare a node pool 'a-h100' like us/h100 with 1 node and a copy"),
      expect.stringContaining(
        `In the earlier change for ml/a, also set 'replicas: 2' (cost unchanged; the new replica runs on us/a-h100)${APPLY}`,
      ),
    ]);
  });

  test('the second one adds a node of its own to the pool of the first one where that is full', () => {
    expect(spotted(half('ml/a'), q(1))).toEqual([
      expect.stringContaining("set 'replicas: 2' and declare a node pool 'a-h100' like us/h100 with 1 node and a copy"),
      expect.stringContaining(
        "In the earlier change for ml/a, also set 'replicas: 2' and declare its node pool 'a-h100' like us/h100 with 2 nodes instead of 1 (+$7,300 a month; the new replica runs on us/a-h100",
      ),
    ]);
  });
});

test('rules that deny the earlier change say how far to raise them, at their present places', () => {
  const resources = [made('EKS'), site('EKS', { nodeCount: 2 }), q(2)];
  const earlier = state('main', resources);
  const edited = [made('EKS'), site('EKS', { nodeCount: 2, zones: ['us-east-1b'] }), q(2)];
  const later = state('here', edited, earlier.decision.lock, earlier);
  const { rules } = policyFile.parse({
    rules: [
      { name: 'quota', deviceQuota: { most: 16 } },
      { name: 'budget', budget: { perMonth: 15_000 } },
    ],
  });
  const policies = rules.map((rule, i) => ({ rule, where: `policy.yaml:${i + 2}:5`, place: () => '' }));
  const { decision } = later;
  const fleet = { ...decision.fleet, policies };
  expect(refusedOf(earlier, { ...later, decision: { ...decision, fleet } })).toEqual([
    expect.stringContaining(
      "with 1 node, raise deviceQuota.most of rule 'quota' (policy.yaml:2:5) from 16 to 24 and raise budget.perMonth of rule 'budget' (policy.yaml:3:5) from 15000 to 21900 (+$7,300 a month; ",
    ),
  ]);
});

test('the change passes once the earlier one is made as it says', () => {
  const [old, spot] = [made('GKE'), made('GKE', { spot: true })];
  const copy = made('GKE', {}, 'copy');
  const extra = { 'a-h100': { className: 'copy', nodeCount: 1 } };
  const before = state('main', [old, site('GKE', { nodeCount: 4 }), q(2)]);
  const grown = state('grown', [old, copy, site('GKE', { nodeCount: 4 }, extra), q(3)], before.decision.lock, before);
  expect(refusedOf(before, grown)).toEqual([]);
  const changed = state(
    'changed',
    [spot, copy, site('GKE', { nodeCount: 4 }, extra), q(3)],
    grown.decision.lock,
    grown,
  );
  expect(refusedOf(grown, changed)).toEqual([]);
  const lowered = state('lowered', [spot, site('GKE', { nodeCount: 4 }), q(2)], changed.decision.lock, changed);
  expect(refusedOf(changed, lowered)).toEqual([]);
});
