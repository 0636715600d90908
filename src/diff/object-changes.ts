import { groupBy, sortUnique } from '../base/order';
import type { Manifest } from '../manifest/kubernetes/manifest';
import { renderCluster } from '../render/cluster';
import type { AffectedCluster } from './affected-clusters';
import { diffFields, type FieldChange } from './field-changes';
import type { FleetState } from './fleet-state';

/** A change of one object of a cluster. */
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

/** An object before and after. At least one of the two is set. */
export interface ObjectPair {
  readonly change: ObjectChange;
  readonly before?: Manifest;
  readonly after?: Manifest;
}

/**
 * Compares the objects of affected clusters, sorted by cluster, kind, namespace and name.
 *
 * @param affected all clusters whose objects can differ
 */
export function diffObjects(before: FleetState, after: FleetState, affected: readonly AffectedCluster[]): ObjectPair[] {
  const names = new Set(affected.map(({ cluster }) => cluster));
  const [was, is] = [createObjectsLookup(before, names), createObjectsLookup(after, names)];
  return affected.flatMap(({ cluster, concerns }) => {
    const [earlier, later] = [was(cluster, concerns), is(cluster, concerns)];
    const ids = sortUnique([...earlier.keys(), ...later.keys()]);
    return ids.flatMap((id) => toObjectPair(cluster, earlier.get(id), later.get(id)));
  });
}

function toObjectPair(cluster: string, before: Manifest | undefined, after: Manifest | undefined): ObjectPair[] {
  const object = after ?? before;
  if (!object) return [];
  const fields = before && after ? diffFields(before, after) : [];
  if (before && after && fields.length === 0) return [];
  const { kind, metadata } = object;
  const change: ObjectChange = {
    cluster,
    kind,
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    name: metadata.name,
    action: before && after ? (requiresReplacement(kind, fields) ? 'replace' : 'change') : after ? 'create' : 'delete',
    fields,
  };
  return [{ change, ...(before && { before }), ...(after && { after }) }];
}

/** Renders the objects of a cluster, by ID. */
type ObjectsLookup = (cluster: string, concerns: AffectedCluster['concerns']) => ReadonlyMap<string, Manifest>;

/**
 * Creates a lookup that renders the objects of a cluster in a state, by ID. It omits the objects of replicas that
 * `concerns` rejects. The lookup is empty for a cluster that the state does not have.
 */
function createObjectsLookup({ decision }: FleetState, names: ReadonlySet<string>): ObjectsLookup {
  const { fleet, replicas, renderers, routing } = decision;
  const affected = fleet.clusters.filter(({ metadata }) => names.has(metadata.name));
  const clusters = new Map(affected.map((one) => [one.metadata.name, one]));
  const affectedSet = new Set(affected);
  const byCluster = groupBy(
    replicas.filter(({ cluster }) => affectedSet.has(cluster)),
    ({ cluster }) => cluster.metadata.name,
  );
  return (name, concerns) => {
    const cluster = clusters.get(name);
    const rendered = (byCluster.get(name) ?? []).filter(({ deployment }) => concerns?.(deployment) ?? true);
    const objects = cluster ? renderCluster(cluster, rendered, { fleet, renderers, routing }) : [];
    return new Map(objects.map((one) => [idOf(one), one]));
  };
}

function idOf({ kind, metadata: { namespace = '', name } }: Manifest): string {
  return `${kind} ${namespace} ${name}`;
}

/**
 * Immutable fields by kind: an API server or the webhook of a controller rejects changes. Lists only fields that
 * rendered objects set. Sources: apps/v1 validation, resource.k8s.io strategy, core validation of Services and
 * volumes, batch validation of Jobs, the webhook of LeaderWorkerSet.
 */
const IMMUTABLE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['spec.selector'],
  Job: ['spec.template', 'spec.selector', 'spec.completions', 'spec.completionMode', 'spec.podFailurePolicy'],
  LeaderWorkerSet: ['spec.networkConfig', 'spec.leaderWorkerTemplate.subGroupPolicy'],
  PersistentVolumeClaim: [
    'spec.accessModes',
    'spec.storageClassName',
    'spec.volumeMode',
    'spec.volumeName',
    'spec.selector',
  ],
  ResourceClaimTemplate: ['spec'],
  Service: ['spec.clusterIP', 'spec.type'],
};

/** Whether an object must be replaced because an immutable field changes. */
function requiresReplacement(kind: string, fields: readonly FieldChange[]): boolean {
  const immutable = (IMMUTABLE_FIELDS[kind] ?? []).map((field) => field.split('.'));
  return fields.some(({ path }) => immutable.some((parts) => parts.every((part, i) => path[i] === part)));
}
