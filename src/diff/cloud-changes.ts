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
 * What happens to the resources of clusters that are made, by cluster, then in the order in which they are made. What
 * the cloud makes itself of a volume claim is told with caches.
 */
export function diffCloudResources(before: FleetState, after: FleetState, changed: Changed): CloudChange[] {
  const [was, is] = [before.decision.fleet, after.decision.fleet];
  const sites = [was, is].map(clustersInFleet);
  const names = new Set(sites.flatMap((known) => [...known.keys()]));
  const everywhere =
    [was, is].some(({ settings }) => settings && changed.has(resourceIdOf(settings))) ||
    catalogueOf(was) !== catalogueOf(is);
  return [...names].sort(compareText).flatMap((name) => {
    const [old, now] = sites.map((known) => known.get(name));
    if (!everywhere && !mayDiffer(old, changed) && !mayDiffer(now, changed)) return [];
    return diffCluster(name, { old, now, changed });
  });
}

/** Instance types decide images of nodes and network cards. */
function catalogueOf({ hardware }: Fleet): string {
  return JSON.stringify([...hardware.catalogue.instanceTypes]);
}

interface ClusterInFleet {
  readonly cluster: InferenceCluster;
  readonly fleet: Fleet;
}

function clustersInFleet(fleet: Fleet): ReadonlyMap<string, ClusterInFleet> {
  return new Map(fleet.clusters.map((cluster) => [cluster.metadata.name, { cluster, fleet }]));
}

function mayDiffer(site: ClusterInFleet | undefined, changed: Changed): boolean {
  if (!site) return false;
  const { cluster } = site;
  const ids = [
    resourceIdOf(cluster),
    ...cluster.spec.nodePools.map(({ className }) => `InferenceClass ${className}`),
  ];
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
    const [resource, site] = is ? [is, now] : [was, old];
    if (!resource || !site) return [];
    const fields = was && is ? diffFields(was.args, is.args) : [];
    if (was && is && fields.length === 0) return [];
    return [
      {
        cluster: name,
        kind: resource.kind,
        name: resource.name,
        action: was && is ? effectOf(site, resource.kind, fields) : is ? 'create' : 'delete',
        fields,
        ...poolOf(was, is),
        causes: findCloudCauses(resource, site, changed),
      },
    ];
  });
}

/** By cloud too: a cluster that comes from another cloud is another cluster of the same name. */
function resourcesOf(site: ClusterInFleet | undefined): ReadonlyMap<string, CloudResource> {
  const all = site ? listCloudResources(site.cluster, site.fleet) : [];
  return new Map(all.map((one) => [`${site?.cluster.spec.cluster.source} ${one.kind} ${one.name}`, one]));
}

function effectOf({ cluster }: ClusterInFleet, kind: string, fields: readonly FieldChange[]): FieldEffect {
  const cloud = cluster.spec.cluster.source;
  const paths = fields.map(({ path }) => path.filter((part) => typeof part === 'string').join('.'));
  return isManagedCloud(cloud) ? fieldEffectOf(cloud satisfies ManagedCloud, kind, paths) : 'change';
}

function poolOf(was: CloudResource | undefined, is: CloudResource | undefined) {
  const pool = is?.pool ?? was?.pool;
  if (!pool) return {};
  const [before, after] = [was?.pool?.nodes, is?.pool?.nodes];
  return { machine: pool.machine, nodes: { ...(before && { before }), ...(after && { after }) } };
}

const POOLS = 'spec.nodePools';

/** A pool comes from its own fields, its class and what its cluster says of all pools; the rest from the cluster. */
function findCloudCauses(
  { name, pool }: CloudResource,
  { cluster, fleet }: ClusterInFleet,
  changed: Changed,
): Cause[] {
  const declared = pool && cluster.spec.nodePools.find((one) => one.name === name);
  const own = `${POOLS}[${name}]`;
  const isOwn = ({ field }: DeclaredField): boolean =>
    !field.startsWith(POOLS) || (declared !== undefined && field.startsWith(own));
  const settings = fleet.settings ? [resourceIdOf(fleet.settings)] : [];
  const others = [...(declared ? [`InferenceClass ${declared.className}`] : []), ...settings];
  const found = [
    ...selectCauses(changed.get(resourceIdOf(cluster)), isOwn),
    ...others.flatMap((id) => selectCauses(changed.get(id), () => true)),
  ];
  return found.length > 0 ? found : selectCauses(changed.get(resourceIdOf(cluster)), () => true);
}
