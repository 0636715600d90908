import { CACHE, DEPLOYMENT, REPLICA_INDEX, SERVICE } from '../api/labels';
import { namespaceIn } from '../api/resource';
import { groupBy } from '../order';
import type { CacheChange } from './cache-changes';
import { type Cause, causesIn, distinctCauses, isNoSize, isOfPlacing } from './causes';
import type { DeclaredField } from './declaration-changes';
import type { ObjectPair } from './object-changes';
import { labelledId } from './rolled-engines';
import type { RouteChanges } from './route-changes';
import type { Told } from './told';

/** What a comparison knows before it looks for the causes of objects. */
interface ToldOfMore extends Told {
  readonly caches: readonly CacheChange[];
  readonly routes: RouteChanges;
}

/** An object as far as its labels say whose it is. Names are as labels have them. */
interface Subject {
  readonly cluster: string;
  readonly namespace: string;
  readonly deployment: string | undefined;
  readonly index: string | undefined;
  readonly cache: string | undefined;
  readonly service: string | undefined;
}

/** Something that happens for known reasons, and by what key its objects know it. */
type Origin = readonly [key: string, causes: readonly Cause[]];

/** Origins of one kind, and by what key an object asks for its own: by none where it is not of that kind. */
interface Table {
  readonly origins: readonly Origin[];
  readonly keyOf: (subject: Subject) => string | undefined;
}

/**
 * Tells the declarations that a change of an object comes from, by what its labels say it is of: its replica; else its
 * deployment, cache or service; else what happens in its namespace on its cluster; else all that happens there; else what
 * happens to services. Whatever is not of one replica may come from fields of its cluster and of the fleet besides.
 */
export function objectCauses(told: ToldOfMore): (pair: ObjectPair) => Cause[] {
  const [ofReplica, ...others] = tablesOf(told).map((tables) => tables.map(lookup));
  const settings = [...told.changed.values()].filter(({ id }) => id.startsWith('Fleet '));
  const ofFleet = settings.flatMap((change) => causesIn(change, any));
  return (pair) => {
    const subject = subjectOf(pair);
    const own = ofReplica?.flatMap((find) => find(subject)) ?? [];
    if (own.length > 0) return distinctCauses(own);
    const found = others.map((finds) => finds.flatMap((find) => find(subject)));
    const ofCluster = causesIn(told.changed.get(`InferenceCluster ${subject.cluster}`), isNoSize);
    const first = found.find((causes) => causes.length > 0) ?? [];
    return distinctCauses([...first, ...ofCluster, ...ofFleet]);
  };
}

const any = (): boolean => true;
const isOfPods = (field: DeclaredField): boolean => !isOfPlacing(field);

/** The narrowest first. */
function tablesOf(told: ToldOfMore): readonly (readonly Table[])[] {
  const replicas = told.deployments.flatMap(({ deployment, changes }) =>
    changes.map((change): Happening => ({ ...change, id: labelledId(deployment) })),
  );
  const caches = told.caches.map((one): Happening => ({ ...one, id: labelledId(one.cache) }));
  const around = [...replicas, ...caches].map(({ id, cluster, causes }): Origin => {
    return [`${namespaceIn(id)} ${cluster}`, causes];
  });
  return [
    [
      {
        origins: replicas.map((one) => [`${one.id} ${one.cluster}/${one.index}`, one.causes]),
        keyOf: (one) => one.index && `${one.namespace}/${one.deployment} ${one.cluster}/${one.index}`,
      },
    ],
    [
      {
        origins: declared(told, 'ModelDeployment', isOfPods),
        keyOf: (one) => one.index && `${one.namespace}/${one.deployment}`,
      },
      ...ofAll(declared(told, 'ModelDeployment', any), replicas, (one) =>
        one.index === undefined ? one.deployment : undefined,
      ),
    ],
    ofAll(declared(told, 'ModelCache', any), caches, ({ cache }) => cache),
    [
      {
        origins: told.routes.services.map(({ service, causes }) => [labelledId(service), causes]),
        keyOf: (one) => one.service && `${one.namespace}/${one.service}`,
      },
    ],
    [{ origins: around, keyOf: (one) => (one.deployment ? undefined : `${one.namespace} ${one.cluster}`) }],
    [
      { origins: told.routes.gateways.map((one) => [one.cluster, one.causes]), keyOf: (one) => one.cluster },
      { origins: [...replicas, ...caches].map((one) => [one.cluster, one.causes]), keyOf: ofNobody },
    ],
    [{ origins: told.routes.services.map(({ causes }) => [EVERYWHERE, causes]), keyOf: () => EVERYWHERE }],
  ];
}

const EVERYWHERE = 'everywhere';

/** The cluster of an object that serves all there, such as an edge. */
function ofNobody({ cluster, deployment, cache, service }: Subject): string | undefined {
  return (deployment ?? cache ?? service) === undefined ? cluster : undefined;
}

/** What happens to a replica or a cache on a cluster, by `namespace/name` as labels have it. */
interface Happening {
  readonly id: string;
  readonly cluster: string;
  readonly index?: number;
  readonly causes: readonly Cause[];
}

/** What is of one deployment or cache: what it says itself, and all that happens to it on a cluster. */
function ofAll(
  itself: readonly Origin[],
  there: readonly Happening[],
  nameIn: (subject: Subject) => string | undefined,
): Table[] {
  const idIn = (one: Subject): string | undefined => nameIn(one) && `${one.namespace}/${nameIn(one)}`;
  return [
    { origins: itself, keyOf: idIn },
    {
      origins: there.map(({ id, cluster, causes }) => [`${id} ${cluster}`, causes]),
      keyOf: (one) => idIn(one) && `${idIn(one)} ${one.cluster}`,
    },
  ];
}

function lookup({ origins, keyOf }: Table): (subject: Subject) => readonly Cause[] {
  const byKey = groupBy(origins, ([key]) => key);
  return (subject) => byKey.get(keyOf(subject) ?? '')?.flatMap(([, causes]) => causes) ?? [];
}

/** Declarations of a kind that changed. */
function declared({ changed }: Told, kind: string, isCause: (field: DeclaredField) => boolean): Origin[] {
  return [...changed.values()].flatMap((change): Origin[] => {
    const [own, id = ''] = change.id.split(' ');
    return own === kind ? [[labelledId(id), causesIn(change, isCause)]] : [];
  });
}

function subjectOf({ change, before, after }: ObjectPair): Subject {
  const { labels = {} } = (after ?? before)?.metadata ?? {};
  const { cluster, kind, name, namespace = kind === 'Namespace' ? name : '' } = change;
  return {
    cluster,
    namespace,
    deployment: labels[DEPLOYMENT],
    index: labels[REPLICA_INDEX],
    cache: labels[CACHE],
    service: labels[SERVICE],
  };
}
