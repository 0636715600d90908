import type { ResourcePath } from '../../api/kinds';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { type Fleet, indexDeploymentsById } from '../../fleet/fleet';
import type { CompiledDeployment, CompiledFleet } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { Placement } from '../../scheduler/schedule-result';
import { listPlacedPods } from '../replica-usage';

/** Finds constraints that the plan assumes to be met, because a class does not state the attribute. */
export function findConstraintWarnings(
  fleet: Fleet,
  model: CompiledFleet,
  { matcher, placements }: { matcher: PodMatcher; placements: readonly Placement[] },
): Diagnostic<ResourcePath>[] {
  const deployments = model.deployments.filter(isConstrained);
  if (deployments.length === 0) return [];
  const declared = indexDeploymentsById(fleet.deployments);
  const warnings = new Map<string, Diagnostic<ResourcePath>>();
  for (const { placement, pool, fit } of listPlacedPods({ ...model, deployments }, placements, matcher)) {
    const resource = declared.get(placement.deployment);
    if (!resource) continue;
    for (const attribute of fit.unjudged) {
      const key = `${placement.deployment} ${attribute}`;
      if (warnings.has(key)) continue;
      const at = { resource, path: ['spec', 'template', 'spec', 'engines'] };
      const why = `the class of ${placement.cluster} / ${pool.name} does not state it`;
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
