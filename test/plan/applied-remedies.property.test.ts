import * as fc from 'fast-check';
import type { Resource } from '../../src/api/kinds';
import { REGION_LABEL } from '../../src/api/labels';
import { policyFile } from '../../src/api/policy-file';
import { attempt } from '../../src/base/attempt';
import { assemble, type Fleet } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import type { Decision } from '../../src/plan/decision';
import type { RecordedQueue } from '../../src/fleet/recorded-queues';
import { computeNextLock } from '../../src/scheduler/lock/next-lock';
import { EMPTY_LOCK, type Lock } from '../../src/scheduler/lock/lock';
import type { Remedy } from '../../src/scheduler/remedy';
import { byPath, type Doc, parsed } from '../api/build';
import { daily } from '../daily';
import { editRules, listNewDenials, RULE } from './remedy-rules';

/** A fleet as a user would write it, which remedies change. */
interface Written {
  clusters: { name: string; labels: Record<string, string>; spec: Doc & { nodePools: Pool[] } }[];
  deployments: {
    id: string;
    spec: Doc & { placement: Doc; rollout: Doc; template: { spec: Doc & { engines: Engine[] } } };
  }[];
  queues: RecordedQueue[];
  rules: Doc[];
}

interface Pool {
  name: string;
  className: string;
  nodeCount: number;
  packing?: 'BinPack';
}

interface Engine {
  name: string;
  copies?: { min: number; max: number };
  members: { nodeSelector: { devices: { name: string; count: number; selectors: { cel: string }[] }[] } }[];
}

const MACHINES = { h100: 'H100-8x', l40s: 'L40S-4x', l4: 'gcp/g2-standard-24' };
const CLASSES = Object.entries(MACHINES).map(([name, from], i) =>
  parsed('InferenceClass', name, { from, price: { perHour: 30 - i * 10 } }),
);
const CACHE = parsed('ModelCache', 'ml/weights', {
  source: 'S3',
  s3: { uri: 's3://models/q', secretRef: { name: 'bucket' } },
  sizeGiB: 40,
});

const MODELS = ['Qwen/Qwen3-8B', 'Qwen/Qwen3-32B', 'RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic', 'acme/unknown'];

interface Drawn {
  /** The number of deployments that the lock has already, with the GPUs of each pod at that time. */
  earlier: { deployments: number; gpus: number };
  clusters: {
    pools: Partial<Record<keyof typeof MACHINES, number>>;
    tainted: boolean;
    storage: boolean;
    zone: string | null;
    quota: number | null;
  }[];
  rules: Doc[];
  deployments: {
    form: 'one' | 'pair' | 'gang';
    model: string;
    counts: [number, number];
    least: [string, string];
    replicas: number;
    /** The most copies of an engine that scales. Null: it has a fixed number. */
    most: number | null;
    cached: boolean;
    surge: number;
    placement: Doc;
  }[];
}

const LEAST = fc.constantFrom('10Gi', '40Gi', '79Gi', '100Gi');
const COUNT = fc.constantFrom(1, 2, 4, 8);
const drawn: fc.Arbitrary<Drawn> = fc.record({
  rules: fc.array(RULE, { maxLength: 3 }),
  earlier: fc.record({ deployments: fc.nat(3), gpus: COUNT }),
  clusters: fc.array(
    fc.record({
      pools: fc.dictionary(fc.constantFrom('h100' as const, 'l40s' as const, 'l4' as const), fc.nat(2), {
        minKeys: 1,
      }) as fc.Arbitrary<Drawn['clusters'][number]['pools']>,
      tainted: fc.integer({ max: 3, min: 0 }).map((n) => n === 0),
      storage: fc.boolean(),
      zone: fc.option(fc.constantFrom('a', 'b')),
      quota: fc.option(fc.integer({ min: 0, max: 8 }), { freq: 4 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  deployments: fc.array(
    fc.record({
      form: fc.constantFrom('one' as const, 'pair' as const, 'gang' as const),
      model: fc.constantFrom(...MODELS),
      counts: fc.tuple(COUNT, COUNT),
      least: fc.tuple(LEAST, LEAST),
      replicas: fc.integer({ min: 1, max: 3 }),
      most: fc.option(fc.integer({ min: 2, max: 12 }), { freq: 2 }),
      cached: fc.boolean(),
      surge: fc.nat(1),
      placement: fc.constantFrom(
        {},
        { policy: 'Cheapest' },
        { policy: 'Pack' },
        { maxPerCluster: 1 },
        { spreadBy: 'zone', maxPerDomain: 1 },
        { spreadBy: 'zone', minDomains: 2 },
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

/** The same fleets with no hindrance but room: what helps is then often a move, or the end of a replica that drains. */
const crowded: fc.Arbitrary<Drawn> = drawn.map(({ earlier, clusters, deployments, rules }) => ({
  earlier,
  rules,
  clusters: clusters.map(({ pools }) => {
    return { pools: { h100: 1 + (pools.h100 ?? 0) }, tainted: false, storage: true, zone: null, quota: null };
  }),
  deployments: deployments.map((one) => ({ ...one, model: 'Qwen/Qwen3-8B', least: ['10Gi', '10Gi'], placement: {} })),
}));

const memberOf = (model: string, count: number, least: string): Doc & Engine['members'][number] => ({
  nodeSelector: {
    devices: [
      {
        name: 'gpu',
        count,
        selectors: [{ cel: `device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("${least}")) >= 0` }],
      },
    ],
  },
  template: {
    spec: {
      containers: [
        {
          name: 'engine',
          image: 'vllm/vllm-openai:v0.23.0',
          args: [model, `--tensor-parallel-size=${count}`, '--max-model-len=8192', '--block-size=128'],
        },
      ],
    },
  },
});

const SIGNAL = { query: 'sum(queue{$(labels)})', threshold: 1 };

function enginesOf({ form, model, most, counts, least }: Drawn['deployments'][number]): (Doc & Engine)[] {
  const [[a, b], [x, y]] = [counts, least];
  const scaled = most !== null && { copies: { min: 1, max: most }, scaling: { on: [{ prometheus: SIGNAL }] } };
  if (form === 'one') return [{ name: 'main', ...scaled, members: [memberOf(model, a, x)] }];
  if (form === 'pair') {
    return [
      { name: 'prefill', phase: 'Prefill', members: [memberOf(model, a, x)] },
      { name: 'decode', phase: 'Decode', members: [memberOf(model, b, y)] },
    ];
  }
  const [leader, worker] = ['Leader', 'Worker'].map((role) => ({ role, ...memberOf(model, a, x) }));
  return [
    { name: 'gang', bootstrap: 'Auto', members: [leader as never, { ...worker, worker: { nodes: 1 } } as never] },
  ];
}

function write({ clusters, deployments, rules }: Drawn): Written {
  return {
    rules: rules.map((rule, i) => ({ name: `rule ${i}`, ...rule })),
    clusters: clusters.map(({ pools, tainted, storage, zone, quota }, c) => ({
      name: `c${c}`,
      labels: { [REGION_LABEL]: `r${c}`, ...(zone !== null && { zone }) },
      spec: {
        cluster: { source: 'Existing', existing: { context: `c${c}` } },
        monitoring: { prometheus: { serverAddress: 'http://prometheus:9090' } },
        nodePools: Object.entries(pools).map(([name, nodeCount]) => ({ name, className: name, nodeCount })),
        taints: tainted ? [{ key: 'team', value: 'x', effect: 'NoSchedule' }] : [],
        ...(storage && { storage: { sharedFilesystem: { storageClassName: 'nfs' } } }),
        ...(quota !== null && { scheduler: { type: 'Kueue', queue: 'q' } }),
      },
    })),
    deployments: deployments.map((one, d) => ({
      id: `ml/d${d}`,
      spec: {
        replicas: one.replicas,
        placement: { ...one.placement },
        rollout: { surge: one.surge },
        template: {
          spec: {
            engines: enginesOf(one),
            ...(one.form === 'pair' && { serving: { mode: 'PrefillDecode' } }),
            ...(one.cached && { modelCacheRef: { name: 'weights' } }),
          },
        },
      },
    })),
    queues: clusters.flatMap(({ quota }, c) =>
      quota === null
        ? []
        : [{ cluster: `c${c}`, queue: 'q', quotas: [{ resource: 'gpu.nvidia.com', quota, others: 0 }] }],
    ),
  };
}

function fleetOf({ clusters, deployments, queues, rules }: Written): Fleet {
  const policies = policyFile.parse({ rules }).rules.map((rule) => ({ rule, where: rule.name, place: () => '' }));
  const resources: Resource[] = [
    ...CLASSES,
    CACHE,
    ...clusters.map(({ name, labels, spec }) => parsed('InferenceCluster', name, spec, { labels })),
    ...deployments.map(({ id, spec }) => parsed('ModelDeployment', id, spec)),
  ];
  return { ...assemble(resources), policies, ...(queues.length > 0 && { queues }) };
}

type Apply<K extends Remedy['kind']> = (written: Written, remedy: Extract<Remedy, { kind: K }>, id: string) => void;

/** What a user would do on reading a remedy. */
const APPLY: { [K in Exclude<Remedy['kind'], 'move' | 'nodes-and-moves' | 'finalize'>]: Apply<K> } = {
  nodes: (written, { cluster, pool, nodes, newPool }) => {
    const like = poolOf(written, cluster, pool);
    if (newPool) clusterOf(written, cluster).spec.nodePools.push({ ...like, name: 'more', nodeCount: nodes });
    else like.nodeCount += nodes;
  },
  packing: (written, { cluster, pool }) => {
    poolOf(written, cluster, pool).packing = 'BinPack';
  },
  toleration: (written, { taints }, id) => {
    const { spec } = deploymentOf(written, id).spec.template;
    spec['tolerations'] = taints.map(({ key, value }) => ({ key, operator: 'Equal', value }));
  },
  limit: (written, { field, to }, id) => {
    deploymentOf(written, id).spec.placement[field] = to;
  },
  bound: (written, { engine, request, selector, from, to }, id) => {
    for (const found of requestsOf(written, id, engine, request)) {
      const at = found.selectors[selector];
      if (at) at.cel = at.cel.replace(`"${from}"`, `"${to}"`);
    }
  },
  count: (written, { engine, request, to }, id) => {
    for (const found of requestsOf(written, id, engine, request)) found.count = to;
  },
  copies: (written, { engine, to }, id) => {
    const { engines } = deploymentOf(written, id).spec.template.spec;
    need(engines.find(({ name }) => name === engine)?.copies).max = to;
  },
  surge: (written, _, id) => void (deploymentOf(written, id).spec.rollout['surge'] = 0),
  declare: (written, { cluster, label }) => {
    const { spec, labels } = clusterOf(written, cluster);
    spec['storage'] = { sharedFilesystem: { storageClassName: 'nfs' } };
    if (label !== undefined) labels[label] = 'own';
  },
};

function need<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('the remedy names what the fleet does not have');
  return found;
}

const clusterOf = ({ clusters }: Written, name: string) => need(clusters.find((one) => one.name === name));
const poolOf = (written: Written, cluster: string, pool: string): Pool =>
  need(clusterOf(written, cluster).spec.nodePools.find(({ name }) => name === pool));
const deploymentOf = ({ deployments }: Written, id: string) => need(deployments.find((one) => one.id === id));
const requestsOf = (written: Written, id: string, engine: string, request: string) =>
  need(deploymentOf(written, id).spec.template.spec.engines.find(({ name }) => name === engine)).members.flatMap(
    ({ nodeSelector: { devices } }) => devices.filter(({ name }) => name === request),
  );

const missingOf = ({ plan }: Decision, id: string): number =>
  plan.deployments.find(({ deployment }) => deployment === id)?.shortfall?.missing ?? 0;

/** The lock without replicas that drain. */
function finalize({ model, schedule, previous }: Decision): Lock {
  return computeNextLock(model, schedule, previous, { finalize: true });
}

/** The decision that follows from a remedy, with the replicas of all other deployments where they are. */
function decideWith(written: Written, before: Decision, remedy: Remedy, id: string): Decision {
  const lock: Lock = before.lock;
  const others = new Set(written.deployments.map((one) => one.id).filter((one) => one !== id));
  const changed = structuredClone(written);
  if ('moves' in remedy) {
    if (remedy.kind === 'nodes-and-moves') poolOf(changed, remedy.cluster, remedy.pool).nodeCount += remedy.nodes;
    const fleet = fleetOf(changed);
    const moved = decide(fleet, byPath, lock, { notes: [], warnings: [], rebalance: {} });
    return decide(fleet, byPath, finalize(decide(fleet, byPath, moved.lock)));
  }
  if (remedy.kind !== 'finalize') (APPLY[remedy.kind] as Apply<typeof remedy.kind>)(changed, remedy as never, id);
  // Another deployment gets another place: the lock of the plan would keep it where it is.
  if (remedy.kind === 'declare' && remedy.frees !== undefined) return decide(fleetOf(changed), byPath, before.given);
  const next = remedy.kind === 'finalize' ? finalize(before) : lock;
  return decide(fleetOf(changed), byPath, next, { notes: [], warnings: [], held: others });
}

/** The lock of an earlier fleet, in which the first deployments had other numbers of GPUs. */
function lockEarlier({ earlier, ...one }: Drawn): Lock {
  const deployments = one.deployments.slice(0, earlier.deployments).map((each): Drawn['deployments'][number] => {
    return { ...each, counts: [earlier.gpus, earlier.gpus] };
  });
  return attemptDecide(write({ ...one, earlier, deployments }), EMPTY_LOCK)?.lock ?? EMPTY_LOCK;
}

/** The decision of a fleet. Nothing for one with errors, such as an engine that does not start where it is placed. */
function attemptDecide(written: Written, lock: Lock): Decision | undefined {
  const decided = attempt(() => decide(fleetOf(written), byPath, lock));
  return 'value' in decided ? decided.value : undefined;
}

test('a remedy that a plan prints gives the deployment a further replica when it is applied, and no rule denies it that it does not name', () => {
  fc.assert(
    fc.property(fc.oneof(drawn, crowded), (one) => {
      const written = write(one);
      const before = attemptDecide(written, lockEarlier(one));
      if (!before) return;
      for (const { deployment: id, shortfall } of before.plan.deployments) {
        for (const remedy of shortfall?.remedies ?? []) {
          const after = decideWith({ ...written, rules: editRules(written.rules, remedy) }, before, remedy, id);
          // What moves is free for all: another deployment that waits may be first.
          const count = (one: Decision): number =>
            remedy.kind === 'move' ? one.plan.totals.unplaced + one.plan.totals.accepted : missingOf(one, id);
          const helped = count(before) - count(after);
          if (helped < (remedy.helps ?? 1)) throw new Error(`helps ${helped}: ${id} ${JSON.stringify(remedy)}`);
          // What moves is free for all, and what is freed for others is placed again: either may place more than this one.
          const isAlone = remedy.kind !== 'move' && !(remedy.kind === 'declare' && remedy.frees !== undefined);
          const denials = isAlone ? listNewDenials(before, after, remedy) : [];
          if (denials.length > 0) throw new Error(`denied by ${denials.join()}: ${id} ${JSON.stringify(remedy)}`);
        }
      }
    }),
    { numRuns: daily(30) },
  );
});
