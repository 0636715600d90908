import { qualifiedNameOf } from '../api/resource';
import { groupBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import type { CompiledFleet, Pool } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import type { Remedy, Schedule } from '../scheduler/schedule-result';
import { createMemoryBook, type MemoryBook, type ModelEngine } from './engine-memory';
import type { DeploymentPlan } from './plan';

interface SizedFleet {
  readonly schedule: Pick<Schedule, 'shortfalls'>;
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

/** Creates a test whether the engines of a deployment start where a remedy places them. */
function createServedTest({ fleet, model, matcher }: SizedFleet): (id: string, remedy: Remedy) => boolean {
  const book = createMemoryBook(fleet, matcher);
  const deployments = new Map(fleet.deployments.map((one) => [qualifiedNameOf(one), one]));
  const demands = new Map(model.deployments.map(({ id, demand }) => [id, demand]));
  const clusters = new Map(model.clusters.map((cluster) => [cluster.name, cluster]));
  return (id, remedy) => {
    const deployment = deployments.get(id);
    if (!deployment || remedy.kind === 'move') return true;
    const engines = deployment.spec.template.spec.engines.map((engine): ModelEngine => {
      return { deployment, engine, demand: demands.get(id)?.engines.find(({ name }) => name === engine.name) };
    });
    const all = clusters.get(remedy.cluster)?.pools ?? [];
    const pools = 'pool' in remedy ? all.filter(({ name }) => name === remedy.pool) : all;
    if (remedy.kind !== 'bound') return startsOnMatching({ book, engines, pools });
    return startsOnAny({ book, engines: engines.filter(({ engine }) => engine.name === remedy.engine), pools });
  };
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
      const claimed = node.kinds.filter(({ claimedAs }) => claimedAs !== undefined);
      const memory = book.memoryOf({ ...placed, demand: undefined }, claimed);
      if (memory.length === 0) return book.setupOf(placed) === undefined;
      return memory.some(({ finding }) => finding === undefined);
    }),
  );
}
