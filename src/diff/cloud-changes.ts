import type { InferenceCluster } from '../api/inference-cluster';
import { resourceIdOf } from '../api/kinds';
import { compareText } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { type CloudResource, listCloudResources, type NodeBounds } from '../provision/cloud-resources';
import { type FieldEffect, fieldEffectOf } from '../provision/field-effects';
import { isManagedCloud, type ManagedCloud } from '../provision/managed-cloud';
import { type Cause, selectCauses } from './causes';
import type { DeclarationChange, DeclaredField } from './declaration-changes';
import { diffFields, type FieldChange } from './field-changes';
import type { FleetState } from './fleet-state';

/** What happens to one resource of a cloud. */
export interface CloudChange {
  readonly cluster: string;

  /** As Pulumi calls it: `NodePool`. */
  readonly kind: string;
  readonly name: string;

  /**
   * `roll`: the nodes of a pool are made anew, some at a time. `replace`: the provider cannot change one of the fields,
   * so the resource goes with all that is on it, and another is made.
   */
  readonly action: 'create' | FieldEffect | 'delete';

  /** Arguments that change. Empty where it is created or deleted. */
  readonly fields: readonly FieldChange[];

  /** What a pool of the cluster is made of. */
  readonly machine?: string;

  /** The nodes of a pool of the cluster, before and after. */
  readonly nodes?: { readonly before?: NodeBounds; readonly after?: NodeBounds };
  readonly causes: readonly Cause[];
}

type Changed = ReadonlyMap<string, DeclarationChange>;

/**
 * Compares the cloud resources of managed clusters, by cluster, then in creation order. Volumes that the cloud
 * creates for volume claims are part of the cache changes.
 */
export function diffCloudResources(before: FleetState, after: FleetState, changed: Changed): CloudChange[] {
  const [was, is] = [before.decision.fleet, after.decision.fleet];
  const clusters = [was, is].map(clustersInFleet);
  const names = new Set(clusters.flatMap((byName) => [...byName.keys()]));
  const allMayDiffer =
    [was, is].some(({ settings }) => settings && changed.has(resourceIdOf(settings))) ||
    catalogueOf(was) !== catalogueOf(is);
  return [...names].sort(compareText).flatMap((name) => {
    const [old, now] = clusters.map((byName) => byName.get(name));
    if (!allMayDiffer && !mayDiffer(old, changed) && !mayDiffer(now, changed)) return [];
    return diffCluster(name, { old, now, changed });
  });
}

/** The instance types of a fleet as text. They decide the node images and network cards of cloud resources. */
function catalogueOf({ hardware }: Fleet): string {
  return JSON.stringify([...hardware.catalogue.instanceTypes]);
}

/** A cluster with the fleet that it belongs to. */
interface ClusterInFleet {
  readonly cluster: InferenceCluster;
  readonly fleet: Fleet;
}

function clustersInFleet(fleet: Fleet): ReadonlyMap<string, ClusterInFleet> {
  return new Map(fleet.clusters.map((cluster) => [cluster.metadata.name, { cluster, fleet }]));
}

function mayDiffer(entry: ClusterInFleet | undefined, changed: Changed): boolean {
  if (!entry) return false;
  const { cluster } = entry;
  const ids = [resourceIdOf(cluster), ...cluster.spec.nodePools.map(({ className }) => `InferenceClass ${className}`)];
  return ids.some((id) => changed.has(id));
}

interface ClusterBeforeAndAfter {
  readonly old: ClusterInFleet | undefined;
  readonly now: ClusterInFleet | undefined;
  readonly changed: Changed;
}

function diffCluster(name: string, { old, now, changed }: ClusterBeforeAndAfter): CloudChange[] {
  const [earlier, later] = [old, now].map(resourcesOf);
  const ids = new Set([...(later?.keys() ?? []), ...(earlier?.keys() ?? [])]);
  return [...ids].flatMap((id): CloudChange[] => {
    const [was, is] = [earlier?.get(id), later?.get(id)];
    const [resource, owner] = is ? [is, now] : [was, old];
    if (!resource || !owner) return [];
    const fields = was && is ? diffFields(was.args, is.args) : [];
    if (was && is && fields.length === 0) return [];
    return [
      {
        cluster: name,
        kind: resource.kind,
        name: resource.name,
        action: was && is ? effectOf(owner, resource.kind, fields) : is ? 'create' : 'delete',
        fields,
        ...poolOf(was, is),
        causes: findCloudCauses(resource, owner, changed),
      },
    ];
  });
}

/**
 * The cloud resources of a cluster by key. The key contains the cloud: a cluster with the same name in another cloud
 * is another cluster.
 */
function resourcesOf(entry: ClusterInFleet | undefined): ReadonlyMap<string, CloudResource> {
  const all = entry ? listCloudResources(entry.cluster, entry.fleet) : [];
  return new Map(all.map((one) => [`${entry?.cluster.spec.cluster.source} ${one.kind} ${one.name}`, one]));
}

function effectOf({ cluster }: ClusterInFleet, kind: string, fields: readonly FieldChange[]): FieldEffect {
  const cloud = cluster.spec.cluster.source;
  const paths = fields.map(({ path }) => path.filter((part) => typeof part === 'string').join('.'));
  return isManagedCloud(cloud) ? fieldEffectOf(cloud satisfies ManagedCloud, kind, paths) : 'change';
}

/** The machine type and the node bounds of a resource that is a node pool. */
function poolOf(was: CloudResource | undefined, is: CloudResource | undefined) {
  const pool = is?.pool ?? was?.pool;
  if (!pool) return {};
  const [before, after] = [was?.pool?.nodes, is?.pool?.nodes];
  return { machine: pool.machine, nodes: { ...(before && { before }), ...(after && { after }) } };
}

const POOLS = 'spec.nodePools';

/**
 * The causes of a resource change. A pool depends on its own fields, its class and the cluster fields outside the
 * pools; other resources depend on the cluster. The settings of the fleet affect both.
 */
function findCloudCauses({ name, pool }: CloudResource, { cluster, fleet }: ClusterInFleet, changed: Changed): Cause[] {
  const declared = pool && cluster.spec.nodePools.find((one) => one.name === name);
  const prefix = `${POOLS}[${name}]`;
  const affectsResource = ({ field }: DeclaredField): boolean =>
    !field.startsWith(POOLS) || (declared !== undefined && field.startsWith(prefix));
  const settings = fleet.settings ? [resourceIdOf(fleet.settings)] : [];
  const others = [...(declared ? [`InferenceClass ${declared.className}`] : []), ...settings];
  const found = [
    ...selectCauses(changed.get(resourceIdOf(cluster)), affectsResource),
    ...others.flatMap((id) => selectCauses(changed.get(id), () => true)),
  ];
  return found.length > 0 ? found : selectCauses(changed.get(resourceIdOf(cluster)), () => true);
}
