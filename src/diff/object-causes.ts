import { CACHE_LABEL, DEPLOYMENT_LABEL, REPLICA_INDEX_LABEL, SERVICE_LABEL } from '../api/labels';
import { parseNamespace } from '../api/resource';
import { groupBy } from '../base/order';
import type { CacheChange } from './cache-changes';
import {
  type Cause,
  dedupeCauses,
  type DiffContext,
  isNotNodeCount,
  isPodField,
  selectCauses,
  type FieldFilter,
} from './replica-causes';
import type { ObjectPair } from './object-changes';
import { toLabelId } from './rolled-replicas';
import type { RouteChanges } from './route-changes';

/** The parts of a comparison from which the causes of object changes are found. */
interface ObjectDiffContext extends DiffContext {
  readonly caches: readonly CacheChange[];
  readonly routes: RouteChanges;
}

/** The owner of an object according to its labels. Names are shortened as in labels. */
type ObjectSubject = ReturnType<typeof subjectOf>;

/** A change with known causes, and the key that its objects have. */
type CauseOrigin = readonly [key: string, causes: readonly Cause[]];

/** Origins of one kind, and the key of an object in this table. The key is undefined for objects of other kinds. */
interface OriginTable {
  readonly origins: readonly CauseOrigin[];
  readonly keyOf: (subject: ObjectSubject) => string | undefined;
}

/**
 * Creates a function that finds the declaration changes that cause a change of an object. It searches the labels of
 * the object for an owner, the narrowest first: its replica; its deployment, cache or service; changes in its
 * namespace on its cluster; all changes on the cluster; changes of services. Changes of objects that do not belong to
 * one replica can also come from fields of the cluster and of the fleet.
 */
export function createObjectCauseFinder(context: ObjectDiffContext): (pair: ObjectPair) => Cause[] {
  const [ofReplica, ...others] = tablesOf(context).map((tables) => tables.map(createOriginLookup));
  const settings = [...context.changed.keys()].filter((id) => id.startsWith('Fleet '));
  const ofFleet = selectCauses(context.changed, settings);
  return (pair) => {
    const subject = subjectOf(pair);
    const replicaCauses = ofReplica?.flatMap((find) => find(subject)) ?? [];
    if (replicaCauses.length > 0) return dedupeCauses(replicaCauses);
    const found = others.map((finds) => finds.flatMap((find) => find(subject)));
    const ofCluster = selectCauses(context.changed, [`InferenceCluster ${subject.cluster}`], isNotNodeCount);
    const first = found.find((causes) => causes.length > 0) ?? [];
    return dedupeCauses([...first, ...ofCluster, ...ofFleet]);
  };
}

/** The tables of origins, the narrowest scope first. */
function tablesOf(context: ObjectDiffContext): readonly (readonly OriginTable[])[] {
  const { services, gateways } = context.routes;
  const replicas = context.replicas.map((one): CausedEvent => ({ ...one, id: toLabelId(one.deployment) }));
  const caches = context.caches.map((one): CausedCacheEvent => ({ ...one, id: toLabelId(one.cache) }));
  const events = [...replicas, ...caches];
  const nearby = events.map((one): CauseOrigin => [`${parseNamespace(one.id)} ${one.cluster}`, one.causes]);
  return [
    [
      {
        origins: replicas.map((one) => [`${one.id} ${one.cluster}/${one.index}`, one.causes]),
        keyOf: (one) => one.index && `${one.namespace}/${one.deployment} ${one.cluster}/${one.index}`,
      },
    ],
    [
      {
        origins: declaredOrigins(context, 'ModelDeployment', isPodField),
        keyOf: (one) => one.index && `${one.namespace}/${one.deployment}`,
      },
      ...tablesOfAll(declaredOrigins(context, 'ModelDeployment'), replicas, (one) =>
        one.index === undefined ? one.deployment : undefined,
      ),
    ],
    ...tablesOfCaches(context, caches),
    [
      {
        origins: services.map(({ service, causes }) => [toLabelId(service), causes]),
        keyOf: (one) => one.service && `${one.namespace}/${one.service}`,
      },
    ],
    [{ origins: nearby, keyOf: (one) => (one.deployment ? undefined : `${one.namespace} ${one.cluster}`) }],
    [
      { origins: gateways.map((one) => [one.cluster, one.causes]), keyOf: (one) => one.cluster },
      { origins: events.map((one) => [one.cluster, one.causes]), keyOf: clusterOfSharedObject },
    ],
    [{ origins: services.map(({ causes }) => ['everywhere', causes]), keyOf: () => 'everywhere' }],
  ];
}

type CausedCacheEvent = CausedEvent & Pick<CacheChange, 'action'>;

/** The tables of objects of caches. Where a cache comes to a cluster or goes from it, its other edits are no reason. */
function tablesOfCaches(context: DiffContext, caches: readonly CausedCacheEvent[]): OriginTable[][] {
  const moving = caches.filter(({ action }) => action === 'stage' || action === 'drop');
  return [
    tablesOfAll([], moving, ({ cache }) => cache),
    tablesOfAll(declaredOrigins(context, 'ModelCache'), caches, ({ cache }) => cache),
  ];
}

/** The cluster of an object that the whole cluster shares, such as an edge. */
function clusterOfSharedObject({ cluster, deployment, cache, service }: ObjectSubject): string | undefined {
  return (deployment ?? cache ?? service) === undefined ? cluster : undefined;
}

/** A change of a replica or a cache on a cluster. `id` is `namespace/name`, with the name shortened as in labels. */
interface CausedEvent {
  readonly id: string;
  readonly cluster: string;
  readonly index?: number;
  readonly causes: readonly Cause[];
}

/** The tables for the objects of one deployment or cache: changes of its declaration, and its changes on a cluster. */
function tablesOfAll(
  declared: readonly CauseOrigin[],
  events: readonly CausedEvent[],
  nameIn: (subject: ObjectSubject) => string | undefined,
): OriginTable[] {
  const idIn = (one: ObjectSubject): string | undefined => nameIn(one) && `${one.namespace}/${nameIn(one)}`;
  return [
    { origins: declared, keyOf: idIn },
    {
      origins: events.map(({ id, cluster, causes }) => [`${id} ${cluster}`, causes]),
      keyOf: (one) => idIn(one) && `${idIn(one)} ${one.cluster}`,
    },
  ];
}

function createOriginLookup({ origins, keyOf }: OriginTable): (subject: ObjectSubject) => readonly Cause[] {
  const byKey = groupBy(origins, ([key]) => key);
  return (subject) => byKey.get(keyOf(subject) ?? '')?.flatMap(([, causes]) => causes) ?? [];
}

/** The changed declarations of a kind as origins, by label ID. */
function declaredOrigins({ changed }: DiffContext, kind: string, suspect?: FieldFilter): CauseOrigin[] {
  return [...changed.keys()].flatMap((id): CauseOrigin[] => {
    const [changedKind, name = ''] = id.split(' ');
    return changedKind === kind ? [[toLabelId(name), selectCauses(changed, [id], suspect)]] : [];
  });
}

function subjectOf({ change, before, after }: ObjectPair) {
  const { labels = {} } = (after ?? before)?.metadata ?? {};
  const { cluster, kind, name, namespace = kind === 'Namespace' ? name : '' } = change;
  return {
    cluster,
    namespace,
    deployment: labels[DEPLOYMENT_LABEL],
    index: labels[REPLICA_INDEX_LABEL],
    cache: labels[CACHE_LABEL],
    service: labels[SERVICE_LABEL],
  };
}
