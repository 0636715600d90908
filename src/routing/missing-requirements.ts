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

const OPT_OUT_HINT = "or exclude its replicas from services with 'gateway: None'";

interface Requirement {
  /** The path of the setting. */
  readonly path: readonly string[];

  /** What a cluster without it lacks, and what several do. */
  readonly what: string;
  readonly whatOfMany: string;
  readonly hint: string;
}

const REQUIREMENTS = {
  'no-edge-host': {
    path: ['spec', 'gateway', 'hostname'],
    what: 'ingress gateways on other clusters have no host name for it',
    whatOfMany: 'ingress gateways on other clusters have no host names for them',
    hint: `Set spec.gateway.hostname, ${OPT_OUT_HINT}`,
  },
  'no-edge-certificate': {
    path: ['spec', 'gateway', 'tls'],
    what: 'its gateway has no certificate',
    whatOfMany: 'their gateways have no certificates',
    hint: `Set spec.gateway.tls to an issuer or a certificate, and their authority, ${OPT_OUT_HINT}`,
  },
  'no-client-certificate': {
    path: ['spec', 'gateway', 'tls', 'clientCertificateRef'],
    what: 'its ingress gateway has no client certificate for other clusters',
    whatOfMany: 'their ingress gateways have no client certificates for other clusters',
    hint: 'Set spec.gateway.tls.clientCertificateRef, or use an issuer instead of certificateRef',
  },
  'no-front-certificate': {
    path: ['spec', 'gateway', 'tls'],
    what: 'its ingress gateway has no client certificate for other clusters',
    whatOfMany: 'their ingress gateways have no client certificates for other clusters',
    hint: 'Set spec.gateway.tls to an issuer or certificates, and their authority',
  },
  'unreachable-edge': {
    path: ['spec', 'gateway', 'reach'],
    what: 'ingress gateways on other clusters cannot reach it: its spec.gateway.reach is Cluster',
    whatOfMany: 'ingress gateways on other clusters cannot reach them: their spec.gateway.reach is Cluster',
    hint: `Set spec.gateway.reach to Public or Private, ${OPT_OUT_HINT}`,
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
    if (reach === 'Cluster') missing.push('unreachable-edge');
    else if (hostname === undefined) missing.push('no-edge-host');
  }
  return tls ? missing : [...missing, 'no-edge-certificate'];
}

function findMissingForFront(cluster: InferenceCluster, isEdge: boolean): MissingRequirement['kind'][] {
  if (!cluster.spec.gateway.tls) return isEdge ? [] : ['no-front-certificate'];
  return clientCertificateOf(cluster) ? [] : ['no-client-certificate'];
}

/**
 * Converts missing settings to errors, at the first cluster that lacks it: one per setting and services. A cluster that
 * lacks both the host name and the certificate of its gateway lacks the gateway. Excludes clusters of the alias group.
 */
export function toMissingErrors(missing: readonly MissingRequirement[]): Diagnostic<ResourcePath>[] {
  const own = missing.filter(({ cluster }) => cluster.group !== 'modelplane.ai');
  const lacks = sortedBy(
    groupBy(own, ({ cluster, kind }) => `${cluster.metadata.name} ${kind}`),
    ([key]) => key,
  ).flatMap(([, same]) =>
    same.slice(0, 1).map(({ cluster, kind }) => {
      return { cluster, kind, services: formatResources(same.map(({ service }) => service)) };
    }),
  );
  const uncertified = clustersWith('no-edge-certificate', lacks);
  const hosts = new Set(clustersWith('no-edge-host', lacks).filter((cluster) => uncertified.includes(cluster)));
  const separate = lacks.filter(({ cluster, kind }) => kind !== 'no-edge-host' || !hosts.has(cluster));
  const alike = groupBy(separate, ({ kind, services }) => `${kind} ${services}`);
  return sortedBy(alike, ([key]) => key).flatMap(([, same]) => {
    const clusters = same.map(({ cluster }) => cluster);
    return same.slice(0, 1).map(({ cluster, kind, services }) => {
      const { path, what, whatOfMany, hint } = REQUIREMENTS[kind];
      const [noun, problem] = clusters.length === 1 ? ['cluster', what] : ['clusters', whatOfMany];
      const message = `${services} cannot be reached on ${noun} ${nameClusters(clusters)}: ${problem}`;
      const unnamed = kind === 'no-edge-certificate' ? clusters.filter((one) => hosts.has(one)) : [];
      return errorAt(kind, { resource: cluster, path }, message, unnamed.length > 0 ? hintAtGateway(unnamed) : hint);
    });
  });
}

function clustersWith(
  kind: MissingRequirement['kind'],
  lacks: readonly Pick<MissingRequirement, 'cluster' | 'kind'>[],
): InferenceCluster[] {
  return lacks.filter((one) => one.kind === kind).map(({ cluster }) => cluster);
}

function hintAtGateway(unnamed: readonly InferenceCluster[]): string {
  const names = nameClusters(unnamed);
  return `Set spec.gateway.tls to an issuer or a certificate, and their authority, and on ${names} spec.gateway.hostname, ${OPT_OUT_HINT}`;
}

function nameClusters(clusters: readonly InferenceCluster[]): string {
  return nameSome(sortUnique(clusters.map(({ metadata }) => metadata.name)), MOST_CLUSTERS);
}

const MOST_CLUSTERS = 8;

/** Returns a note per kind of missing setting, for clusters of the alias group. */
export function toMissingNotes(missing: readonly MissingRequirement[]): string[] {
  const aliases = missing.filter(({ cluster }) => cluster.group === 'modelplane.ai');
  const byKind = groupBy(aliases, ({ kind }) => kind);
  return sortedBy(byKind, ([kind]) => kind).map(([kind, group]) => {
    const services = formatResources(group.map(({ service }) => service));
    const clusters = formatResources(group.map(({ cluster }) => cluster));
    return `${services} without routes because of ${clusters}: ${REQUIREMENTS[kind].what}. ${REQUIREMENTS[kind].hint}.`;
  });
}

function formatResources(resources: readonly Resource[]): string {
  return nameSome(sortUnique(resources.map(resourceIdOf)), 4);
}
