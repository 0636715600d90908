import type { FleetDiff } from '../../diff/fleet-diff';
import { type Cause, toCauses } from '../../diff/replica-causes';
import type { Plan } from '../../plan/plan';
import type { CiteEdits } from '../diff/change-sentences';
import { type Clause, rankClauses } from './clauses';
import { describeEditedFields } from './edited-fields';
import { isExplained } from './edit-clauses';

/** The edits of a change, with what it does. */
type Edits = Pick<
  FleetDiff,
  'declarations' | 'deployments' | 'copies' | 'caches' | 'routes' | 'peers' | 'cloud' | 'objects'
>;

interface OtherEditsContext extends Pick<CiteEdits, 'nameEdits'> {
  /** Whether the sentences say what single edits mean. */
  readonly explains: boolean;

  /** Whether the sentences say which objects change. */
  readonly namesObjects: boolean;

  /** Whether all that runs is compared. */
  readonly seesAll: boolean;
}

/** ``edits `allowPartial` of `ml/z` (edit 2), which changes nothing that runs``: edits from which nothing follows that sentences say. */
export function listOtherEdits(
  diff: Edits,
  { deployments }: Pick<Plan, 'deployments'>,
  { nameEdits, explains, namesObjects, seesAll }: OtherEditsContext,
): Clause[] {
  const said = new Set(listCauses(namesObjects ? diff : { ...diff, objects: [] }).map(keyOf));
  // Sentences say what of these has no place.
  const short = new Set(deployments.flatMap(({ deployment, shortfall }) => (shortfall ? [deployment] : [])));
  const others = diff.declarations
    .filter(({ id, renamed }) => renamed === undefined && !short.has(id.replace(/^ModelDeployment /, '')))
    .flatMap(toCauses)
    .filter((edit) => !said.has(keyOf(edit)) && !isOfHardware(edit) && !isOfCopies(edit, diff))
    .filter((edit) => !explains || !isExplained(edit));
  const names = others.length > 0 ? nameEdits(others) : undefined;
  if (names === undefined) return [];
  const isIdle = seesAll && others.every(createIdleCheck(diff));
  const text = `${describeEditedFields(others)} (${names})${isIdle ? ', which changes nothing that runs' : ''}`;
  return rankClauses('edits', [text]);
}

/**
 * Whether nothing that runs follows from an edit, also no other pace or order of what other edits cause: its declaration
 * is no cause, its deployment keeps its replicas, and no replica changes where it may decide which are placed first.
 */
function createIdleCheck(diff: Edits): (edit: Cause) => boolean {
  const active = new Set([
    ...listCauses(diff).map(({ id }) => id),
    ...diff.deployments.map(({ deployment }) => `ModelDeployment ${deployment}`),
  ]);
  const isPlacing = diff.deployments.length > 0;
  // What a Grant allows cites what uses it.
  const mayNeedGrants = active.size > 0;
  return ({ id, field }) => {
    if (active.has(id) || (mayNeedGrants && id.startsWith('Grant '))) return false;
    return !(isPlacing && field?.field === 'spec.priority');
  };
}

function listCauses({ deployments, caches, routes, peers = [], cloud, objects }: Edits): Cause[] {
  const changes = deployments.flatMap((one) => one.changes);
  const all = [...changes, ...caches, ...routes.services, ...routes.gateways, ...peers, ...cloud, ...objects];
  return all.flatMap((one) => [...one.causes]);
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
