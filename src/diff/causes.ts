import { cacheRefs } from '../api/cache/refs';
import { resourceId } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import type { Fleet } from '../fleet';
import type { EvictionReason } from '../scheduler/types';
import type { DeclarationChange, DeclaredField } from './declaration-changes';
import type { Place, ReplicaChange } from './replica-changes';

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
const OF_PLACING = [
  'spec.replicas',
  'spec.priority',
  'spec.allowPartial',
  'spec.placement',
  'spec.paused',
  'spec.template.spec.clusterSelector',
  'spec.template.spec.tolerations',
];

/** Whether a field of a deployment decides how many replicas there are or where. */
export const isOfPlacing = ({ field }: Pick<DeclaredField, 'field'>): boolean =>
  OF_PLACING.some((prefix) => under(field, prefix));
const isOfPods = (field: DeclaredField): boolean => !isOfPlacing(field);
const under = (field: string, prefix: string): boolean =>
  field === prefix || field.startsWith(`${prefix}.`) || field.startsWith(`${prefix}[`);
const any = (): boolean => true;

const SIZES = /^spec\.nodePools\[[^\]]+\]\.(nodeCount|minNodeCount|maxNodeCount)$/;

/** Whether a field of a cluster is more than a number of nodes, which makes room and changes nothing that is there. */
export const isNoSize = ({ field }: Pick<DeclaredField, 'field'>): boolean => !SIZES.test(field);

type Suspect = (field: DeclaredField) => boolean;

/** Which fields of a changed declaration may be the cause, by what the declaration is to the replica. Absent: none. */
interface Suspects {
  readonly deployment?: Suspect;
  readonly cluster?: Suspect;
  readonly others?: Suspect;
}

const PLACING: Suspects = { deployment: isOfPlacing, cluster: any, others: any };
const PODS: Suspects = { deployment: isOfPods, cluster: isNoSize, others: any };

/** Where to look for the cause of an eviction, by its kind. */
const BY_REASON: Readonly<Record<EvictionReason['kind'], Suspects>> = {
  'deployment-gone': { deployment: any },
  'scaled-down': { deployment: isOfPlacing },
  'cluster-gone': { cluster: any },
  'pool-gone': { cluster: any },
  shape: { deployment: isOfPods, others: any },
  rejected: { deployment: any, cluster: any, others: any },
};

const BY_ACTION: Readonly<Record<ReplicaChange['action'], Suspects>> = {
  keep: {},
  place: PLACING,
  move: PLACING,
  roll: PODS,
  leaving: PLACING,
  remove: PLACING,
};

/** What a replica change may come from: the declarations that changed, and who depends on them. */
export interface Context {
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
export function causesOf(change: ReplicaChange, context: Context): Cause[] {
  const { action, from, reason } = change;
  const suspects = reason && action !== 'roll' ? BY_REASON[reason.kind] : BY_ACTION[action];
  if (action !== 'move' || !from) return causesAt(change, suspects, context);
  const causes = causesAt(from, suspects, context);
  return causes.length > 0 ? causes : causesOfPlacing(change, context);
}

/** The same of a replica that comes somewhere, whatever becomes of another. */
export function causesOfPlacing(place: Place, context: Context): Cause[] {
  return causesAt(place, PLACING, context);
}

function causesAt(place: Place, suspects: Suspects, context: Context): Cause[] {
  const { deployment, fleet } = context;
  const cluster = fleet.clusters.find(({ metadata }) => metadata.name === place.cluster);
  const pools = new Set(Object.values(place.pools));
  const classes = (cluster?.spec.nodePools ?? []).filter(({ name }) => pools.has(name));
  const namespace = deployment.metadata.namespace ?? '';
  const others = [
    ...classes.map(({ className }) => `InferenceClass ${className}`),
    ...cacheRefs(deployment).map(({ name }) => `ModelCache ${namespace}/${name}`),
    ...(fleet.settings ? [resourceId(fleet.settings)] : []),
  ];
  const causes = (id: string, suspect: Suspect | undefined): Cause[] =>
    causesIn(context.changed.get(id), suspect);
  return [
    ...causes(resourceId(deployment), suspects.deployment),
    ...causes(`InferenceCluster ${place.cluster}`, suspects.cluster),
    ...others.flatMap((id) => causes(id, suspects.others)),
  ];
}

/** Each cause once, whatever else comes from it. */
export function distinctCauses(causes: readonly Cause[]): Cause[] {
  return [...new Map(causes.map((one) => [`${one.id} ${one.where}`, one])).values()];
}

/** The fields of a changed declaration that may be a cause; the declaration itself where it is new or gone. */
export function causesIn(change: DeclarationChange | undefined, suspect: Suspect | undefined): Cause[] {
  if (!change || !suspect) return [];
  const { id, action, where } = change;
  if (action !== 'changed') return [{ id, action, where }];
  return change.fields.filter(suspect).map((field) => ({ id, action, field, where: field.where }));
}
