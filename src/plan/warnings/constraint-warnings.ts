import type { ResourcePath } from '../../api/kinds';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import type { CompiledCluster, CompiledDeployment, CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import { demandOf, poolOf } from '../../scheduler/placement';
import type { Placement } from '../../scheduler/schedule-result';

/**
 * Constraints of placed deployments that nobody can judge, because a class does not state the attribute: the plan
 * takes them for met, and only the cluster will tell.
 */
export function findConstraintWarnings(
  fleet: Fleet,
  model: CompiledFleet,
  { matcher, placements }: { matcher: PodMatcher; placements: readonly Placement[] },
): Diagnostic<ResourcePath>[] {
  const sites = new Map(model.clusters.map((site) => [site.name, site]));
  const constrained = model.deployments.filter(isConstrained);
  if (constrained.length === 0) return [];
  const workloads = new Map(constrained.map((workload) => [workload.id, workload]));
  const deployments = indexDeploymentsById(fleet.deployments);
  const told = new Map<string, Diagnostic<ResourcePath>>();
  for (const placement of placements) {
    const [site, workload] = [sites.get(placement.cluster), workloads.get(placement.deployment)];
    const deployment = deployments.get(placement.deployment);
    if (!site || !workload || !deployment) continue;
    for (const { attribute, pool } of findUnjudgedConstraints(placement, workload, site, matcher)) {
      const key = `${placement.deployment} ${attribute}`;
      if (told.has(key)) continue;
      told.set(
        key,
        warningAt(
          'unjudged-constraint',
          { resource: deployment, path: ['spec', 'template', 'spec', 'engines'] },
          `nobody can tell whether the constraint on ${attribute} holds: the class of ${site.name} / ${pool} does not state it`,
          'List the devices of the class with that attribute, one entry for each value',
        ),
      );
    }
  }
  return [...told.values()];
}

/** Whether any engine of a deployment, as declared or earlier, has constraints: most have none. */
function isConstrained({ demand, previousRevisions: former }: CompiledDeployment): boolean {
  return [demand, ...former.values()].some(({ engines }) =>
    engines.some(({ members }) => members.some(({ pod }) => pod.constraints.length > 0)),
  );
}

function findUnjudgedConstraints(
  placement: Placement,
  workload: CompiledDeployment,
  site: CompiledCluster,
  matcher: PodMatcher,
): { attribute: string; pool: string }[] {
  const { engines = [] } = demandOf(workload, placement) ?? {};
  return engines.flatMap(({ name, members }) => {
    const pool = poolOf(site, placement, name);
    if (!pool) return [];
    return members.flatMap(({ pod }) => {
      const fit = matcher.fit(pod, pool.node);
      return 'misfit' in fit ? [] : fit.unjudged.map((attribute) => ({ attribute, pool: pool.name }));
    });
  });
}
