import type { InferenceCluster } from '../api/inference-cluster';
import { resourceId } from '../api/kinds';
import type { Fleet } from '../fleet';
import { compareText } from '../order';
import { type CloudResource, cloudResources, type NodeBounds } from '../provision/cloud-resources';
import { type FieldEffect, fieldEffect } from '../provision/field-effects';
import { isMade, type MadeOn } from '../provision/made-on';
import { type Cause, causesIn } from './causes';
import type { DeclarationChange, DeclaredField } from './declaration-changes';
import { type FieldChange, fieldChanges } from './field-changes';
import type { State } from './state';

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
export function cloudChanges(before: State, after: State, changed: Changed): CloudChange[] {
  const [was, is] = [before.decision.fleet, after.decision.fleet];
  const sites = [was, is].map(sitesOf);
  const names = new Set(sites.flatMap((known) => [...known.keys()]));
  const everywhere =
    [was, is].some(({ settings }) => settings && changed.has(resourceId(settings))) ||
    catalogueOf(was) !== catalogueOf(is);
  return [...names].sort(compareText).flatMap((name) => {
    const [old, now] = sites.map((known) => known.get(name));
    if (!everywhere && !mayDiffer(old, changed) && !mayDiffer(now, changed)) return [];
    return changesOf(name, { old, now, changed });
  });
}

/** Instance types decide images of nodes and network cards. */
function catalogueOf({ hardware }: Fleet): string {
  return JSON.stringify([...hardware.catalogue.instanceTypes]);
}

interface Site {
  readonly cluster: InferenceCluster;
  readonly fleet: Fleet;
}

function sitesOf(fleet: Fleet): ReadonlyMap<string, Site> {
  return new Map(fleet.clusters.map((cluster) => [cluster.metadata.name, { cluster, fleet }]));
}

function mayDiffer(site: Site | undefined, changed: Changed): boolean {
  if (!site) return false;
  const { cluster } = site;
  const ids = [
    resourceId(cluster),
    ...cluster.spec.nodePools.map(({ className }) => `InferenceClass ${className}`),
  ];
  return ids.some((id) => changed.has(id));
}

interface Sides {
  readonly old: Site | undefined;
  readonly now: Site | undefined;
  readonly changed: Changed;
}

function changesOf(name: string, { old, now, changed }: Sides): CloudChange[] {
  const [earlier, later] = [old, now].map(resourcesOf);
  const ids = new Set([...(later?.keys() ?? []), ...(earlier?.keys() ?? [])]);
  return [...ids].flatMap((id): CloudChange[] => {
    const [was, is] = [earlier?.get(id), later?.get(id)];
    const [resource, site] = is ? [is, now] : [was, old];
    if (!resource || !site) return [];
    const fields = was && is ? fieldChanges(was.args, is.args) : [];
    if (was && is && fields.length === 0) return [];
    return [
      {
        cluster: name,
        kind: resource.kind,
        name: resource.name,
        action: was && is ? effectOf(site, resource.kind, fields) : is ? 'create' : 'delete',
        fields,
        ...poolOf(was, is),
        causes: causesOf(resource, site, changed),
      },
    ];
  });
}

/** By cloud too: a cluster that comes from another cloud is another cluster of the same name. */
function resourcesOf(site: Site | undefined): ReadonlyMap<string, CloudResource> {
  const all = site ? cloudResources(site.cluster, site.fleet) : [];
  return new Map(all.map((one) => [`${site?.cluster.spec.cluster.source} ${one.kind} ${one.name}`, one]));
}

function effectOf({ cluster }: Site, kind: string, fields: readonly FieldChange[]): FieldEffect {
  const cloud = cluster.spec.cluster.source;
  const paths = fields.map(({ path }) => path.filter((part) => typeof part === 'string').join('.'));
  return isMade(cloud) ? fieldEffect(cloud satisfies MadeOn, kind, paths) : 'change';
}

function poolOf(was: CloudResource | undefined, is: CloudResource | undefined) {
  const pool = is?.pool ?? was?.pool;
  if (!pool) return {};
  const [before, after] = [was?.pool?.nodes, is?.pool?.nodes];
  return { machine: pool.machine, nodes: { ...(before && { before }), ...(after && { after }) } };
}

const POOLS = 'spec.nodePools';

/** A pool comes from its own fields, its class and what its cluster says of all pools; the rest from the cluster. */
function causesOf({ name, pool }: CloudResource, { cluster, fleet }: Site, changed: Changed): Cause[] {
  const declared = pool && cluster.spec.nodePools.find((one) => one.name === name);
  const own = `${POOLS}[${name}]`;
  const isOwn = ({ field }: DeclaredField): boolean =>
    !field.startsWith(POOLS) || (declared !== undefined && field.startsWith(own));
  const settings = fleet.settings ? [resourceId(fleet.settings)] : [];
  const others = [...(declared ? [`InferenceClass ${declared.className}`] : []), ...settings];
  const found = [
    ...causesIn(changed.get(resourceId(cluster)), isOwn),
    ...others.flatMap((id) => causesIn(changed.get(id), () => true)),
  ];
  return found.length > 0 ? found : causesIn(changed.get(resourceId(cluster)), () => true);
}
