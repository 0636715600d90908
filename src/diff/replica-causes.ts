import { cacheReferencesOf } from '../api/cache/cache-references';
import { resourceIdOf } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import type { Fleet } from '../fleet/fleet';
import type { ReplicaLocation, ReplicaChange } from '../plan/replica-moves';
import { haveSamePools } from '../scheduler/placement';
import type { EvictionReason } from '../scheduler/schedule-result';
import type { DeclarationChange, DeclaredField } from './declaration-changes';

/** What in the declarations made something change. */
export interface Cause {
  /** The declaration: `ModelDeployment ml/qwen3`. */
  readonly id: string;

  /** What happened to it; with the field that changed, where one did. */
  readonly action: DeclarationChange['action'];
  readonly field?: DeclaredField;
  readonly where: string;
}

/** Fields of a deployment that decide the number and the location of replicas, and do not affect their pods. */
const PLACEMENT_FIELDS = [
  'spec.replicas',
  'spec.priority',
  'spec.allowPartial',
  'spec.placement',
  'spec.paused',
  'spec.template.spec.clusterSelector',
  'spec.template.spec.tolerations',
];

/** Selects the fields of a changed declaration that can be the cause. */
export type FieldFilter = (field: DeclaredField) => boolean;

/** Whether a field of a deployment decides the number or the location of its replicas. */
export const isPlacementField: FieldFilter = ({ field }) => PLACEMENT_FIELDS.some((prefix) => isBelow(field, prefix));
export const isPodField: FieldFilter = (field) => !isPlacementField(field);
const isBelow = (field: string, prefix: string): boolean =>
  field === prefix || field.startsWith(`${prefix}.`) || field.startsWith(`${prefix}[`);
const always: FieldFilter = () => true;

/** A field with a number of nodes: its pool, and its name. */
export const NODE_COUNT_FIELD = /^spec\.nodePools\[([^\]]+)\]\.(nodeCount|minNodeCount|maxNodeCount)$/;

/** Whether a field of a cluster is of one of some pools, or of the cluster itself. */
function isOfPools({ field }: DeclaredField, pools: ReadonlySet<string>): boolean {
  const [, name] = /^spec\.nodePools\[([^\]]+)\]/.exec(field) ?? [];
  return name === undefined || pools.has(name);
}

/** Whether a field is not a node count. Node counts add or remove capacity and change no object on the cluster. */
export const isNotNodeCount: FieldFilter = ({ field }) => !NODE_COUNT_FIELD.test(field);

/** The fields that can be the cause, by the role of the declaration for the replica. Absent: no field. */
interface Suspects {
  readonly deployment?: FieldFilter;
  readonly cluster?: FieldFilter;
  readonly others?: FieldFilter;
}

/** Fields of a deployment that change objects next to its pods alone. */
const NO_RESTART = /^spec\.(?:minAvailable|networkPolicy)\b/;

const PLACEMENT_SUSPECTS: Suspects = { deployment: isPlacementField, cluster: always, others: always };
const POD_SUSPECTS: Suspects = {
  deployment: (field) => isPodField(field) && !NO_RESTART.test(field.field),
  cluster: isNotNodeCount,
  others: always,
};

/** The fields that can cause an eviction, by the kind of its reason. */
const SUSPECTS_BY_REASON: Readonly<Record<EvictionReason['kind'], Suspects>> = {
  'deployment-gone': { deployment: always },
  'scaled-down': { deployment: isPlacementField },
  'cluster-gone': { cluster: always },
  'pool-gone': { cluster: always },
  shape: { deployment: isPodField, others: always },
  'makes-room': { others: always },
  backend: { cluster: always },
  rejected: { deployment: always, cluster: always, others: always },
};

/** The fields that can cause a change of a replica, by the action of the change. */
const SUSPECTS_BY_ACTION: Readonly<Record<ReplicaChange['action'], Suspects>> = {
  keep: {},
  place: PLACEMENT_SUSPECTS,
  move: PLACEMENT_SUSPECTS,
  roll: POD_SUSPECTS,
  draining: PLACEMENT_SUSPECTS,
  lost: PLACEMENT_SUSPECTS,
  remove: PLACEMENT_SUSPECTS,
};

export type ChangesById = ReadonlyMap<string, DeclarationChange>;

/** The inputs for finding the causes of a replica change: the declaration changes and the fleet they belong to. */
export interface CauseContext {
  readonly changed: ChangesById;
  readonly fleet: Fleet;
  /** The current declaration, or the former one where the deployment is deleted. */
  readonly deployment: ModelDeployment;
}

/**
 * Finds the declaration changes that cause a change of a replica. It considers the declarations that the replica
 * depends on: its deployment, its cluster, the classes of its pools, its caches and the settings of the fleet. The
 * causes of a move are those of the replica that it replaces; where there are none, those of its new location. Empty
 * where the change follows from changes of other replicas, for example when they free capacity.
 */
export function findReplicaCauses(change: ReplicaChange, context: CauseContext): Cause[] {
  const { action, from, reason } = change;
  const isByReason = reason && (action !== 'roll' || movesToPool(change));
  const suspects = isByReason ? SUSPECTS_BY_REASON[reason.kind] : SUSPECTS_BY_ACTION[action];
  if (action === 'roll' && isByReason && from) return findCausesAt(from, suspects, context);
  if (action === 'place') {
    const pools = new Set(Object.values(change.pools));
    return findCausesAt(change, suspects, context).filter(({ id, field }) => {
      return !field || !id.startsWith('InferenceCluster ') || isOfPools(field, pools);
    });
  }
  if (action !== 'move' || !from) return findCausesAt(change, suspects, context);
  const causes = findCausesAt(from, suspects, context);
  return causes.length > 0 ? causes : findPlacementCauses(change, context);
}

/** Whether a replica restarts because it moves to other pools of its cluster, and not because of what its pods are. */
export function movesToPool({ action, from, pools, reason }: ReplicaChange): boolean {
  const isOther = action === 'roll' && from !== undefined && !haveSamePools(from.pools, pools);
  return isOther && reason !== undefined && reason.kind !== 'shape';
}

/** Finds the declaration changes that cause the placement of a replica at a location. */
export function findPlacementCauses(place: ReplicaLocation, context: CauseContext): Cause[] {
  return findCausesAt(place, PLACEMENT_SUSPECTS, context);
}

function findCausesAt(place: ReplicaLocation, suspects: Suspects, context: CauseContext): Cause[] {
  const { deployment, fleet } = context;
  const cluster = fleet.clusters.find(({ metadata }) => metadata.name === place.cluster);
  const pools = new Set(Object.values(place.pools));
  const used = (cluster?.spec.nodePools ?? []).filter(({ name }) => pools.has(name));
  const { namespace = '' } = deployment.metadata;
  const others = [
    ...used.map(({ className }) => `InferenceClass ${className}`),
    ...cacheReferencesOf(deployment).map(({ name }) => `ModelCache ${namespace}/${name}`),
    ...(fleet.settings ? [resourceIdOf(fleet.settings)] : []),
  ];
  const causes = (ids: readonly string[], suspect: FieldFilter | undefined): Cause[] =>
    suspect ? selectCauses(context.changed, ids, suspect) : [];
  return [
    ...causes([resourceIdOf(deployment)], suspects.deployment),
    ...causes([`InferenceCluster ${place.cluster}`], suspects.cluster),
    ...causes(others, suspects.others),
  ];
}

/** Removes duplicate causes. Causes are equal if they have the same declaration, field and position. */
export function dedupeCauses(causes: readonly Cause[]): Cause[] {
  return [...new Map(causes.map((one) => [`${one.id} ${one.where} ${one.field?.field}`, one])).values()];
}

/** The changed fields of declarations that can be a cause. An added or removed declaration is a cause itself. */
export function selectCauses(changed: ChangesById, ids: readonly string[], suspect: FieldFilter = always): Cause[] {
  return ids.flatMap((id): Cause[] => {
    const change = changed.get(id);
    if (!change) return [];
    const { action, where, fields } = change;
    if (action !== 'changed') return [{ id, action, where }];
    return fields.filter(suspect).map((field) => ({ id, action, field, where: field.where }));
  });
}

/** The declaration changes and replica changes from which the other parts of a comparison find causes. */
export interface DiffContext {
  readonly changed: ChangesById;

  /** A move has two events: at its new and at its former location. */
  readonly replicas: readonly ReplicaEvent[];
}

/** What takes a replica from where it was. */
export const REMOVING_ACTIONS: ReadonlySet<ReplicaChange['action']> = new Set(['move', 'draining', 'lost', 'remove']);

/** Something that happens to a replica at a location. */
export interface ReplicaEvent extends Pick<ReplicaChange, 'cluster' | 'index' | 'action'> {
  readonly deployment: string;
  readonly causes: readonly Cause[];
}

/** The edits of a declaration, in the order of its fields. */
export function toCauses({ id, action, where, fields }: DeclarationChange): Cause[] {
  // What has another name has the same edits once more, as what is new.
  const edits = (action === 'removed' ? [] : fields).map((field) => ({ id, action, field, where: field.where }));
  return action === 'changed' && edits.length > 0 ? edits : [{ id, action, where }, ...edits];
}
