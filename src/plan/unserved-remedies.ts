import { qualifiedNameOf } from '../api/resource';
import type { Fleet } from '../fleet/fleet';
import type { CompiledFleet } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import type { Remedy } from '../scheduler/schedule-result';
import { createMemoryBook } from './engine-memory';
import type { DeploymentPlan } from './plan';

interface SizedFleet {
  readonly fleet: Fleet;
  readonly model: CompiledFleet;
  readonly matcher: PodMatcher;
}

/** Removes remedies that would place a replica on devices whose memory is too small for its model, or may be. */
export function dropUnservedRemedies(plans: readonly DeploymentPlan[], placed: SizedFleet): DeploymentPlan[] {
  if (!plans.some(hasBound)) return [...plans];
  const isServed = createServedTest(placed);
  return plans.map((plan) => {
    const { deployment, shortfall } = plan;
    if (!shortfall || !hasBound(plan)) return plan;
    const remedies = shortfall.remedies.filter((remedy) => !isBound(remedy) || isServed(deployment, remedy));
    return { ...plan, shortfall: { ...shortfall, remedies } };
  });
}

function hasBound({ shortfall }: DeploymentPlan): boolean {
  return shortfall?.remedies.some(isBound) ?? false;
}

type BoundRemedy = Extract<Remedy, { kind: 'bound' }>;

function isBound(remedy: Remedy): remedy is BoundRemedy {
  return remedy.kind === 'bound';
}

/** Creates a test whether an engine starts on the devices of a pool. One whose model is not known may not. */
function createServedTest({ fleet, model, matcher }: SizedFleet): (id: string, remedy: BoundRemedy) => boolean {
  const book = createMemoryBook(fleet, matcher);
  const deployments = new Map(fleet.deployments.map((one) => [qualifiedNameOf(one), one]));
  const clusters = new Map(model.clusters.map((cluster) => [cluster.name, cluster]));
  return (id, { cluster, pool, engine: name }) => {
    const deployment = deployments.get(id);
    const engine = deployment?.spec.template.spec.engines.find((one) => one.name === name);
    const node = clusters.get(cluster)?.pools.find((one) => one.name === pool)?.node;
    if (!deployment || !engine || !node) return true;
    const memory = book.memoryOf({ deployment, engine, demand: undefined }, node.kinds);
    if (memory.length === 0) return book.setupOf({ deployment, engine, demand: undefined }) === undefined;
    return memory.some(({ finding }) => finding === undefined);
  };
}
