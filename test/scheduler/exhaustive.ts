import type { CompiledCluster, CompiledDeployment, CompiledFleet, Pool } from '../../src/scheduler/compiled-fleet';
import { PodMatcher } from '../../src/scheduler/devices/match-pod';
import { FILTERS, rejectNew } from '../../src/scheduler/filters';
import { fitEngine, fitOnPools } from '../../src/scheduler/fit-replica';
import { type Charge, Ledger } from '../../src/scheduler/ledger';
import { demandOf, type Placement } from '../../src/scheduler/placement';
import type { Reason, Rejection } from '../../src/scheduler/reason';
import type { Schedule } from '../../src/scheduler/schedule-result';
import { TopologySpread } from '../../src/scheduler/topology-spread';
import { type History, modelOfFleet, runFleet } from './corpus';

const matcher = new PodMatcher();

/** What a placement takes of its pools. */
export function chargesOf(
  { clusters: sites, deployments: workloads }: CompiledFleet,
  placement: Placement,
): readonly Charge[] {
  const demand = demandOf(workloads.find(({ id }) => id === placement.deployment)!, placement)!;
  const site = siteOf(sites, placement.cluster);
  const pools = demand.engines.map(({ name }) => poolOf(site, placement.pools[name]));
  const fit = fitOnPools(demand, pools, matcher);
  if ('misfit' in fit) throw new Error(`${placement.deployment} is where it does not fit`);
  return fit.charges;
}

/** Replicas without a place for which there was one, given what was placed before them. */
export function overlooked(history: History): string[] {
  const { previous } = history;
  const model = modelOfFleet(history);
  const result = runFleet(history);
  return model.deployments.flatMap((workload, w) => {
    if (!result.shortfalls.some(({ deployment }) => deployment === workload.id)) return [];
    const earlier = new Set(model.deployments.slice(0, w + 1).map(({ id }) => id));
    const before = result.placements.filter(
      (placement) =>
        earlier.has(placement.deployment) || wasKept(placement, previous, result) || tookOver(placement, result),
    );
    const ledger = ledgerOf(model, before);
    const spread = spreadOf(model, workload, before);
    const places = model.clusters
      .filter((site) => !rejectNew(workload.demand, site) && !spread.findLimit(site))
      .filter((site) => choicesOn(workload, site).some((charges) => ledger.fits(charges)));
    return places.map(({ name }) => `${workload.id} would have had a place on ${name}`);
  });
}

/** Replicas without a place for which replicas of earlier engines of their deployment could have made one. */
export function withheld(history: History): string[] {
  const model = modelOfFleet(history);
  const { placements, shortfalls } = runFleet(history);
  return shortfalls.flatMap(({ deployment }) => {
    const workload = model.deployments.find(({ id }) => id === deployment)!;
    const spread = spreadOf(model, workload, placements);
    const places = model.clusters
      .filter((site) => !rejectNew(workload.demand, site) && !spread.findLimit(site))
      .filter((site) => {
        const stays = placements.filter(
          (one) => one.deployment !== deployment || one.cluster !== site.name || one.shape === workload.shape,
        );
        const ledger = ledgerOf(model, stays);
        return choicesOn(workload, site).some((charges) => ledger.fits(charges));
      });
    return places.map(({ name }) => `${deployment} would have had a place on ${name}`);
  });
}

function wasKept(placement: Placement, previous: readonly Placement[], { evictions }: Schedule): boolean {
  const same = (other: Placement): boolean =>
    other.deployment === placement.deployment && other.cluster === placement.cluster && other.index === placement.index;
  const evicted = evictions.some((eviction) => same(eviction.placement) && !placement.draining);
  return previous.some(same) && !evicted;
}

/** Whether earlier engines of its deployment gave way to it: their place was never free for others. */
function tookOver({ deployment, cluster }: Placement, { evictions }: Schedule): boolean {
  return evictions.some(
    ({ placement, reason }) =>
      placement.deployment === deployment &&
      placement.cluster === cluster &&
      reason.kind === 'shape' &&
      reason.downtime === 'no-room',
  );
}

/** Reasons of shortfalls that are not true of the final state when looked at alone. */
export function untrue(history: History): string[] {
  const model = modelOfFleet(history);
  const { placements, shortfalls } = runFleet(history);
  const ledger = ledgerOf(model, placements);
  return shortfalls.flatMap(({ deployment, rejections }) => {
    const workload = model.deployments.find(({ id }) => id === deployment)!;
    const spread = spreadOf(model, workload, placements);
    return rejections
      .filter((rejection) => !holds(rejection, { workload, ledger, spread, sites: model.clusters }))
      .map((rejection) => `${deployment}: ${JSON.stringify(rejection)}`);
  });
}

interface Final {
  readonly workload: CompiledDeployment;
  readonly ledger: Ledger;
  readonly spread: TopologySpread;
  readonly sites: readonly CompiledCluster[];
}

function holds({ cluster, pool: name, reason }: Rejection, final: Final): boolean {
  const { workload, ledger, spread, sites } = final;
  const site = siteOf(sites, cluster);
  if (reason.filter === 'spread') return equal(spread.findLimit(site), reason);
  if (reason.filter === 'together') return notTogether(workload, site, ledger);
  if (reason.filter !== 'devices' && reason.filter !== 'capacity') {
    return FILTERS.some(({ reject }) => equal(reject(workload.demand, site, 'new'), reason));
  }
  const pool = poolOf(site, name);
  const engine = workload.demand.engines.find((one) => one.name === reason.engine)!;
  const fit = fitEngine(engine, pool, site, matcher);
  if (reason.filter === 'devices' || 'misfit' in fit) {
    return equal({ filter: 'devices', engine: engine.name, ...fit }, reason);
  }
  return isShort(fit.charges, reason, pool, ledger);
}

/** The nodes that are missing are enough, and one fewer is not. */
function isShort(
  charges: readonly Charge[],
  { missingNodes, nodes }: Reason & { filter: 'capacity' },
  pool: Pool,
  ledger: Ledger,
): boolean {
  const fitsWith = (more: number): boolean => ledger.enlarged(pool, more).fits(charges);
  return nodes === pool.nodes && fitsWith(missingNodes) && !fitsWith(missingNodes - 1);
}

function notTogether(workload: CompiledDeployment, site: CompiledCluster, ledger: Ledger): boolean {
  const alone = workload.demand.engines.every((engine) =>
    site.pools.some((pool) => {
      const fit = fitEngine(engine, pool, site, matcher);
      return !('misfit' in fit) && ledger.fits(fit.charges);
    }),
  );
  return alone && !choicesOn(workload, site).some((charges) => ledger.fits(charges));
}

/** What a replica would take of a cluster, for every choice of a pool for each engine. */
export function choicesOn({ demand }: CompiledDeployment, site: CompiledCluster): (readonly Charge[])[] {
  return demand.engines.reduce<(readonly Charge[])[]>(
    (choices, engine) =>
      choices.flatMap((chosen) =>
        site.pools.flatMap((pool) => {
          const fit = fitEngine(engine, pool, site, matcher);
          return 'misfit' in fit ? [] : [[...chosen, ...fit.charges]];
        }),
      ),
    [[]],
  );
}

/** A ledger that holds these placements. */
export function ledgerOf(model: CompiledFleet, placements: readonly Placement[]): Ledger {
  const ledger = new Ledger();
  for (const placement of placements) ledger.add(chargesOf(model, placement));
  return ledger;
}

function spreadOf(
  { clusters: sites }: CompiledFleet,
  workload: CompiledDeployment,
  placements: readonly Placement[],
): TopologySpread {
  const own = placements.filter(({ deployment, draining }) => deployment === workload.id && !draining);
  return new TopologySpread(
    workload,
    own.map(({ cluster }) => siteOf(sites, cluster)),
  );
}

function siteOf(sites: readonly CompiledCluster[], cluster: string): CompiledCluster {
  return sites.find(({ name }) => name === cluster)!;
}

function poolOf({ pools }: CompiledCluster, name: string | undefined): Pool {
  return pools.find((pool) => pool.name === name)!;
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
