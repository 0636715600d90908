import { groupBy, sortedBy } from '../order';
import type { Affected } from './affected-clusters';
import { renderCluster } from '../render/cluster';
import type { Manifest } from '../render/manifest';
import { type FieldChange, fieldChanges } from './field-changes';
import { replaces } from './immutable-fields';
import type { State } from './state';

/** What happens to one object of a cluster. */
export interface ObjectChange {
  readonly cluster: string;
  readonly kind: string;

  /** Absent for kinds that are in no namespace. */
  readonly namespace?: string;
  readonly name: string;

  /** `replace`: an API server refuses to change one of the fields, so the object is deleted and made again. */
  readonly action: 'create' | 'change' | 'replace' | 'delete';

  /** In the order of the object. Empty where it is created or deleted. */
  readonly fields: readonly FieldChange[];
}

/** An object before and after, of which at least one is there. */
export interface ObjectPair {
  readonly change: ObjectChange;
  readonly before?: Manifest;
  readonly after?: Manifest;
}

/**
 * What happens to the objects of some clusters, by cluster, then in the order of kind, namespace and name.
 *
 * @param affected all whose objects can differ
 */
export function objectChanges(before: State, after: State, affected: readonly Affected[]): ObjectPair[] {
  const names = new Set(affected.map(({ cluster }) => cluster));
  const [was, is] = [objectsOf(before, names), objectsOf(after, names)];
  return affected.flatMap(({ cluster, concerns }) => {
    const [earlier, later] = [was(cluster, concerns), is(cluster, concerns)];
    const ids = sortedBy(new Set([...earlier.keys(), ...later.keys()]), (id) => id);
    return ids.flatMap((id) => pairOf(cluster, earlier.get(id), later.get(id)));
  });
}

function pairOf(cluster: string, before: Manifest | undefined, after: Manifest | undefined): ObjectPair[] {
  const object = after ?? before;
  if (!object) return [];
  const fields = before && after ? fieldChanges(before, after) : [];
  if (before && after && fields.length === 0) return [];
  const { kind, metadata } = object;
  const change: ObjectChange = {
    cluster,
    kind,
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    name: metadata.name,
    action: before && after ? (replaces(kind, fields) ? 'replace' : 'change') : after ? 'create' : 'delete',
    fields,
  };
  return [{ change, ...(before && { before }), ...(after && { after }) }];
}

type Objects = (cluster: string, concerns: Affected['concerns']) => ReadonlyMap<string, Manifest>;

/**
 * Renders one of some clusters of a state: its objects by identity, without those of replicas that are no concern; none of a
 * cluster that the state does not have.
 */
function objectsOf({ decision }: State, names: ReadonlySet<string>): Objects {
  const { fleet, replicas, renderers, routing } = decision;
  const affected = fleet.clusters.filter(({ metadata }) => names.has(metadata.name));
  const clusters = new Map(affected.map((one) => [one.metadata.name, one]));
  const there = new Set(affected);
  const own = groupBy(
    replicas.filter(({ cluster }) => there.has(cluster)),
    ({ cluster }) => cluster.metadata.name,
  );
  return (name, concerns) => {
    const cluster = clusters.get(name);
    const rendered = (own.get(name) ?? []).filter(({ deployment }) => concerns?.(deployment) ?? true);
    const objects = cluster ? renderCluster(cluster, rendered, { fleet, renderers, routing }) : [];
    return new Map(objects.map((one) => [idOf(one), one]));
  };
}

function idOf({ kind, metadata: { namespace = '', name } }: Manifest): string {
  return `${kind} ${namespace} ${name}`;
}
