import type { FleetDiff } from '../../diff/fleet-diff';
import type { Cause } from '../../diff/replica-causes';
import type { Plan } from '../../plan/plan';
import type { CiteEdits } from '../diff/change-sentences';
import { type Clause, rankClauses } from './clauses';
import { isExplained } from './edit-clauses';
import { toCauses } from './edit-list';

/** The edits of a change, with what it does. */
type Edits = Pick<FleetDiff, 'declarations' | 'deployments' | 'copies' | 'caches' | 'routes' | 'cloud' | 'objects'>;

/**
 * `makes another edit (edit 2)`: the edits from which nothing follows that sentences say.
 *
 * @param explains whether the sentences say what single edits mean
 */
export function listOtherEdits(
  diff: Edits,
  { deployments }: Pick<Plan, 'deployments'>,
  { nameEdits, explains }: Pick<CiteEdits, 'nameEdits'> & { readonly explains: boolean },
): Clause[] {
  const effective = new Set(listCauses(diff).map(keyOf));
  // Sentences say what of these has no place.
  const short = new Set(deployments.flatMap(({ deployment, shortfall }) => (shortfall ? [deployment] : [])));
  const others = diff.declarations
    .filter(({ id, renamed }) => renamed === undefined && !short.has(id.replace(/^ModelDeployment /, '')))
    .flatMap(toCauses)
    .filter((edit) => !effective.has(keyOf(edit)) && !isOfHardware(edit) && !isOfCopies(edit, diff))
    .filter((edit) => !explains || !isExplained(edit));
  const names = others.length > 0 ? nameEdits(others) : undefined;
  if (names === undefined) return [];
  return rankClauses('edits', [`makes ${names.startsWith('edits') ? 'other edits' : 'another edit'} (${names})`]);
}

function listCauses({ deployments, caches, routes, cloud, objects }: Edits): Cause[] {
  const changes = deployments.flatMap((one) => one.changes);
  return [...changes, ...caches, ...routes.services, ...routes.gateways, ...cloud, ...objects].flatMap((one) => [
    ...one.causes,
  ]);
}

/** Clauses on clusters and node pools say what changes of these, also where no cloud creates them. */
function isOfHardware({ id, action, field }: Cause): boolean {
  if (id.startsWith('InferenceClass ')) return true;
  return (
    id.startsWith('InferenceCluster ') && (action !== 'changed' || field?.field.startsWith('spec.nodePools') === true)
  );
}

/** Clauses on copies say what changes of their number, and of what scales them. */
function isOfCopies({ id, field }: Cause, { copies }: Pick<Edits, 'copies'>): boolean {
  const isScaling = /^spec\.template\.spec\.engines\[[^\]]+\]\.(copies|scaling)\b/.test(field?.field ?? '');
  return isScaling && copies.some(({ deployment }) => id === `ModelDeployment ${deployment}`);
}

function keyOf({ id, field }: Cause): string {
  return `${id}\n${field?.field ?? ''}`;
}
