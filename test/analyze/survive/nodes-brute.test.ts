import * as fc from 'fast-check';
import type { DeploymentHit, Survival } from '../../../src/analyze/survive/survival';
import { survive } from '../../../src/analyze/survive/survive';
import { formatSurvival } from '../../../src/report/analyze/survival-text';
import type { Placement } from '../../../src/scheduler/placement';
import { writeTerminal } from '../../../src/report/document/write-terminal';
import { settled } from '../what-if/build';
import { type ModelSpec, resourcesOf, type RoutedSpec, routedSpec, type SiteSpec } from './routed-fleets';

/** FLEETWRIGHT_BRUTE=1000 for the long run. */
const RUNS = { numRuns: Number(process.env.FLEETWRIGHT_BRUTE ?? 0) || 20, seed: 23 };

/** Replicas that may be on any cluster and take a node each: what fits is a sum. */
const spec = routedSpec.map(
  ({ sites, models }): RoutedSpec => ({
    sites,
    models: models.map((one) => ({ ...one, on: undefined })),
    rented: 0,
    services: [],
    gateways: [],
    granted: false,
  }),
);

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

/** Who comes first: higher priority, then by name. */
function inOrder(models: readonly ModelSpec[]): ModelSpec[] {
  return models.toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
}

/** Replicas of each deployment after what is missing has taken the nodes that are free. */
function filled(models: readonly ModelSpec[], kept: ReadonlyMap<string, number>, nodes: number) {
  let free = nodes - sum([...kept.values()]);
  return new Map(
    inOrder(models).map(({ id, replicas }) => {
      const more = Math.min(free, replicas - (kept.get(id) ?? 0));
      free -= more;
      return [id, (kept.get(id) ?? 0) + more];
    }),
  );
}

function counted(placements: readonly Placement[]): Map<string, number> {
  const ids = new Set(placements.map(({ deployment }) => deployment));
  return new Map([...ids].map((id) => [id, placements.filter(({ deployment }) => deployment === id).length]));
}

/** Every way to add so many nodes to some clusters. */
function waysToAdd(nodes: number, clusters: readonly string[]): Map<string, number>[] {
  const [first, ...rest] = clusters;
  if (first === undefined) return nodes === 0 ? [new Map()] : [];
  return Array.from({ length: nodes + 1 }, (_, here) =>
    waysToAdd(nodes - here, rest).map((others) => new Map([[first, here], ...others])),
  ).flat();
}

type Losses = readonly (readonly string[])[];

/** Whether all replicas have a node after each loss. */
function suffices(
  sites: readonly SiteSpec[],
  losses: Losses,
  replicas: number,
  extra: ReadonlyMap<string, number>,
): boolean {
  return losses.every(
    (gone) =>
      sum(sites.map(({ name, nodes }) => (gone.includes(name) ? 0 : nodes + (extra.get(name) ?? 0)))) >= replicas,
  );
}

function fewest(sites: readonly SiteSpec[], losses: Losses, replicas: number): number {
  const names = sites.map(({ name }) => name);
  for (let nodes = 0; ; nodes++) {
    if (waysToAdd(nodes, names).some((extra) => suffices(sites, losses, replicas, extra))) return nodes;
  }
}

function clustersOf({ sites }: RoutedSpec, label: string | undefined, lost: string): string[] {
  return sites.flatMap(({ name, region }) => ((label ? region : name) === lost ? [name] : []));
}

type Fleet = RoutedSpec;
type Counts = ReadonlyMap<string, number>;
type Told = Omit<DeploymentHit, 'seconds'>;

/** What each loss does, by the sums. */
function hitsIn({ sites, models }: Fleet, placements: readonly Placement[], before: Counts, losses: Losses): Told[][] {
  return losses.map((gone) => {
    const kept = counted(placements.filter(({ cluster }) => !gone.includes(cluster)));
    const nodes = sum(sites.map((one) => (gone.includes(one.name) ? 0 : one.nodes)));
    const after = filled(models, kept, nodes);
    const hits = models.flatMap(({ id, minAvailable }): Told[] => {
      const [had, atOnce] = [before.get(id) ?? 0, kept.get(id) ?? 0];
      if (atOnce === had) return [];
      const again = Math.min(had, after.get(id)!);
      return [
        {
          deployment: id,
          before: had,
          atOnce,
          after: again,
          ...(minAvailable !== undefined && { minAvailable }),
        },
      ];
    });
    return hits.sort((a, b) => (a.deployment < b.deployment ? -1 : 1));
  });
}

function withoutTime({ deployment, before, atOnce, after, minAvailable }: DeploymentHit): Told {
  return { deployment, before, atOnce, after, ...(minAvailable !== undefined && { minAvailable }) };
}

function expectWorst({ models }: Fleet, survival: Survival, before: Counts, hits: readonly Told[]): void {
  const worst = (id: string, of: 'atOnce' | 'after'): number =>
    Math.min(before.get(id)!, ...hits.flatMap((hit) => (hit.deployment === id ? [hit[of]] : [])));
  expect(survival.deployments.map(({ deployment, atOnce, after }) => [deployment, atOnce, after])).toEqual(
    [...before.keys()].sort().map((id) => [id, worst(id, 'atOnce'), worst(id, 'after')]),
  );
  const below = models.filter(({ id, minAvailable = 0 }) => before.has(id) && worst(id, 'atOnce') < minAvailable);
  const [, reported = '0'] = /(\d+) may fall below minAvailable/.exec(writeTerminal(formatSurvival(survival))) ?? [];
  expect(Number(reported)).toBe(below.length);
}

/** Whether what is reported is the smallest set, and is said to be. */
function expectSmallest({ sites }: Fleet, { extra, stranded }: Survival, losses: Losses, replicas: number): boolean {
  const least = fewest(sites, losses, replicas);
  expect(stranded).toEqual([]);
  expect(extra === undefined).toBe(least === 0);
  if (!extra) return false;
  const added = new Map(extra.nodes.map(({ cluster, nodes }) => [cluster, nodes]));
  expect(suffices(sites, losses, replicas, added)).toBe(true);
  expect(extra.total).toBe(sum([...added.values()]));
  expect(extra.atLeast).toBeLessThanOrEqual(least);
  expect(extra.total).toBeGreaterThanOrEqual(least);
  if (extra.method === 'exact') expect(extra.total).toBe(least);
  return extra.method === 'exact';
}

test('where every replica takes a node, what stays, and the nodes that are lacking, are sums', () => {
  let exact = 0;
  fc.assert(
    fc.property(spec, fc.constantFrom(undefined, 'region'), (fleet, label) => {
      const { sites, models } = fleet;
      const decision = settled(...resourcesOf(fleet));
      const { placements } = decision.schedule;
      const before = counted(placements);
      const everywhere = filled(models, new Map(), sum(sites.map(({ nodes }) => nodes)));
      expect(new Map(models.map(({ id }) => [id, before.get(id) ?? 0]))).toEqual(everywhere);

      const survival = survive(decision, label);
      const losses = survival.losses.map(({ lost }) => clustersOf(fleet, label, lost));
      const hits = hitsIn(fleet, placements, before, losses);
      expect(survival.losses.map(({ deployments }) => deployments.map(withoutTime))).toEqual(hits);
      expectWorst(fleet, survival, before, hits.flat());
      if (expectSmallest(fleet, survival, losses, sum([...before.values()]))) exact++;
    }),
    RUNS,
  );
  expect(exact).toBeGreaterThan(RUNS.numRuns / 4);
});
