import type { InferenceCluster } from '../api/inference-cluster';
import { type Resource, resourceIdOf, type ResourcePath } from '../api/kinds';
import type { ModelService } from '../api/model-service';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { groupBy, sortedBy, sortUnique } from '../base/order';
import { clientCertificateOf } from './build-gateways';
import { nameSome, type PlacedGateway } from './placed-gateways';
import { edgeTargetsOf, type ServiceSelection } from './select-targets';

/** A setting that a cluster must declare before requests of a service can reach it. */
export interface MissingRequirement {
  readonly cluster: InferenceCluster;
  readonly kind: keyof typeof REQUIREMENTS;
  readonly service: ModelService;
}

interface Requirement {
  /** The path of the setting. */
  readonly path: readonly string[];

  /** What a cluster without it lacks, and what several do. */
  readonly what: string;
  readonly whatOfMany: string;
  readonly hint: string;
}

const REQUIREMENTS = {
  'no-cluster-gateway-host': {
    path: ['spec', 'gateway', 'hostname'],
    what: 'ingress gateways on other clusters have no host name for it',
    whatOfMany: 'ingress gateways on other clusters have no host names for them',
    hint: 'Set spec.gateway.hostname',
  },
  'no-cluster-gateway-certificate': {
    path: ['spec', 'gateway', 'tls'],
    what: 'its gateway has no certificate',
    whatOfMany: 'their gateways have no certificates',
    hint: 'Set spec.gateway.tls to an issuer or a certificate, and their authority',
  },
  'no-client-certificate': {
    path: ['spec', 'gateway', 'tls', 'clientCertificateRef'],
    what: 'its ingress gateway has no client certificate for other clusters',
    whatOfMany: 'their ingress gateways have no client certificates for other clusters',
    hint: 'Set spec.gateway.tls.clientCertificateRef, or use an issuer instead of certificateRef',
  },
  'no-ingress-gateway-certificate': {
    path: ['spec', 'gateway', 'tls'],
    what: 'its ingress gateway has no client certificate for other clusters',
    whatOfMany: 'their ingress gateways have no client certificates for other clusters',
    hint: 'Set spec.gateway.tls to an issuer or certificates, and their authority',
  },
  'unreachable-cluster-gateway': {
    path: ['spec', 'gateway', 'reach'],
    what: 'ingress gateways on other clusters cannot reach it: its spec.gateway.reach is Cluster',
    whatOfMany: 'ingress gateways on other clusters cannot reach them: their spec.gateway.reach is Cluster',
    hint: 'Set spec.gateway.reach to Public or Private',
  },
} as const satisfies Readonly<Record<string, Requirement>>;

/** Returns the missing settings of clusters that prevent a service from being reached from all its fronts. */
export function findMissingRequirements(
  selection: ServiceSelection,
  placedGateways: readonly PlacedGateway[],
): MissingRequirement[] {
  const { service, rules } = selection;
  const hasTargets = rules.some(({ targets }) => targets.length > 0);
  const edges = new Set(edgeTargetsOf(selection).map(({ cluster }) => cluster));
  const fronts = new Set(placedGateways.map(({ cluster }) => cluster));
  return [...new Set([...edges, ...fronts])].flatMap((cluster) => {
    const isEdge = edges.has(cluster);
    const kinds = [
      ...(isEdge ? findMissingForEdge(cluster, fronts) : []),
      ...(fronts.has(cluster) && hasTargets ? findMissingForFront(cluster, isEdge) : []),
    ];
    return kinds.map((kind) => ({ cluster, kind, service }));
  });
}

/** Returns the settings that a cluster lacks so that gateways on other clusters reach its replicas. */
export function findMissingForEdge(
  cluster: InferenceCluster,
  fronts: ReadonlySet<InferenceCluster>,
): MissingRequirement['kind'][] {
  const { hostname, tls, reach } = cluster.spec.gateway;
  const missing: MissingRequirement['kind'][] = [];
  if ([...fronts].some((front) => front !== cluster)) {
    if (reach === 'Cluster') missing.push('unreachable-cluster-gateway');
    else if (hostname === undefined) missing.push('no-cluster-gateway-host');
  }
  return tls ? missing : [...missing, 'no-cluster-gateway-certificate'];
}

function findMissingForFront(cluster: InferenceCluster, isEdge: boolean): MissingRequirement['kind'][] {
  if (!cluster.spec.gateway.tls) return isEdge ? [] : ['no-ingress-gateway-certificate'];
  return clientCertificateOf(cluster) ? [] : ['no-client-certificate'];
}

/**
 * Converts missing settings to errors, at the first cluster that lacks it: one per setting and services. Clusters
 * without any certificate share one, which says what to write. Excludes clusters of the alias group.
 */
export function toMissingErrors(
  missing: readonly MissingRequirement[],
  placed: readonly PlacedGateway[],
): Diagnostic<ResourcePath>[] {
  const own = missing.filter(({ cluster }) => cluster.group !== 'modelplane.ai');
  const bare = own.filter(({ kind }) => WITHOUT_TLS.has(kind));
  const unnamed = new Set(own.filter(({ kind }) => kind === 'no-cluster-gateway-host').map(({ cluster }) => cluster));
  const uncertified = new Set(bare.map(({ cluster }) => cluster));
  const separate = own.filter(
    ({ cluster, kind }) => !WITHOUT_TLS.has(kind) && !(kind === 'no-cluster-gateway-host' && uncertified.has(cluster)),
  );
  return [...describeWithoutTls(bare, unnamed, placed), ...describeSeparate(separate, placed)];
}

/** The requirements that a cluster without `spec.gateway.tls` does not meet. */
const WITHOUT_TLS: ReadonlySet<MissingRequirement['kind']> = new Set([
  'no-cluster-gateway-certificate',
  'no-ingress-gateway-certificate',
]);

/** What to write where an issuer of cert-manager signs the certificates of a gateway. */
const TLS_BLOCK = 'tls: { issuer: { name: ISSUER }, caRef: { name: CA } }';

/** @param unnamed the clusters that lack the host name of their gateway too */
function describeWithoutTls(
  bare: readonly MissingRequirement[],
  unnamed: ReadonlySet<InferenceCluster>,
  placed: readonly PlacedGateway[],
): Diagnostic<ResourcePath>[] {
  const clusters = sortedBy(new Set(bare.map(({ cluster }) => cluster)), ({ metadata }) => metadata.name);
  const [first] = clusters;
  if (!first) return [];
  const kind = bare.some((one) => one.kind === 'no-cluster-gateway-certificate')
    ? 'no-cluster-gateway-certificate'
    : 'no-ingress-gateway-certificate';
  const nameless = clusters.filter((one) => unnamed.has(one));
  const host = nameless.length > 0 ? `, and spec.gateway.hostname on ${nameClusters(nameless)}` : '';
  const services = formatResources(bare.map(({ service }) => service));
  const [noun, lack] = clusters.length === 1 ? ['cluster', 'lacks'] : ['clusters', 'lack'];
  const what = `${noun} ${nameClusters(clusters)} ${lack} spec.gateway.tls, so gateways cannot reach ${services} there`;
  const isOff = clusters.every(({ spec }) => !spec.gateway.enabled);
  const hasOthers = clusters.some((one) => placed.some(({ cluster }) => cluster !== one));
  const whole = hasOthers ? `hostname: HOST, ${TLS_BLOCK}` : TLS_BLOCK;
  const add = isOff ? `Set 'gateway: { ${whole} }'` : `Add '${TLS_BLOCK}' to spec.gateway`;
  const hint = `${add}, or certificates of your own${host}${formatOptOut(bare, placed)}`;
  return [errorAt(kind, { resource: first, path: ['spec', 'gateway', 'tls'] }, what, hint)];
}

function describeSeparate(
  missing: readonly MissingRequirement[],
  placed: readonly PlacedGateway[],
): Diagnostic<ResourcePath>[] {
  const lacks = sortedBy(
    groupBy(missing, ({ cluster, kind }) => `${cluster.metadata.name} ${kind}`),
    ([key]) => key,
  ).flatMap(([, same]) =>
    same.slice(0, 1).map(({ cluster, kind }) => {
      return { cluster, kind, services: formatResources(same.map(({ service }) => service)) };
    }),
  );
  const alike = groupBy(lacks, ({ kind, services }) => `${kind} ${services}`);
  return sortedBy(alike, ([key]) => key).flatMap(([, same]) => {
    const clusters = same.map(({ cluster }) => cluster);
    return same.slice(0, 1).map(({ cluster, kind, services }) => {
      const { path, what, whatOfMany, hint } = REQUIREMENTS[kind];
      const [noun, problem] = clusters.length === 1 ? ['cluster', what] : ['clusters', whatOfMany];
      const message = `${services} cannot be reached on ${noun} ${nameClusters(clusters)}: ${problem}`;
      return errorAt(kind, { resource: cluster, path }, message, `${hint}${formatOptOut(same, placed)}`);
    });
  });
}

type Lack = Pick<MissingRequirement, 'cluster' | 'kind'>;

/**
 * What to do instead of the missing settings: take replicas out of services, and ingress gateways off clusters. Empty
 * if that leaves a gateway without a cluster.
 */
function formatOptOut(lacks: readonly Lack[], placed: readonly PlacedGateway[]): string {
  const clusters = new Set(lacks.map(({ cluster }) => cluster));
  const staying = new Set(placed.filter(({ cluster }) => !clusters.has(cluster)).map(({ gateway }) => gateway));
  const bound = new Set(placed.filter(({ gateway }) => !staying.has(gateway)).map(({ cluster }) => cluster));
  const able = lacks.filter(({ cluster }) => !bound.has(cluster));
  const edges = able.filter(({ kind }) => !FRONT_KINDS.has(kind)).map(({ cluster }) => cluster);
  const leaving = placed.filter(({ cluster }) => able.some((one) => one.cluster === cluster));
  const gateways = formatResources(leaving.map(({ gateway }) => gateway));
  const removal = `remove ${nameClusters(leaving.map(({ cluster }) => cluster))} from spec.clusters of ${gateways}`;
  if (edges.length === 0) return leaving.length > 0 ? `, or ${removal}` : '';
  const replicas = able.length === lacks.length ? 'these replicas' : `the replicas on ${nameClusters(edges)}`;
  const optOut = `, or exclude ${replicas} from services with 'gateway: None'`;
  return leaving.length > 0 ? `${optOut} after you ${removal}` : optOut;
}

/** What a cluster lacks for its ingress gateways, whether or not replicas on it serve. */
const FRONT_KINDS: ReadonlySet<MissingRequirement['kind']> = new Set([
  'no-client-certificate',
  'no-ingress-gateway-certificate',
]);

function nameClusters(clusters: readonly InferenceCluster[]): string {
  return nameSome(sortUnique(clusters.map(({ metadata }) => metadata.name)), MOST_CLUSTERS);
}

const MOST_CLUSTERS = 8;

/** Returns a note per kind of missing setting, for clusters of the alias group. */
export function toMissingNotes(missing: readonly MissingRequirement[], placed: readonly PlacedGateway[]): string[] {
  const aliases = missing.filter(({ cluster }) => cluster.group === 'modelplane.ai');
  const byKind = groupBy(aliases, ({ kind }) => kind);
  return sortedBy(byKind, ([kind]) => kind).map(([kind, group]) => {
    const services = formatResources(group.map(({ service }) => service));
    const clusters = formatResources(group.map(({ cluster }) => cluster));
    return `${services} without routes because of ${clusters}: ${REQUIREMENTS[kind].what}. ${REQUIREMENTS[kind].hint}${formatOptOut(group, placed)}.`;
  });
}

/** What clusters of the alias group lack, as a clause. Undefined if they lack nothing. */
export function adviseOnAliases(missing: readonly MissingRequirement[]): string | undefined {
  const aliases = missing.filter(({ cluster }) => cluster.group === 'modelplane.ai');
  const byKind = sortedBy(
    groupBy(aliases, ({ kind }) => kind),
    ([kind]) => kind,
  );
  if (byKind.length === 0) return undefined;
  return byKind
    .map(([kind, group]) => `${REQUIREMENTS[kind].hint}, on ${formatResources(group.map(({ cluster }) => cluster))}`)
    .join('. ');
}

function formatResources(resources: readonly Resource[]): string {
  return nameSome(sortUnique(resources.map(resourceIdOf)), 4);
}
