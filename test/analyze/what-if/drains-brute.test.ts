import * as fc from 'fast-check';
import { whatIf } from '../../../src/analyze/what-if/what-if';
import type { Resource } from '../../../src/api/kinds';
import { sortedBy } from '../../../src/base/order';
import type { Drain } from '../../../src/plan/plan';
import type { Placement } from '../../../src/scheduler/placement';
import { cluster, deployment, nodeClass } from '../../scheduler/build';
import { scenarioOf, settled, settledFrom } from './build';

/** FLEETWRIGHT_BRUTE=1000 for the long run. */
const RUNS = { numRuns: Number(process.env.FLEETWRIGHT_BRUTE ?? 0) || 15, seed: 11 };

type Region = 'eu' | 'us';

/** What happens to a cluster, of which every node takes one replica. */
interface ClusterSpec {
  readonly name: string;
  readonly region: Region;
  readonly nodes: number;
  readonly paused: boolean;
  readonly fate: 'stays' | 'drained' | 'lost' | 'grows';
}

interface DeploymentSpec {
  readonly id: string;
  readonly replicas: number;
  readonly priority: number;
  readonly region: Region | undefined;
  readonly tolerates: boolean;
  readonly paused: boolean;
  readonly maxPerCluster: number;
}

interface Story {
  readonly clusters: readonly ClusterSpec[];
  readonly deployments: readonly DeploymentSpec[];
}

const seldom = fc.constantFrom(false, false, false, false, true);
const region = fc.constantFrom<Region>('eu', 'us');
const story: fc.Arbitrary<Story> = fc.record({
  clusters: fc
    .array(
      fc.record({
        region,
        nodes: fc.integer({ min: 0, max: 4 }),
        paused: seldom,
        fate: fc.constantFrom<ClusterSpec['fate']>('stays', 'stays', 'drained', 'drained', 'lost', 'grows'),
      }),
      { minLength: 2, maxLength: 5 },
    )
    .map((all) => all.map((one, i) => ({ ...one, name: `c${i}` }))),
  deployments: fc
    .array(
      fc.record({
        replicas: fc.integer({ min: 0, max: 4 }),
        priority: fc.integer({ min: 0, max: 1 }),
        region: fc.option(region, { nil: undefined }),
        tolerates: seldom,
        paused: seldom,
        maxPerCluster: fc.constantFrom(1, 2, 9),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((all) => all.map((one, i) => ({ ...one, id: `ml/d${i}` }))),
});

/** Declared first with nothing paused, so that what is paused has its replicas. */
function declared({ clusters, deployments }: Story, paused: boolean): Resource[] {
  return [
    nodeClass('h100'),
    ...clusters.map((one) =>
      cluster(one.name, { a: `h100 x ${one.nodes}` }, { labels: { region: one.region }, paused: paused && one.paused }),
    ),
    ...deployments.map(({ id, replicas, priority, maxPerCluster, ...one }) =>
      deployment(id, {
        replicas,
        gpus: 8,
        spec: {
          priority,
          allowPartial: true,
          paused: paused && one.paused,
          placement: { maxPerCluster },
        },
        template: {
          ...(one.region && { clusterSelector: { matchLabels: { region: one.region } } }),
          ...(one.tolerates && { tolerations: [{ operator: 'Exists' }] }),
        },
      }),
    ),
  ];
}

const STEPS: Readonly<Record<ClusterSpec['fate'], (name: string) => string[]>> = {
  stays: () => [],
  drained: (name) => [`drain ${name}`],
  lost: (name) => [`lose ${name}`],
  grows: (name) => [`add-nodes ${name}/a=1`],
};

/** The clusters of replicas, before and after. */
interface Stands {
  readonly before: readonly Placement[];
  readonly come: readonly Placement[];
}

/** The drains as they follow from counting nodes: `come` tells only where those of earlier deployments went. */
function counted({ clusters, deployments }: Story, { before, come }: Stands): Drain[] {
  const left = clusters.filter(({ fate }) => fate !== 'lost');
  const byName = new Map(left.map((one) => [one.name, one]));
  const kept = before.filter((one) => byName.has(one.cluster));
  const order = deployments.toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
  const taken: Placement[] = [...kept];
  const stuck: Drain['stuck'][number][] = [];
  const going: Placement[] = [];
  for (const one of order) {
    const own = kept.filter(({ deployment }) => deployment === one.id);
    const due = own.filter((at) => byName.get(at.cluster)?.fate === 'drained' && !one.tolerates);
    const frozen = due.filter((at) => one.paused || byName.get(at.cluster)?.paused);
    const draining = due.filter((at) => !frozen.includes(at));
    const staying = own.filter((at) => !draining.includes(at));
    const room = left
      .filter((site) => !site.paused && (one.region ?? site.region) === site.region)
      .filter((site) => site.fate !== 'drained' || one.tolerates)
      .map((site) => {
        const on = (all: readonly Placement[]): number => all.filter(({ cluster }) => cluster === site.name).length;
        const free = site.nodes + (site.fate === 'grows' ? 1 : 0) - on(taken);
        return Math.max(0, Math.min(free, one.maxPerCluster - on(staying)));
      });
    const wanted = one.paused ? 0 : one.replicas - staying.length;
    const missing = Math.max(0, wanted - room.reduce((sum, free) => sum + free, 0));
    const last = draining.slice(Math.max(0, draining.length - missing));
    going.push(...due);
    stuck.push(
      ...frozen.map((placement) => ({ placement, why: 'paused' as const })),
      ...last.map((placement) => ({
        placement: { ...placement, draining: true as const },
        why: 'no-replacement' as const,
        // All pools are of one class.
        ...(left.every(({ fate }) => fate === 'drained') && { noDevices: true as const }),
      })),
    );
    taken.push(...come.filter(({ deployment }) => deployment === one.id));
  }
  return left.flatMap(({ name }) => {
    const on = going.filter(({ cluster }) => cluster === name);
    const own = stuck.filter(({ placement }) => placement.cluster === name);
    const staying = taken.filter((one) => one.cluster === name && !going.includes(one)).map((one) => one.deployment);
    if (on.length === 0) return [];
    return [
      { cluster: name, replicas: on.length, stuck: sortedBy(own, lineOf), staying: [...new Set(staying)].sort() },
    ];
  });
}

const lineOf = ({ placement: { deployment, index } }: Drain['stuck'][number]) => `${deployment} ${index}`;

test('the replicas that cannot leave are those for which no node is left, and those that are paused', () => {
  const seen = { finished: 0, 'no-replacement': 0, paused: 0 };
  fc.assert(
    fc.property(story, (one) => {
      const decision = settledFrom(settled(...declared(one, false)), ...declared(one, true));
      const before = decision.schedule.placements;
      const scenario = scenarioOf(decision, ...one.clusters.flatMap(({ fate, name }) => STEPS[fate](name)));
      const [outcome] = whatIf(decision, [scenario]);
      const come = outcome!.deployments.flatMap(({ changes }) =>
        changes.flatMap((change) =>
          change.action === 'place' || change.action === 'move' ? [change.replica.placement] : [],
        ),
      );
      expect(outcome!.drains).toEqual(counted(one, { before, come }));
      for (const { stuck } of outcome!.drains) {
        if (stuck.length === 0) seen.finished += 1;
        for (const { why } of stuck) seen[why] += 1;
      }
    }),
    RUNS,
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
