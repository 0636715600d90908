import type { InferenceCluster } from '../api/inference-cluster';
import { type Resource, resourceIdOf } from '../api/kinds';
import { isMap } from '../base/json';
import { type KeyedPair, pairsOf } from '../base/keyed-lists';
import { assemble, type Fleet } from '../fleet/fleet';
import {
  CONTROL_PLANE_KINDS,
  type CloudResource,
  listCloudResources,
  type NodeBounds,
} from '../provision/cloud-resources';
import { type FieldEffect, fieldEffectOf, isRefusedInUse } from '../provision/field-effects';
import { isManagedCloud } from '../provision/managed-cloud';
import { type Cause, type ChangesById, selectCauses, type FieldFilter } from './replica-causes';
import { diffFields, type FieldChange } from './field-changes';
import type { FleetState } from './fleet-state';
import { compareGpus, type GpusChange } from './pool-gpus';
import { addNewDeclarations, type ApplyEdit, createDecisiveSelector, createEditApplier } from './single-edits';

/** What happens to one resource of a cloud. */
export interface CloudChange {
  readonly cluster: string;

  /** As Pulumi calls it: `NodePool`. */
  readonly kind: string;
  readonly name: string;

  /**
   * `roll`: the nodes of a pool are recreated, some at a time. `replace`: the provider cannot change one of the fields,
   * so the resource goes with all that is on it, and another is made.
   */
  readonly action: 'create' | FieldEffect | 'delete';

  /** The cloud refuses the change while the cluster exists, as another range of its network. */
  readonly refused?: true;

  /** Arguments that change. Empty where it is created or deleted. */
  readonly fields: readonly FieldChange[];

  /** What a pool of the cluster is made of. */
  readonly machine?: string;

  /** The devices of each node of a pool of the cluster, where its nodes are recreated or replaced, or another product takes the place of one. */
  readonly gpus?: GpusChange;

  /** The nodes of a pool of the cluster, before and after. */
  readonly nodes?: { readonly before?: NodeBounds; readonly after?: NodeBounds };
  readonly causes: readonly Cause[];
}

/** The zones that a pool of GKE no longer has. GKE keeps the pool, and deletes its nodes there. */
export function lostZonesOf({ kind, fields }: Pick<CloudChange, 'kind' | 'fields'>): string[] {
  if (kind !== 'NodePool') return [];
  const { before, after } = fields.find(({ field }) => field === 'nodeLocations') ?? {};
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  return before.filter((zone) => typeof zone === 'string').filter((zone) => !after.includes(zone));
}

/** Whether a cloud deletes nodes of a pool that stays. An autoscaler only removes nodes without pods. */
export function isShrunk({ action, nodes }: CloudChange): boolean {
  const { before, after } = nodes ?? {};
  if (action !== 'change' || !before || !after) return false;
  return after.least === after.most && after.most < before.most;
}

/**
 * Compares the cloud resources of managed clusters, by cluster, then in creation order. Volumes that the cloud
 * creates for volume claims are part of the cache changes.
 */
export function diffCloudResources(before: FleetState, after: FleetState, changed: ChangesById): CloudChange[] {
  const fleets = [before.decision.fleet, after.decision.fleet] as const;
  const [earlier, later] = fleets;
  const allMayDiffer =
    fleets.some(({ settings }) => settings && changed.has(resourceIdOf(settings))) ||
    catalogueOf(earlier) !== catalogueOf(later);
  const states = { apply: createEditApplier(before, after), resources: addNewDeclarations(before, after) };
  return pairsOf(clustersIn(earlier), clustersIn(later), ({ cluster }) => cluster.metadata.name)
    .filter(({ was, is }) => allMayDiffer || mayDiffer(was, changed) || mayDiffer(is, changed))
    .flatMap((pair, i) =>
      diffCluster(pair, changed, i < MAX_TRIED ? createCloudSelector(pair, states) : (edits) => edits),
    );
}

/** Compares the cloud resources of some clusters in two fleets, without the declarations that cause their changes. */
export function diffCloudOf(earlier: Fleet, later: Fleet, clusters: ReadonlySet<string>): CloudChange[] {
  return pairsOf(clustersIn(earlier), clustersIn(later), ({ cluster }) => cluster.metadata.name)
    .filter(({ key }) => clusters.has(key))
    .flatMap((pair) => diffCluster(pair, new Map(), (edits) => edits));
}

/** The most clusters of which edits are tried one by one. */
const MAX_TRIED = 20;

/** Selects the edits that alone do to a resource what all of them do: its nodes go, or are recreated. */
type SelectCloudEdits = (edits: readonly Cause[], resource: CloudResource) => readonly Cause[];

/** What single edits are tried on. */
interface TriedStates {
  readonly apply: ApplyEdit;
  readonly resources: readonly Resource[];
}

/** Creates a function that tries single edits of the earlier declarations. All where a cluster is new. */
function createCloudSelector(
  { key: scope, was }: KeyedPair<ClusterInFleet>,
  { apply, resources }: TriedStates,
): SelectCloudEdits {
  if (!was) return (edits) => edits;
  const earlier = resourcesOf(was);
  const evaluate = (edited: Resource): ReturnType<typeof resourcesOf> => {
    const cluster = edited.kind === 'InferenceCluster' ? edited : was.cluster;
    const classes = new Set(cluster.spec.nodePools.map(({ className }) => className));
    const needed = resources.filter(({ kind, metadata: { name } }) => {
      if (kind === 'InferenceClass') return classes.has(name);
      return kind === 'Fleet' || (kind === 'InferenceCluster' && name === cluster.metadata.name);
    });
    const id = resourceIdOf(edited);
    const all = needed.map((one) => (resourceIdOf(one) === id ? edited : one));
    return resourcesOf(clustersIn(assemble(all, was.fleet.hardware))[0]);
  };
  const select = createDecisiveSelector<ReturnType<typeof resourcesOf>>(apply);
  return (edits, { kind, name }) => {
    const isDecisive = (later: ReturnType<typeof resourcesOf>): boolean => {
      const [old, now] = [earlier, later].map((all) =>
        [...all.values()].find((one) => one.kind === kind && one.name === name),
      );
      if (!old || !now) return true;
      const fields = diffFields(old.args, now.args);
      return fields.length > 0 && effectOf(was, kind, fields) !== 'change';
    };
    return select(edits, { scope, evaluate, isDecisive });
  };
}

/** The instance types of a fleet as text. They decide the node images and network cards of cloud resources. */
function catalogueOf({ hardware }: Fleet): string {
  return JSON.stringify([...hardware.catalogue.instanceTypes]);
}

interface ClusterInFleet {
  readonly cluster: InferenceCluster;
  readonly fleet: Fleet;
}

function clustersIn(fleet: Fleet): ClusterInFleet[] {
  return fleet.clusters.map((cluster) => ({ cluster, fleet }));
}

function mayDiffer(entry: ClusterInFleet | undefined, changed: ChangesById): boolean {
  if (!entry) return false;
  const { cluster } = entry;
  const ids = [resourceIdOf(cluster), ...cluster.spec.nodePools.map(({ className }) => `InferenceClass ${className}`)];
  return ids.some((id) => changed.has(id));
}

function diffCluster(
  { key: cluster, was: old, is: now }: KeyedPair<ClusterInFleet>,
  changed: ChangesById,
  select: SelectCloudEdits,
): CloudChange[] {
  const [earlier, later] = [resourcesOf(old), resourcesOf(now)];
  const ids = new Set([...later.keys(), ...earlier.keys()]);
  return [...ids].flatMap((id): CloudChange[] => {
    const [was, is] = [earlier.get(id), later.get(id)];
    const [resource, owner] = is ? [is, now] : [was, old];
    if (!resource || !owner) return [];
    const { kind, name } = resource;
    const fields = was && is ? diffFields(was.args, is.args) : [];
    if (was && is && fields.length === 0) return [];
    const action = was && is ? effectOf(owner, kind, fields) : is ? 'create' : 'delete';
    const all = findCloudCauses(resource, owner, changed);
    const isRemade = action === 'roll' || action === 'replace';
    const causes = isRemade ? select(all, resource) : all;
    const of = { ...poolOf(was, is), ...gpusOf(resource, old, now, isRemade) };
    return [{ cluster, kind, name, action, ...refusalOf(owner, kind, fields), fields, ...of, causes }];
  });
}

/** The cloud resources of a cluster by key. A cluster with the same name in another cloud is another cluster. */
function resourcesOf(entry: ClusterInFleet | undefined): ReadonlyMap<string, CloudResource> {
  if (!entry) return new Map();
  const { source } = entry.cluster.spec.cluster;
  const all = listCloudResources(entry.cluster, entry.fleet);
  return new Map(all.map((one) => [`${source} ${one.kind} ${one.name}`, one]));
}

function effectOf({ cluster }: ClusterInFleet, kind: string, fields: readonly FieldChange[]): FieldEffect {
  const cloud = cluster.spec.cluster.source;
  return isManagedCloud(cloud) ? fieldEffectOf(cloud, kind, fields.flatMap(argumentsOf)) : 'change';
}

/** Whether the cloud refuses a change of arguments, unless another argument makes it replace the resource. */
function refusalOf(
  { cluster }: ClusterInFleet,
  kind: string,
  fields: readonly FieldChange[],
): Pick<CloudChange, 'refused'> {
  const cloud = cluster.spec.cluster.source;
  const names = fields.flatMap(argumentsOf);
  const isRefused =
    isManagedCloud(cloud) && fieldEffectOf(cloud, kind, names) === 'change' && isRefusedInUse(cloud, kind, names);
  return isRefused ? { refused: true } : {};
}

/** `nodeConfig.machineType`. A block that comes or goes has its arguments too. */
function argumentsOf({ path, before, after }: FieldChange): string[] {
  const name = path.filter((part) => typeof part === 'string').join('.');
  const block = before === undefined ? after : after === undefined ? before : undefined;
  return [name, ...(isMap(block) ? Object.keys(block).map((key) => `${name}.${key}`) : [])];
}

/** The machine type and the node bounds of a resource that is a node pool. */
function poolOf(was: CloudResource | undefined, is: CloudResource | undefined) {
  const pool = is?.pool ?? was?.pool;
  if (!pool) return {};
  const [before, after] = [was?.pool?.nodes, is?.pool?.nodes];
  return { machine: pool.machine, nodes: { ...(before && { before }), ...(after && { after }) } };
}

function gpusOf(
  { name, pool }: CloudResource,
  was: ClusterInFleet | undefined,
  is: ClusterInFleet | undefined,
  isRemade: boolean,
) {
  const gpus = pool && compareGpus(name, was, is);
  return gpus && (isRemade || gpus.before !== gpus.after) ? { gpus } : {};
}

const POOLS = 'spec.nodePools';

/** A pool depends on its own fields, its class and the other fields of its cluster; other resources on the cluster. */
function findCloudCauses(
  { name, pool }: CloudResource,
  { cluster, fleet }: ClusterInFleet,
  changed: ChangesById,
): Cause[] {
  const declared = pool && cluster.spec.nodePools.find((one) => one.name === name);
  const prefix = `${POOLS}[${name}]`;
  const affectsResource: FieldFilter = ({ field }) =>
    !field.startsWith(POOLS) || (declared !== undefined && field.startsWith(prefix));
  const settings = fleet.settings ? [resourceIdOf(fleet.settings)] : [];
  const others = [...(declared ? [`InferenceClass ${declared.className}`] : []), ...settings];
  const id = resourceIdOf(cluster);
  const found = [...selectCauses(changed, [id], affectsResource), ...selectCauses(changed, others)];
  return found.length > 0 ? found : selectCauses(changed, [id]);
}

/** Why clusters are deleted and created again, by their name. */
export function findReplacedClusters(changes: readonly CloudChange[]): ReadonlyMap<string, readonly Cause[]> {
  const replaced = changes.filter(({ kind, action }) => action === 'replace' && CONTROL_PLANE_KINDS.has(kind));
  return new Map(replaced.map(({ cluster, causes }) => [cluster, causes]));
}
