import type { ResourcePath } from '../../api/kinds';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import type { CompiledCluster, CompiledDeployment, CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { demandOf, poolOf } from '../../scheduler/placement';
import type { Placement } from '../../scheduler/schedule-result';

/** Finds constraints that the plan assumes to be met, because a class does not state the attribute. */
export function findConstraintWarnings(
  fleet: Fleet,
  model: CompiledFleet,
  { matcher, placements }: { matcher: PodMatcher; placements: readonly Placement[] },
): Diagnostic<ResourcePath>[] {
  const clusters = new Map(model.clusters.map((cluster) => [cluster.name, cluster]));
  const constrained = model.deployments.filter(isConstrained);
  if (constrained.length === 0) return [];
  const compiledById = new Map(constrained.map((one) => [one.id, one]));
  const deployments = indexDeploymentsById(fleet.deployments);
  const warnings = new Map<string, Diagnostic<ResourcePath>>();
  for (const placement of placements) {
    const [cluster, compiled] = [clusters.get(placement.cluster), compiledById.get(placement.deployment)];
    const resource = deployments.get(placement.deployment);
    if (!cluster || !compiled || !resource) continue;
    for (const { attribute, pool } of findUnjudgedConstraints(placement, compiled, cluster, matcher)) {
      const key = `${placement.deployment} ${attribute}`;
      if (warnings.has(key)) continue;
      const at = { resource, path: ['spec', 'template', 'spec', 'engines'] };
      const why = `the class of ${cluster.name} / ${pool} does not state it`;
      const what = `nobody can tell whether the constraint on ${attribute} holds: ${why}`;
      warnings.set(key, warningAt('unjudged-constraint', at, what, UNJUDGED_HINT));
    }
  }
  return [...warnings.values()];
}

const UNJUDGED_HINT = 'List the devices of the class with that attribute, one entry for each value';

/** Whether any engine of a deployment, in its declared or an earlier revision, has constraints. */
function isConstrained({ demand, previousRevisions }: CompiledDeployment): boolean {
  return [demand, ...previousRevisions.values()].some(({ engines }) =>
    engines.some(({ members }) => members.some(({ pod }) => pod.constraints.length > 0)),
  );
}

function findUnjudgedConstraints(
  placement: Placement,
  deployment: CompiledDeployment,
  cluster: CompiledCluster,
  matcher: PodMatcher,
): { attribute: string; pool: string }[] {
  const { engines = [] } = demandOf(deployment, placement) ?? {};
  return engines.flatMap(({ name, members }) => {
    const pool = poolOf(cluster, placement, name);
    if (!pool) return [];
    return members.flatMap(({ pod }) => {
      const fit = matcher.fit(pod, pool.node);
      return 'misfit' in fit ? [] : fit.unjudged.map((attribute) => ({ attribute, pool: pool.name }));
    });
  });
}
