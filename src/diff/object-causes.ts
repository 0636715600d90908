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
} from './causes';
import type { DeclaredField } from './declaration-changes';
import type { ObjectPair } from './object-changes';
import { toLabelId } from './rolled-engines';
import type { RouteChanges } from './route-changes';

/** What a comparison knows before it looks for the causes of objects. */
interface ObjectDiffContext extends DiffContext {
  readonly caches: readonly CacheChange[];
  readonly routes: RouteChanges;
}

/** An object as far as its labels say whose it is. Names are as labels have them. */
interface ObjectSubject {
  readonly cluster: string;
  readonly namespace: string;
  readonly deployment: string | undefined;
  readonly index: string | undefined;
  readonly cache: string | undefined;
  readonly service: string | undefined;
}

/** Something that happens for known reasons, and by what key its objects know it. */
type CauseOrigin = readonly [key: string, causes: readonly Cause[]];

/** Origins of one kind, and by what key an object asks for its own: by none where it is not of that kind. */
interface OriginTable {
  readonly origins: readonly CauseOrigin[];
  readonly keyOf: (subject: ObjectSubject) => string | undefined;
}

/**
 * Tells the declarations that a change of an object comes from, by what its labels say it is of: its replica; else its
 * deployment, cache or service; else what happens in its namespace on its cluster; else all that happens there; else what
 * happens to services. Whatever is not of one replica may come from fields of its cluster and of the fleet besides.
 */
export function createObjectCauseFinder(told: ObjectDiffContext): (pair: ObjectPair) => Cause[] {
  const [ofReplica, ...others] = tablesOf(told).map((tables) => tables.map(createOriginLookup));
  const settings = [...told.changed.values()].filter(({ id }) => id.startsWith('Fleet '));
  const ofFleet = settings.flatMap((change) => selectCauses(change, always));
  return (pair) => {
    const subject = subjectOf(pair);
    const own = ofReplica?.flatMap((find) => find(subject)) ?? [];
    if (own.length > 0) return dedupeCauses(own);
    const found = others.map((finds) => finds.flatMap((find) => find(subject)));
    const ofCluster = selectCauses(told.changed.get(`InferenceCluster ${subject.cluster}`), isNotNodeCount);
    const first = found.find((causes) => causes.length > 0) ?? [];
    return dedupeCauses([...first, ...ofCluster, ...ofFleet]);
  };
}

const always = (): boolean => true;
/** The narrowest first. */
function tablesOf(told: ObjectDiffContext): readonly (readonly OriginTable[])[] {
  const replicas = told.deployments.flatMap(({ deployment, changes }) =>
    changes.map((change): CausedEvent => ({ ...change, id: toLabelId(deployment) })),
  );
  const caches = told.caches.map((one): CausedEvent => ({ ...one, id: toLabelId(one.cache) }));
  const events = [...replicas, ...caches];
  const around = events.map((one): CauseOrigin => [`${parseNamespace(one.id)} ${one.cluster}`, one.causes]);
  return [
    [
      {
        origins: replicas.map((one) => [`${one.id} ${one.cluster}/${one.index}`, one.causes]),
        keyOf: (one) => one.index && `${one.namespace}/${one.deployment} ${one.cluster}/${one.index}`,
      },
    ],
    [
      {
        origins: declaredOrigins(told, 'ModelDeployment', isPodField),
        keyOf: (one) => one.index && `${one.namespace}/${one.deployment}`,
      },
      ...tablesOfAll(declaredOrigins(told, 'ModelDeployment', always), replicas, (one) =>
        one.index === undefined ? one.deployment : undefined,
      ),
    ],
    tablesOfAll(declaredOrigins(told, 'ModelCache', always), caches, ({ cache }) => cache),
    [
      {
        origins: told.routes.services.map(({ service, causes }) => [toLabelId(service), causes]),
        keyOf: (one) => one.service && `${one.namespace}/${one.service}`,
      },
    ],
    [{ origins: around, keyOf: (one) => (one.deployment ? undefined : `${one.namespace} ${one.cluster}`) }],
    [
      { origins: told.routes.gateways.map((one) => [one.cluster, one.causes]), keyOf: (one) => one.cluster },
      { origins: events.map((one) => [one.cluster, one.causes]), keyOf: clusterOfSharedObject },
    ],
    [{ origins: told.routes.services.map(({ causes }) => [EVERYWHERE, causes]), keyOf: () => EVERYWHERE }],
  ];
}

const EVERYWHERE = 'everywhere';

/** The cluster of an object that serves all there, such as an edge. */
function clusterOfSharedObject({ cluster, deployment, cache, service }: ObjectSubject): string | undefined {
  return (deployment ?? cache ?? service) === undefined ? cluster : undefined;
}

/** What happens to a replica or a cache on a cluster, by `namespace/name` as labels have it. */
interface CausedEvent {
  readonly id: string;
  readonly cluster: string;
  readonly index?: number;
  readonly causes: readonly Cause[];
}

/** What is of one deployment or cache: what it says itself, and all that happens to it on a cluster. */
function tablesOfAll(
  itself: readonly CauseOrigin[],
  there: readonly CausedEvent[],
  nameIn: (subject: ObjectSubject) => string | undefined,
): OriginTable[] {
  const idIn = (one: ObjectSubject): string | undefined => nameIn(one) && `${one.namespace}/${nameIn(one)}`;
  return [
    { origins: itself, keyOf: idIn },
    {
      origins: there.map(({ id, cluster, causes }) => [`${id} ${cluster}`, causes]),
      keyOf: (one) => idIn(one) && `${idIn(one)} ${one.cluster}`,
    },
  ];
}

function createOriginLookup({ origins, keyOf }: OriginTable): (subject: ObjectSubject) => readonly Cause[] {
  const byKey = groupBy(origins, ([key]) => key);
  return (subject) => byKey.get(keyOf(subject) ?? '')?.flatMap(([, causes]) => causes) ?? [];
}

/** Declarations of a kind that changed. */
function declaredOrigins(
  { changed }: DiffContext,
  kind: string,
  isCause: (field: DeclaredField) => boolean,
): CauseOrigin[] {
  return [...changed.values()].flatMap((change): CauseOrigin[] => {
    const [own, id = ''] = change.id.split(' ');
    return own === kind ? [[toLabelId(id), selectCauses(change, isCause)]] : [];
  });
}

function subjectOf({ change, before, after }: ObjectPair): ObjectSubject {
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
