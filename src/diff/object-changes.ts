import { type KeyedPair, pairsOf } from '../base/keyed-lists';
import { groupBy } from '../base/order';
import { isNeverPruned, POD_SECURITY_LEVEL } from '../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../manifest/kubernetes/manifest';
import { WORKLOAD_KINDS } from '../manifest/kubernetes/workload-kinds';
import { renderCluster } from '../render/cluster';
import type { PlacedFleet } from '../plan/decision';
import { createLocalRouting } from '../routing/local-routing';
import { type AffectedCluster, findAffectedClusters } from './affected-clusters';
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

  /** Whether Argo CD and Flux leave the object where it is no longer rendered. Absent: they delete it. */
  readonly neverPruned?: true;

  /** The Pod Security level that a Namespace enforces which is created. Absent: it enforces none, or is another kind. */
  readonly podSecurity?: string;

  /** In the order of the object. Empty where it is created or deleted. */
  readonly fields: readonly FieldChange[];
}

/** An object before and after. At least one of the two is set. */
export interface ObjectPair {
  readonly change: ObjectChange;
  readonly before?: Manifest;
  readonly after?: Manifest;
}

/** Compares the objects of a later state with those of the earlier one, sorted by cluster, kind, namespace and name. */
export type CompareObjects = (after: FleetState) => readonly ObjectPair[];

/**
 * Creates a function that compares later states with `before`. The first of them is kept: of another state, such as one
 * in which a remedy is tried, only the clusters are rendered whose objects can differ from those of the first.
 *
 * @param progress is called before each cluster of the first state: `cluster 3 of 10`
 */
export function createObjectComparer(before: FleetState, progress?: (what: string) => void): CompareObjects {
  let first: ComparedState | undefined;
  return (after) => {
    const known = first ? selectSame(first, after) : new Map<string, readonly ObjectPair[]>();
    const affected = findAffectedClusters(before, after);
    const fresh = diffObjects(
      before,
      after,
      affected.filter(({ cluster }) => !known.has(cluster)),
      first ? undefined : progress,
    );
    const found = groupBy(fresh, ({ change }) => change.cluster);
    const pairs = new Map(affected.map(({ cluster }) => [cluster, known.get(cluster) ?? found.get(cluster) ?? []]));
    first ??= { state: after, pairs };
    return [...pairs.values()].flat();
  };
}

/** A later state, and what came of the comparison, by cluster. */
interface ComparedState {
  readonly state: FleetState;
  readonly pairs: ReadonlyMap<string, readonly ObjectPair[]>;
}

/** Selects the clusters whose objects are the same in another state. */
function selectSame({ state, pairs }: ComparedState, other: FleetState): ComparedState['pairs'] {
  const differing = new Set(findAffectedClusters(state, other).map(({ cluster }) => cluster));
  return new Map([...pairs].filter(([cluster]) => !differing.has(cluster)));
}

/** Compares the objects of all clusters whose objects can differ, sorted by cluster, kind, namespace and name. */
export function diffObjects(
  before: FleetState,
  after: FleetState,
  affected: readonly AffectedCluster[],
  progress?: (what: string) => void,
): ObjectPair[] {
  const [earlier, later] = [createClusterRenderer(before.decision), createClusterRenderer(after.decision)];
  return affected.flatMap((one, i) => {
    progress?.(`cluster ${i + 1} of ${affected.length}`);
    return diffManifests(one.cluster, earlier(one), later(one));
  });
}

/** Compares the objects of a cluster in two states, sorted by kind, namespace and name. */
export function diffManifests(cluster: string, before: readonly Manifest[], after: readonly Manifest[]): ObjectPair[] {
  return pairsOf(before, after, idOf).flatMap((pair) => toObjectPair(cluster, pair));
}

function toObjectPair(cluster: string, { was: before, is: after }: KeyedPair<Manifest>): ObjectPair[] {
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
    action: before && after ? changeOf(kind, fields) : after ? 'create' : 'delete',
    ...markNeverPruned(object, after),
    ...(!before && levelOf(object)),
    fields,
  };
  return [{ change, ...(before && { before }), ...(after && { after }) }];
}

function markNeverPruned(object: Manifest, after: Manifest | undefined): Pick<ObjectChange, 'neverPruned'> {
  return after === undefined && isNeverPruned(object) ? { neverPruned: true } : {};
}

function levelOf({ kind, metadata }: Manifest): Pick<ObjectChange, 'podSecurity'> {
  const level = metadata.labels?.[POD_SECURITY_LEVEL];
  return kind === 'Namespace' && level !== undefined ? { podSecurity: level } : {};
}

/** Creates a function that renders the objects of a cluster in a state, without replicas that `concerns` rejects. */
export function createClusterRenderer(state: PlacedFleet): (affected: AffectedCluster) => readonly Manifest[] {
  const { fleet, replicas, renderers, routing } = state;
  const clusters = new Map(fleet.clusters.map((one) => [one.metadata.name, one]));
  const byCluster = groupBy(replicas, ({ cluster }) => cluster);
  const localRoutingOf = createLocalRouting(routing);
  return ({ cluster: name, concerns }) => {
    const cluster = clusters.get(name);
    if (!cluster) return [];
    const rendered = (byCluster.get(cluster) ?? []).filter(({ deployment }) => concerns?.(deployment) ?? true);
    return renderCluster(cluster, rendered, { fleet, renderers, routing: localRoutingOf(name) });
  };
}

function idOf({ kind, metadata: { namespace = '', name } }: Manifest): string {
  return `${kind} ${namespace} ${name}`;
}

/**
 * Immutable fields by kind, except those of workloads: an API server or the webhook of a controller rejects changes. Lists only fields that
 * rendered objects set. Sources: resource.k8s.io strategy, core validation of Services and volumes, batch validation of
 * Jobs.
 */
const IMMUTABLE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Job: ['spec.template', 'spec.selector', 'spec.completions', 'spec.completionMode', 'spec.podFailurePolicy'],
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

function changeOf(kind: string, fields: readonly FieldChange[]): 'replace' | 'change' {
  const immutable = (WORKLOAD_KINDS[kind]?.immutable ?? IMMUTABLE_FIELDS[kind] ?? []).map((field) => field.split('.'));
  const isRefused = fields.some(({ path }) => immutable.some((parts) => parts.every((part, i) => path[i] === part)));
  return isRefused ? 'replace' : 'change';
}
