import { suggestObjectName } from '../base/name-suggestion';
import { joinNames } from '../base/text';
import { qualifiedNameIn } from '../files/set-aside';
import { countTotals } from '../plan/deployment-plans';
import type { Plan } from '../plan/plan';
import { commandError, meantHint } from './command-error';

export interface OnlyFlags {
  /** Namespaces, or `namespace/name` of deployments. Only these are placed again. Default: all. */
  readonly only?: readonly string[];
}

/** Whether a run is about a resource, by its `namespace/name`. */
export type Scope = (name: string) => boolean;

/**
 * Creates the scope of `--only`.
 *
 * @param names the `namespace/name` of everything that can be meant
 * @throws FleetwrightError when a value names nothing
 */
export function createScope({ only = [] }: OnlyFlags, names: readonly string[]): Scope {
  const unknown = only.find((value) => !names.some((name) => covers(value, name)));
  if (unknown !== undefined) {
    const choices = [...new Set(unknown.includes('/') ? names : names.map((name) => name.split('/')[0] ?? ''))];
    const hint = meantHint(suggestObjectName(unknown, choices), `Use one of ${joinNames(choices)}`);
    throw commandError(
      'unknown-deployment',
      '--only',
      `'${unknown}' is neither in the fleet nor in the lock file`,
      hint,
    );
  }
  return (name) => only.length === 0 || only.some((value) => covers(value, name));
}

/** Whether a value of the flag names a resource, or its namespace. */
function covers(value: string, name: string): boolean {
  return name === value || name.startsWith(`${value}/`);
}

/** The parts of a plan that are about resources in a scope. Costs and policies remain those of the whole fleet. */
export function narrowPlan(plan: Plan, scope: Scope): Plan {
  const deployments = plan.deployments.filter(({ deployment }) => scope(deployment));
  return {
    ...plan,
    deployments,
    totals: countTotals(deployments),
    drains: [],
    services: plan.services.filter(({ namespace, name }) => scope(`${namespace}/${name}`)),
    warnings: plan.warnings.filter(({ subject }) => subject === undefined || scope(qualifiedNameIn(subject))),
    mustExist: narrowNeeds(plan.mustExist, scope),
    mustExistNew: narrowNeeds(plan.mustExistNew, scope),
  };
}

function narrowNeeds(needs: Plan['mustExist'], scope: Scope): Plan['mustExist'] {
  return needs.flatMap(({ cluster, objects }) => {
    const some = objects.filter(({ for: owners }) => owners.some((id) => scope(qualifiedNameIn(id))));
    return some.length > 0 ? [{ cluster, objects: some }] : [];
  });
}
