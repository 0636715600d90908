import { formatCount } from '../../base/figures';
import { compareText, groupBy, sortUnique } from '../../base/order';
import { joinAnd, joinNames, pluralize } from '../../base/text';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { GatewayChange } from '../../diff/route-changes';
import type { Plan } from '../../plan/plan';
import { CONTROL_PLANE_KINDS } from '../../provision/cloud-resources';
import { formatCode } from '../document/write-markdown';
import { type Clause, joinFew, limitClauses, MAX_NAMES, rankClauses } from './clauses';

/** Lists what is staged, and what goes from clusters that stay: ingress gateways, queues and volumes of caches. */
export function listObjectClauses(diff: FleetDiff, { warnings }: Pick<Plan, 'warnings'>): Clause[] {
  const gone = new Set(diff.declarations.flatMap(({ id, action }) => (action === 'removed' ? [id] : [])));
  const stays = ({ cluster }: { readonly cluster: string }): boolean => !gone.has(`InferenceCluster ${cluster}`);
  const deleted = diff.objects.filter((one) => one.action === 'delete' && stays(one));
  const claims = deleted.filter(({ kind }) => kind === 'PersistentVolumeClaim');
  const gateways = diff.routes.gateways.filter(
    (one) => one.kind === 'ingress' && one.action === 'remove' && stays(one),
  );
  const queues = deleted.filter(({ kind }) => kind === 'ClusterQueue');
  const caches = diff.caches.filter(({ action, cache, cluster }) => {
    const [namespace] = cache.split('/');
    return action === 'drop' && claims.some((claim) => claim.cluster === cluster && claim.namespace === namespace);
  });
  const staged = diff.caches.filter(({ action }) => action !== 'drop');
  const lost = nameOn(
    'removes the ingress gateway',
    gateways.map(({ gateway = '', cluster }) => ({ name: gateway, cluster })),
  );
  const isRejected = warnings.some(({ code }) => code === 'rejected-change');
  return [
    ...rankClauses('access', limitClauses(lost, 'removes other ingress gateways')),
    ...rankClauses('access', describePublicGateways(listPublicGateways(diff))),
    ...rankClauses(
      'gone',
      isRejected ? ['changes workloads in a way that Kueue rejects while their pods are ready'] : [],
    ),
    ...rankClauses('objects', limitClauses(nameOn('deletes the ClusterQueue', queues), 'deletes other ClusterQueues')),
    ...rankClauses('objects', limitClauses(listReplacedResources(diff.cloud), 'replaces other cloud resources')),
    ...rankClauses('labels', describeLabels(diff.cloud)),
    ...rankClauses('objects', limitClauses(formatUnneeded(caches), 'no longer needs other volume claims')),
    ...rankClauses('staging', limitClauses(formatStaging(staged), 'stages other caches')),
  ];
}

/** The gateways that the internet reaches on new clusters, where no new InferenceGateway says so. */
export function listPublicGateways({ declarations, routes }: FleetDiff): GatewayChange[] {
  const added = new Set(declarations.flatMap(({ id, action }) => (action === 'added' ? [id] : [])));
  return routes.gateways.filter(({ action, reach, cluster, gateway = '' }) => {
    const isKnown = !added.has(`InferenceGateway ${gateway}`);
    return action === 'add' && reach === 'Public' && added.has(`InferenceCluster ${cluster}`) && isKnown;
  });
}

/** ``adds the public ingress gateway `chat` on `eu` ``, ``adds 2 cluster gateways with public addresses on `eu` and `us`, which admit … ``. */
function describePublicGateways(open: readonly GatewayChange[]): string[] {
  const ingress = open.flatMap(({ gateway, cluster }) => (gateway === undefined ? [] : [{ name: gateway, cluster }]));
  const others = open.filter(({ gateway }) => gateway === undefined);
  const [what, admit] =
    others.length === 1
      ? ['a cluster gateway with a public address', 'admits']
      : [`${formatCount(others.length)} cluster gateways with public addresses`, 'admit'];
  const clusters = sortUnique(others.map(({ cluster }) => cluster));
  return [
    ...limitClauses(nameOn('adds the public ingress gateway', ingress), 'adds other public ingress gateways'),
    ...(others.length > 0
      ? [`adds ${what} on ${joinFew(clusters, 'clusters')}, which ${admit} only ingress gateways (client certificates)`]
      : []),
  ];
}

/** `16 objects (6 PodMonitor, 5 ConfigMap, 5 PrometheusRule)`. */
export function countObjects(objects: FleetDiff['objects']): string {
  const kinds = [...groupBy(objects, ({ kind }) => kind)].map(([kind, all]) => ({ kind, count: all.length }));
  kinds.sort((a, b) => b.count - a.count || compareText(a.kind, b.kind));
  const names = kinds.map(({ kind, count }) => (kinds.length === 1 ? kind : `${formatCount(count)} ${kind}`));
  return `${pluralize(objects.length, 'object')} (${joinNames(names, MAX_NAMES)})`;
}

const VERBS = { create: 'creates', change: 'changes', replace: 'replaces', delete: 'deletes' } as const;

/** What happens to objects, in one word. */
export function verbOf(objects: FleetDiff['objects']): string {
  const [action = 'change', ...others] = new Set(objects.map((one) => one.action));
  return others.length === 0 ? VERBS[action] : VERBS.change;
}

/** ``replaces the StorageClass `shared` on `eu` and `us` ``: what is replaced without its cluster, and is no pool. */
function listReplacedResources(cloud: FleetDiff['cloud']): string[] {
  const replaced = cloud.filter(({ action }) => action === 'replace');
  const whole = new Set(replaced.filter(({ kind }) => CONTROL_PLANE_KINDS.has(kind)).map(({ cluster }) => cluster));
  const others = replaced.filter((one) => one.machine === undefined && !whole.has(one.cluster) && !isRelabelled(one));
  return [...groupBy(others, ({ kind, name }) => `${kind} ${name}`).values()].flatMap((all) => {
    const [kind = ''] = all.slice(0, 1).map((one) => one.kind);
    return nameOn(`replaces the ${kind}`, all).map((text) => `${text} (${describeReplaced(kind, all)})`);
  });
}

/** ``its parameters.labels changes with `Fleet fleet`; volumes that exist stay``. */
function describeReplaced(kind: string, all: FleetDiff['cloud']): string {
  const fields = sortUnique(all.flatMap((one) => one.fields.map(({ field }) => field)));
  const ids = sortUnique(all.flatMap(({ causes }) => causes.map(({ id }) => formatCode(id))));
  const because = ids.length > 0 ? ` with ${joinNames(ids, MAX_NAMES)}` : '';
  const what = `its ${joinNames(fields, MAX_NAMES)} ${fields.length === 1 ? 'changes' : 'change'}${because}`;
  return kind === 'StorageClass' ? `${what}; it is for new volumes, and those that exist stay` : what;
}

/**
 * `relabels 8 cloud resources (restarts nothing)`, of those that change in nothing else. A StorageClass with other labels
 * is created again, and its volumes stay.
 */
function describeLabels(cloud: FleetDiff['cloud']): string[] {
  const labelled = cloud.filter(isRelabelled);
  const classes = labelled.filter(({ action }) => action === 'replace').length;
  const kept = labelled.length - classes;
  const what = classes === 1 ? '1 StorageClass' : `${formatCount(classes)} StorageClasses`;
  return [
    ...(kept > 0 ? [`relabels ${pluralize(kept, 'cloud resource')} (restarts nothing)`] : []),
    ...(classes > 0 ? [`creates ${what} again with other labels (volumes that exist stay)`] : []),
  ];
}

/** Whether only labels of a resource change, which restarts nothing. */
function isRelabelled({ action, kind, fields }: FleetDiff['cloud'][number]): boolean {
  const isKept = action === 'change' || (action === 'replace' && kind === 'StorageClass');
  return isKept && changesLabelsOnly(fields);
}

/** Whether fields of a cloud resource are no more than its labels. */
export function changesLabelsOnly(fields: FleetDiff['cloud'][number]['fields']): boolean {
  return fields.length > 0 && fields.every(({ field }) => LABELS.test(field));
}

/** The arguments of clouds that label resources, and of StorageClasses that label volumes. */
const LABELS = /(^|\.)(resourceLabels|tags|tagsAll|parameters\.labels)\b/;

/**
 * ``stages the cache `ml/w` from `acme/chat` on `us` (a volume of 320 GiB)``, whose files may take a part of it. Those that are staged on
 * the same clusters are one clause.
 */
function formatStaging(staged: FleetDiff['caches']): string[] {
  const caches = [...groupBy(staged, ({ cache, action }) => `${action} ${cache}`).values()];
  const alike = groupBy(caches, (group) => group.map(({ action, cluster }) => `${action} ${cluster}`).join(' '));
  return [...alike.values()].flatMap((groups) => {
    const [first] = groups.flat();
    if (!first) return [];
    const isNew = first.action === 'stage';
    const names = groups.flatMap((group) => group.slice(0, 1).map(nameStaged));
    const what = `stages ${isNew ? '' : 'the files of '}${describeCaches(names)}${isNew ? '' : ' again'}`;
    return [`${what} ${names.length === 1 ? formatPlaces(groups.flat()) : formatAllPlaces(groups.flat())}`];
  });
}

/** `` `ml/w` from `acme/chat` ``: a new cache with the repository or the bucket of its files. */
function nameStaged({ cache, origin }: FleetDiff['caches'][number]): string {
  return `${formatCode(cache)}${origin?.from === undefined ? '' : ` from ${formatCode(origin.from)}`}`;
}

function describeCaches(names: readonly string[]): string {
  if (names.length > MAX_NAMES) return `${formatCount(names.length)} caches`;
  return `the ${names.length === 1 ? 'cache' : 'caches'} ${joinAnd(names)}`;
}

function formatPlaces(ofCache: FleetDiff['caches']): string {
  return joinAnd([...groupBy(ofCache, ({ sizeGiB }) => sizeGiB).values()].map(formatVolumes));
}

/** ``on `us` (volumes of 1,408 GiB in all)``, of several caches on the same clusters. */
function formatAllPlaces(staged: FleetDiff['caches']): string {
  const sizes = staged.flatMap(({ sizeGiB }) => sizeGiB ?? []);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const isKnown = sizes.length === staged.length;
  return `on ${joinClusters(staged)}${isKnown ? ` (volumes of ${formatCount(total)} GiB in all)` : ''}`;
}

function joinClusters(staged: FleetDiff['caches']): string {
  const names = sortUnique(staged.map(({ cluster }) => cluster)).map((name) => formatCode(name));
  return names.length > MAX_NAMES ? joinNames(names, MAX_NAMES) : joinAnd(names);
}

/** ``on `eu` and `us` (each a volume of 320 GiB)``, of volumes of one size. Storage of another cluster may round it up. Files that are staged again are in the volume that is there. */
function formatVolumes(group: FleetDiff['caches']): string {
  const [sizeGiB] = group.map((one) => one.sizeGiB);
  const isKept = group.every(({ action }) => action === 'restage');
  const each = `${group.length > 1 ? 'each ' : ''}${isKept ? 'in its' : 'a'}`;
  return `on ${joinClusters(group)}${sizeGiB === undefined ? '' : ` (${each} volume of ${formatCount(sizeGiB)} GiB)`}`;
}

/** ``no longer needs the volume claims of the caches `ml/a` and `ml/b` on `us` ``: those on the same clusters together. */
function formatUnneeded(caches: FleetDiff['caches']): string[] {
  const clustersOf = [...groupBy(caches, ({ cache }) => cache)].map(([name, all]) => {
    return {
      name: formatCode(name),
      on: joinFew(
        all.map(({ cluster }) => cluster),
        'clusters',
      ),
    };
  });
  return [...groupBy(clustersOf, ({ on }) => on)].map(([on, all]) => {
    const what = all.length === 1 ? 'the volume claim of the cache' : 'the volume claims of the caches';
    const lost = `${all.length === 1 ? 'it is' : 'they are'} deleted with ${all.length === 1 ? 'its' : 'their'} files`;
    return `no longer needs ${what} ${joinAnd(
      limitClauses(
        all.map(({ name }) => name),
        'others',
      ),
    )} on ${on} (${lost} where manifests are pruned; Argo CD, Flux: ${formatCode('prune: true')})`;
  });
}

/** ``removes the ingress gateway `public` on `eu` and `us` ``. */
function nameOn(what: string, objects: readonly { readonly name: string; readonly cluster: string }[]): string[] {
  return [...groupBy(objects, ({ name }) => name)].map(([name, all]) => {
    return `${what} ${formatCode(name)} on ${joinFew(
      all.map(({ cluster }) => cluster),
      'clusters',
    )}`;
  });
}
