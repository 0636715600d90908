import * as fc from 'fast-check';
import { survive } from '../../src/analyze/survive/survive';
import { whatIf } from '../../src/analyze/what-if/what-if';
import { attempt } from '../../src/base/attempt';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import type { Decision } from '../../src/plan/decision';
import { explainDeployment } from '../../src/scheduler/explain-deployment';
import { EMPTY_LOCK, type Lock } from '../../src/scheduler/lock/lock';
import { aClass, aDeployment, aMember, anEngine, byPath, type Doc, gpus } from '../api/build';
import { daily } from '../daily';
import { aDoor, aSite, aSplit, to } from '../routing/build';

const MEMORY = { l4: '23034Mi', h100: '81559Mi' };
const CLASSES = Object.entries(MEMORY).map(([name, memory]) => aClass(name, { devices: [gpus(2, { memory })] }));
const MONITORING = { none: {}, metrics: { monitoring: { rules: false } }, all: { monitoring: {} } };
const QUERY = { prometheus: { query: 'sum(q{$(labels)})', threshold: 1 } };

/** How the engine scales. What holds its requests is needed with no copy only. */
const SCALING = {
  fixed: {},
  queue: { copies: { min: 1, max: 2 }, scaling: { on: [{ queue: 4 }] } },
  query: { copies: { min: 1, max: 2 }, scaling: { on: [QUERY] } },
  zero: { copies: { min: 0, max: 2 }, scaling: { on: [{ running: 4 }] } },
  zeroByQuery: { copies: { min: 0, max: 2 }, scaling: { on: [{ running: 4 }, QUERY] } },
} satisfies Record<string, Doc>;

const isZero = (signal: keyof typeof SCALING): boolean => signal === 'zero' || signal === 'zeroByQuery';

interface Drawn {
  clusters: { monitoring: keyof typeof MONITORING; addOn: boolean; pool: keyof typeof MEMORY; nodes: number }[];
  replicas: number;
  signal: keyof typeof SCALING;
  /** A model of 61 GiB starts on the larger GPU only. */
  large: boolean;
}

const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    clusters: fc.array(
      fc.record({
        monitoring: fc.constantFrom('none', 'metrics', 'all'),
        addOn: fc.boolean(),
        pool: fc.constantFrom('l4', 'h100'),
        nodes: fc.integer({ min: 1, max: 2 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    replicas: fc.integer({ min: 1, max: 3 }),
    signal: fc.constantFrom('queue', 'query', 'fixed', 'zero', 'zeroByQuery'),
    large: fc.boolean(),
  })
  // Of an engine with no copy, a cluster has one replica.
  .map((one) => (isZero(one.signal) ? { ...one, replicas: 1 } : one));

function decideDrawn({ clusters, replicas, signal, large }: Drawn, lock: Lock = EMPTY_LOCK, lost?: string): Decision {
  const args = [large ? 'Qwen/Qwen3-32B' : 'Qwen/Qwen3-8B', '--max-model-len=4096'];
  const member = aMember({ template: { spec: { containers: [{ name: 'engine', image: IMAGE, args }] } } });
  const engine = anEngine('main', { members: [member], startup: { budget: '10m' }, ...SCALING[signal] });
  const sites = clusters.map(({ monitoring, addOn, pool, nodes }, c) =>
    aSite(`c${c}`, {
      pools: { [pool]: nodes },
      ...MONITORING[monitoring],
      ...(addOn && { servingStack: { kedaHttpAddOn: { install: true } } }),
    }),
  );
  const left = sites.filter(({ metadata }) => metadata.name !== lost);
  const names = left.map(({ metadata }) => metadata.name);
  const chat = aSplit('ml/chat', [to({ model: 'q' })]);
  const deployment = aDeployment('ml/q', { replicas, replicaLabels: { model: 'q' }, engines: [engine] });
  return decide(assemble([...CLASSES, ...left, aDoor(names), chat, deployment]), byPath, lock);
}

const IMAGE = 'vllm/vllm-openai:v0.23.0';

/** The clusters where the engine starts and scales, whatever room they have. */
function suitableOf({ clusters, signal, large }: Drawn): Set<string> {
  const any = ['none', 'metrics', 'all'];
  const some = ['metrics', 'all'];
  const measured = { fixed: any, query: some, queue: ['all'], zero: any, zeroByQuery: some }[signal];
  const waits = isZero(signal);
  return new Set(
    clusters.flatMap(({ monitoring, addOn, pool }, c) =>
      measured.includes(monitoring) && (addOn || !waits) && (!large || pool === 'h100') ? [`c${c}`] : [],
    ),
  );
}

const clustersOf = ({ schedule }: Decision): string[] => schedule.placements.map(({ cluster }) => cluster);

test('places of a plan, and those that explain, what-if, survive and remedies show, are places that a plan accepts', () => {
  fc.assert(
    fc.property(drawn, (one) => {
      const suitable = suitableOf(one);
      const taken = attempt(() => decideDrawn(one));
      // Where no cluster suits, an error names what one cluster lacks, and a shortfall what it lacks of several kinds.
      if (!('value' in taken)) return expect(suitable.size).toBe(0);
      const decision = taken.value;
      const shown = [...clustersOf(decision), ...explained(decision), ...scaled(decision)];
      expect(shown.filter((cluster) => !suitable.has(cluster))).toEqual([]);
      for (const c of one.clusters.keys()) expectSameLoss(one, decision, `c${c}`);
      for (const remedy of decision.plan.deployments.flatMap(({ shortfall }) => shortfall?.remedies ?? [])) {
        if (remedy.kind !== 'declare') continue;
        const clusters = one.clusters.map((site, c) =>
          `c${c}` === remedy.cluster
            ? {
                ...site,
                ...(remedy.monitoring && { monitoring: 'all' as const }),
                ...(remedy.kedaHttpAddOn && { addOn: true }),
              }
            : site,
        );
        const after = decideDrawn({ ...one, clusters }, decision.lock);
        expect(clustersOf(after)).toContain(remedy.cluster);
      }
    }),
    { numRuns: daily(25) },
  );
});

/** The clusters where `explain` has room for a further replica. */
function explained({ model, schedule, given }: Decision): string[] {
  const [deployment] = model.deployments;
  if (!deployment) return [];
  const placed = { model, schedule, given: given.placements };
  return explainDeployment(placed, deployment).clusters.flatMap(({ cluster, further }) => (further ? [cluster] : []));
}

/** The clusters to which `what-if` brings further replicas. */
function scaled(decision: Decision): string[] {
  const step = { kind: 'scale', deployment: 'ml/q', replicas: 9 } as const;
  const outcomes = whatIf(decision, [{ name: '', steps: [step] }]);
  const changes = outcomes.flatMap(({ deployments }) => deployments.flatMap((one) => one.changes));
  return changes.flatMap((one) => (one.action === 'place' ? [one.replica.placement.cluster] : []));
}

/** What `survive` and `what-if` say of a loss is what a plan without the cluster does. */
function expectSameLoss(one: Drawn, decision: Decision, cluster: string): void {
  const after = attempt(() => decideDrawn(one, decision.lock, cluster));
  const kept = 'value' in after ? clustersOf(after.value).length : 0;
  const hit = survive(decision)
    .losses.find(({ lost }) => lost === cluster)
    ?.deployments.find(({ deployment }) => deployment === 'ml/q');
  if (hit) expect(hit.after).toBe(kept);
  const [lost] = whatIf(decision, [{ name: '', steps: [{ kind: 'lose', cluster }] }]);
  expect(lost?.totals.unplaced).toBe(one.replicas - kept);
}
