import * as fc from 'fast-check';
import { survive } from '../../src/analyze/survive/survive';
import { whatIf } from '../../src/analyze/what-if/what-if';
import { attempt } from '../../src/base/attempt';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import type { Decision } from '../../src/plan/decision';
import { explainDeployment } from '../../src/scheduler/explain-deployment';
import { EMPTY_LOCK, type Lock } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, aMember, anEngine, byPath, type Doc, gpus } from '../api/build';
import { daily } from '../daily';

const MEMORY = { l4: '23034Mi', h100: '81559Mi' };
const CLASSES = Object.entries(MEMORY).map(([name, memory]) => aClass(name, { devices: [gpus(2, { memory })] }));
const MONITORING = { none: {}, metrics: { monitoring: { rules: false } }, all: { monitoring: {} } };
const SIGNALS = { queue: { queue: 4 }, query: { prometheus: { query: 'sum(q{$(labels)})', threshold: 1 } } };

interface Drawn {
  clusters: { monitoring: keyof typeof MONITORING; pool: keyof typeof MEMORY; nodes: number }[];
  replicas: number;
  signal: keyof typeof SIGNALS | 'fixed';
  /** A model of 61 GiB starts on the larger GPU only. */
  large: boolean;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  clusters: fc.array(
    fc.record({
      monitoring: fc.constantFrom('none', 'metrics', 'all'),
      pool: fc.constantFrom('l4', 'h100'),
      nodes: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  replicas: fc.integer({ min: 1, max: 3 }),
  signal: fc.constantFrom('queue', 'query', 'fixed'),
  large: fc.boolean(),
});

function decideDrawn({ clusters, replicas, signal, large }: Drawn, lock: Lock = EMPTY_LOCK, lost?: string): Decision {
  const args = [large ? 'Qwen/Qwen3-32B' : 'Qwen/Qwen3-8B', '--max-model-len=4096'];
  const member = aMember({ template: { spec: { containers: [{ name: 'engine', image: IMAGE, args }] } } });
  const scaling: Doc = signal === 'fixed' ? {} : { copies: { min: 1, max: 2 }, scaling: { on: [SIGNALS[signal]] } };
  const engine = anEngine('main', { members: [member], ...scaling });
  const sites = clusters.map(({ monitoring, pool, nodes }, c) =>
    aCluster(`c${c}`, { pools: { [pool]: nodes }, ...MONITORING[monitoring] }),
  );
  const left = sites.filter(({ metadata }) => metadata.name !== lost);
  return decide(assemble([...CLASSES, ...left, aDeployment('ml/q', { replicas, engines: [engine] })]), byPath, lock);
}

const IMAGE = 'vllm/vllm-openai:v0.23.0';

/** The clusters where the engine starts and scales, whatever room they have. */
function suitableOf({ clusters, signal, large }: Drawn): Set<string> {
  const measured = { fixed: ['none', 'metrics', 'all'], query: ['metrics', 'all'], queue: ['all'] }[signal];
  return new Set(
    clusters.flatMap(({ monitoring, pool }, c) =>
      measured.includes(monitoring) && (!large || pool === 'h100') ? [`c${c}`] : [],
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
          `c${c}` === remedy.cluster ? { ...site, monitoring: 'all' as const } : site,
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
