import { cacheReferencesOf } from '../api/cache/cache-references';
import { resourceIdOf } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import type { Fleet } from '../fleet/fleet';
import type { Place, ReplicaChange } from '../plan/replica-moves';
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

/** Fields of a deployment that decide how many replicas there are and where, and nothing of what they run. */
const PLACEMENT_FIELDS = [
  'spec.replicas',
  'spec.priority',
  'spec.allowPartial',
  'spec.placement',
  'spec.paused',
  'spec.template.spec.clusterSelector',
  'spec.template.spec.tolerations',
];

/** Whether a field of a deployment decides how many replicas there are or where. */
export const isPlacementField = ({ field }: Pick<DeclaredField, 'field'>): boolean =>
  PLACEMENT_FIELDS.some((prefix) => isBelow(field, prefix));
export const isPodField = (field: DeclaredField): boolean => !isPlacementField(field);
const isBelow = (field: string, prefix: string): boolean =>
  field === prefix || field.startsWith(`${prefix}.`) || field.startsWith(`${prefix}[`);
const always = (): boolean => true;

const NODE_COUNT_FIELD = /^spec\.nodePools\[[^\]]+\]\.(nodeCount|minNodeCount|maxNodeCount)$/;

/** Whether a field of a cluster is more than a number of nodes, which makes room and changes nothing that is there. */
export const isNotNodeCount = ({ field }: Pick<DeclaredField, 'field'>): boolean =>
  !NODE_COUNT_FIELD.test(field);

type Suspect = (field: DeclaredField) => boolean;

/** Which fields of a changed declaration may be the cause, by what the declaration is to the replica. Absent: none. */
interface Suspects {
  readonly deployment?: Suspect;
  readonly cluster?: Suspect;
  readonly others?: Suspect;
}

const PLACEMENT_SUSPECTS: Suspects = { deployment: isPlacementField, cluster: always, others: always };
const POD_SUSPECTS: Suspects = { deployment: isPodField, cluster: isNotNodeCount, others: always };

/** Where to look for the cause of an eviction, by its kind. */
const SUSPECTS_BY_REASON: Readonly<Record<EvictionReason['kind'], Suspects>> = {
  'deployment-gone': { deployment: always },
  'scaled-down': { deployment: isPlacementField },
  'cluster-gone': { cluster: always },
  'pool-gone': { cluster: always },
  shape: { deployment: isPodField, others: always },
  rejected: { deployment: always, cluster: always, others: always },
};

const SUSPECTS_BY_ACTION: Readonly<Record<ReplicaChange['action'], Suspects>> = {
  keep: {},
  place: PLACEMENT_SUSPECTS,
  move: PLACEMENT_SUSPECTS,
  roll: POD_SUSPECTS,
  leaving: PLACEMENT_SUSPECTS,
  remove: PLACEMENT_SUSPECTS,
};

/** What a replica change may come from: the declarations that changed, and who depends on them. */
export interface CauseContext {
  readonly changed: ReadonlyMap<string, DeclarationChange>;
  readonly fleet: Fleet;
  /** As it is declared now; as it was, where it is gone. */
  readonly deployment: ModelDeployment;
}

/**
 * The changed declarations that a change of a replica comes from. Of what it depends on itself: its deployment, its
 * cluster, the classes of its pools, its caches, the settings of the fleet. One that moves comes from what the one
 * depends on whose place it takes; where that did not change, from what it depends on itself. None where it follows
 * from the changes of others, as when they leave room.
 */
export function findReplicaCauses(change: ReplicaChange, context: CauseContext): Cause[] {
  const { action, from, reason } = change;
  const suspects = reason && action !== 'roll' ? SUSPECTS_BY_REASON[reason.kind] : SUSPECTS_BY_ACTION[action];
  if (action !== 'move' || !from) return findCausesAt(change, suspects, context);
  const causes = findCausesAt(from, suspects, context);
  return causes.length > 0 ? causes : findPlacementCauses(change, context);
}

/** The same of a replica that comes somewhere, whatever becomes of another. */
export function findPlacementCauses(place: Place, context: CauseContext): Cause[] {
  return findCausesAt(place, PLACEMENT_SUSPECTS, context);
}

function findCausesAt(place: Place, suspects: Suspects, context: CauseContext): Cause[] {
  const { deployment, fleet } = context;
  const cluster = fleet.clusters.find(({ metadata }) => metadata.name === place.cluster);
  const pools = new Set(Object.values(place.pools));
  const classes = (cluster?.spec.nodePools ?? []).filter(({ name }) => pools.has(name));
  const namespace = deployment.metadata.namespace ?? '';
  const others = [
    ...classes.map(({ className }) => `InferenceClass ${className}`),
    ...cacheReferencesOf(deployment).map(({ name }) => `ModelCache ${namespace}/${name}`),
    ...(fleet.settings ? [resourceIdOf(fleet.settings)] : []),
  ];
  const causes = (id: string, suspect: Suspect | undefined): Cause[] =>
    selectCauses(context.changed.get(id), suspect);
  return [
    ...causes(resourceIdOf(deployment), suspects.deployment),
    ...causes(`InferenceCluster ${place.cluster}`, suspects.cluster),
    ...others.flatMap((id) => causes(id, suspects.others)),
  ];
}

/** Each cause once, whatever else comes from it. */
export function dedupeCauses(causes: readonly Cause[]): Cause[] {
  return [...new Map(causes.map((one) => [`${one.id} ${one.where}`, one])).values()];
}

/** The fields of a changed declaration that may be a cause; the declaration itself where it is new or gone. */
export function selectCauses(change: DeclarationChange | undefined, suspect: Suspect | undefined): Cause[] {
  if (!change || !suspect) return [];
  const { id, action, where } = change;
  if (action !== 'changed') return [{ id, action, where }];
  return change.fields.filter(suspect).map((field) => ({ id, action, field, where: field.where }));
}

/** What a comparison knows of declarations and replicas, before it looks at what follows from them. */
export interface DiffContext {
  /** By id. */
  readonly changed: ReadonlyMap<string, DeclarationChange>;

  /** What happens to replicas, by deployment; what moves is told where it goes and where it comes from. */
  readonly deployments: readonly {
    readonly deployment: string;
    readonly changes: readonly (Pick<ReplicaChange, 'cluster' | 'index'> & {
      readonly causes: readonly Cause[];
    })[];
  }[];
}
