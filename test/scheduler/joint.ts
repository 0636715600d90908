import * as fc from 'fast-check';
import type { CompiledDeployment, CompiledFleet } from '../../src/scheduler/compiled-fleet';
import { rejectNew } from '../../src/scheduler/filters';
import type { Placement } from '../../src/scheduler/placement';
import type { Schedule } from '../../src/scheduler/schedule-result';
import { TopologySpread } from '../../src/scheduler/topology-spread';
import type { History } from './corpus';
import { choicesOn, ledgerOf } from './exhaustive';
import { type FleetSpec, fleetSpec } from './fleets';

/** Fleets of which every joint assignment can be tried. */
export const smallFleet: fc.Arbitrary<FleetSpec> = fleetSpec.map((fleet) => ({
  ...fleet,
  clusters: fleet.clusters.slice(0, 3).map((cluster) => ({
    ...cluster,
    pools: cluster.pools.slice(0, 2).map((pool) => ({ ...pool, nodes: Math.min(pool.nodes, 2) })),
  })),
  deployments: fleet.deployments.slice(0, 4).map((one) => ({ ...one, replicas: Math.min(one.replicas, 2) })),
}));

/**
 * The most replicas that each deployment can have, first by priority and then by name: every place of every missing
 * replica is tried, with what a schedule keeps of the lock where it is.
 */
export function mostPlaced(model: CompiledFleet, kept: readonly Placement[]): Map<string, number> {
  const best: number[] = [];
  const ledger = ledgerOf(model, kept);
  const counts: number[] = [];
  const seen = new Set<string>();
  const place = (d: number, from: number, taken: readonly string[], spread: TopologySpread | undefined): void => {
    const workload = model.deployments[d];
    if (!workload) {
      if (isMore(counts, best)) best.splice(0, best.length, ...counts);
      return;
    }
    const own = kept.filter(({ deployment, draining }) => deployment === workload.id && !draining);
    const used = spread ?? spreadOver(model, workload, own);
    counts[d] ??= own.length;
    const next = [...taken, '|'].sort().join(' ');
    if (!seen.has(`${d} ${counts.join()} ${next}`)) {
      seen.add(`${d} ${counts.join()} ${next}`);
      place(d + 1, 0, [...taken], undefined);
      counts.length = d + 1;
    }
    if (workload.paused || counts[d]! >= workload.replicas) return;
    const places = placesOf(model, workload);
    for (let at = from; at < places.length; at++) {
      const { site, charges } = places[at]!;
      if (used.findLimit(site) || !ledger.fits(charges)) continue;
      ledger.add(charges);
      used.add(site);
      counts[d]! += 1;
      place(d, at, [...taken, `${d}@${at}`], used);
      counts.length = d + 1;
      counts[d]! -= 1;
      used.remove(site);
      ledger.remove(charges);
    }
  };
  place(0, 0, [], undefined);
  return new Map(model.deployments.map(({ id }, i) => [id, best[i] ?? 0]));
}

function placesOf(model: CompiledFleet, workload: CompiledDeployment) {
  return model.clusters
    .filter((site) => !rejectNew(workload.demand, site))
    .flatMap((site) => choicesOn(workload, site).map((charges) => ({ site, charges })));
}

function spreadOver(model: CompiledFleet, workload: CompiledDeployment, own: readonly Placement[]): TopologySpread {
  const sites = own.map(({ cluster }) => model.clusters.find(({ name }) => name === cluster)!);
  return new TopologySpread(workload, sites);
}

function isMore(a: readonly number[], b: readonly number[]): boolean {
  const i = a.findIndex((count, at) => count !== (b[at] ?? -1));
  return i >= 0 && a[i]! > (b[i] ?? -1);
}

/** A lock that a part of a fleet led to, and the whole fleet. */
export const grownFleet: fc.Arbitrary<Pick<History, 'next'> & { readonly first: FleetSpec }> = fc
  .tuple(smallFleet, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }))
  .map(([next, there]) => ({
    next,
    first: { ...next, deployments: next.deployments.filter((_, i) => there[i]) },
  }));

/**
 * The fewest replicas that stay missing when those of a lock may move, and the fewest moves for that: every choice of
 * replicas that move is tried. Deployments get the most that they can, by priority and name, and none loses a replica.
 */
export function fewestMoves(model: CompiledFleet, lock: readonly Placement[], before: Schedule): [number, number] {
  const wanted = model.deployments.reduce((sum, { replicas }) => sum + replicas, 0);
  const staying = lock.filter((one) => before.placements.includes(one));
  const choices = Array.from({ length: 2 ** staying.length }, (_, bits) =>
    staying.filter((_, i) => !(bits & (1 << i))),
  );
  const results = choices.map((kept) => ({
    moves: staying.length - kept.length,
    counts: [...mostPlaced(model, kept).values()],
  }));
  const serving = model.deployments.map(
    ({ id }) => before.placements.filter(({ deployment, draining }) => deployment === id && !draining).length,
  );
  const lossless = results.filter(({ counts }) => counts.every((count, i) => count >= serving[i]!));
  const best = lossless.reduce((a, b) =>
    isMore(b.counts, a.counts) || (equal(a.counts, b.counts) && b.moves < a.moves) ? b : a,
  );
  return [wanted - best.counts.reduce((sum, count) => sum + count, 0), best.moves];
}

function equal(a: readonly number[], b: readonly number[]): boolean {
  return a.every((count, i) => count === b[i]);
}
