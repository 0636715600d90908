import { qualifiedNameOf } from '../api/resource';
import { groupBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { placeWithRemedy } from '../scheduler/applied-remedy';
import type { CompiledDeployment, CompiledFleet, Pool } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import type { DeclaringRemedy, MoveRemedy, OwnRemedy, Remedy } from '../scheduler/remedy';
import type { Schedule } from '../scheduler/schedule-result';
import { memoryBookOf, type MemoryBook, type ModelEngine } from './engine-memory';
import type { DeploymentPlan } from './plan';
import { nodesOf } from './warnings/device-request-uses';

interface SizedFleet {
  readonly schedule: Pick<Schedule, 'placements' | 'shortfalls'>;
  readonly fleet: Fleet;
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
}

/**
 * Adds the further remedies that the scheduler found, and removes those that would place a replica where its engine does
 * not start. A smaller bound is also removed where the engine may not start.
 */
export function dropUnservedRemedies(plans: readonly DeploymentPlan[], placed: SizedFleet): DeploymentPlan[] {
  if (!plans.some(({ shortfall }) => shortfall && shortfall.remedies.length > 0)) return [...plans];
  const isServed = createServedTest(placed);
  const further = new Map(placed.schedule.shortfalls.map((one) => [one.deployment, one.alternatives ?? []]));
  return plans.map((plan) => {
    const { deployment, shortfall } = plan;
    if (!shortfall || shortfall.remedies.length === 0) return plan;
    const kinds = groupBy([...shortfall.remedies, ...(further.get(deployment) ?? [])], ({ kind }) => kind);
    const served = (remedy: Remedy): boolean => isServed(deployment, remedy);
    const remedies = [...kinds.values()].flat().flatMap((remedy) => keepServed(remedy, served));
    return { ...plan, shortfall: { ...shortfall, remedies } };
  });
}

/** A remedy on those of its pools on which the engine starts. */
function keepServed(remedy: Remedy, isServed: (remedy: Remedy) => boolean): readonly Remedy[] {
  if (remedy.kind !== 'bound' || !remedy.also) return isServed(remedy) ? [remedy] : [];
  const { also, cluster, pool, ...change } = remedy;
  const [first, ...others] = [{ cluster, pool }, ...also].filter((at) => isServed({ ...change, ...at }));
  if (!first) return [];
  return [{ ...change, ...first, ...(others.length > 0 && { also: others }) }];
}

/** An engine on the pools of a cluster, of which a remedy may open one. */
interface OpenedPools {
  readonly book: MemoryBook;
  readonly engines: readonly ModelEngine[];
  readonly pools: readonly Pool[];
}

/**
 * Creates a test whether the engines of a deployment start where a remedy places them. Where one of them may get a pool
 * on which it does not start, the remedy is tried: other pools than its own may take the replica, or an engine of it.
 */
function createServedTest(placed: SizedFleet): (id: string, remedy: Remedy) => boolean {
  const { fleet, model, matcher, schedule } = placed;
  const book = memoryBookOf(fleet, matcher);
  const deployments = new Map(fleet.deployments.map((one) => [qualifiedNameOf(one), one]));
  const compiled = new Map(model.deployments.map((one) => [one.id, one]));
  const clusters = new Map(model.clusters.map((cluster) => [cluster.name, cluster]));
  const poolsOf = (cluster: string, names?: readonly string[]): Pool[] =>
    (clusters.get(cluster)?.pools ?? []).filter(({ name }) => names?.includes(name) ?? true);
  const enginesOf = (id: string, demand = compiled.get(id)?.demand): ModelEngine[] => {
    const deployment = deployments.get(id);
    return (deployment?.spec.template.spec.engines ?? []).flatMap((engine) =>
      deployment ? [{ deployment, engine, demand: demand?.engines.find(({ name }) => name === engine.name) }] : [],
    );
  };
  const startsOnTried = (deployment: CompiledDeployment, remedy: OwnRemedy): boolean => {
    const tried = placeWithRemedy({ model, placements: schedule.placements, deployment }, remedy, matcher);
    return tried.added.every(({ cluster, pools }) =>
      enginesOf(deployment.id, tried.demand).every((one) =>
        startsOnMatching({ book, engines: [one], pools: poolsOf(cluster, [pools[one.engine.name] ?? '']) }),
      ),
    );
  };
  return (id, remedy) => {
    const deployment = compiled.get(id);
    if (!deployment) return true;
    if ('moves' in remedy || isFreeing(remedy)) {
      return listMoved(remedy).every(({ deployment: moved, to, toPools }) =>
        startsOnMatching({ book, engines: enginesOf(moved), pools: poolsOf(to, toPools) }),
      );
    }
    const engines = enginesOf(id);
    const pools = poolsOf(remedy.cluster, 'pool' in remedy ? [remedy.pool] : undefined);
    const changed = remedy.kind === 'bound' ? engines.filter(({ engine }) => engine.name === remedy.engine) : engines;
    const starts = remedy.kind === 'bound' ? startsOnAny : startsOnMatching;
    if (!starts({ book, engines: changed, pools })) return false;
    const isTried = deployment.variants === undefined && mayMissPool({ book, engines, model }, remedy);
    return !isTried || startsOnTried(deployment, remedy);
  };
}

type FreeingRemedy = DeclaringRemedy & Required<Pick<DeclaringRemedy, 'frees'>>;

function isFreeing(remedy: Remedy): remedy is FreeingRemedy {
  return remedy.kind === 'declare' && remedy.frees !== undefined;
}

interface MovedDeployment {
  readonly deployment: string;
  readonly to: string;

  /** Absent: any pool. */
  readonly toPools?: readonly string[];
}

/** The other deployments that get other places by a remedy. */
function listMoved(remedy: Pick<MoveRemedy, 'moves'> | FreeingRemedy): readonly MovedDeployment[] {
  return 'moves' in remedy ? remedy.moves : [{ deployment: remedy.frees, to: remedy.cluster }];
}

/** Whether some pool of the fleet takes an engine and is certain not to start it. A bound opens other pools to engines. */
function mayMissPool(
  { book, engines, model }: Pick<OpenedPools, 'book' | 'engines'> & { readonly model: CompiledFleet },
  { kind }: Remedy,
): boolean {
  return nodesOf(model.clusters).some((node) =>
    engines.some((one) => {
      const memory = kind === 'bound' ? book.memoryOf(one, claimedKindsOf(node)) : book.memoryOn(one, node);
      return memory.some(({ finding }) => finding?.certain);
    }),
  );
}

function claimedKindsOf({ kinds }: Pool['node']): Pool['node']['kinds'] {
  return kinds.filter(({ claimedAs }) => claimedAs !== undefined);
}

/** Whether no engine is certain not to start on every pool whose devices it matches. */
function startsOnMatching({ book, engines, pools }: OpenedPools): boolean {
  return engines.every((placed) => {
    const known = pools.map(({ node }) => book.memoryOn(placed, node)).filter((memory) => memory.length > 0);
    return known.length === 0 || known.some((memory) => !memory.every(({ finding }) => finding?.certain));
  });
}

/** Whether engines start on devices that they do not match yet. One whose model is not known may not. */
function startsOnAny({ book, engines, pools }: OpenedPools): boolean {
  return engines.every((placed) =>
    pools.every(({ node }) => {
      const memory = book.memoryOf({ ...placed, demand: undefined }, claimedKindsOf(node));
      if (memory.length === 0) return book.setupOf(placed) === undefined;
      return memory.some(({ finding }) => finding === undefined);
    }),
  );
}
