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

/** The path of each setting, the problem of a cluster without it, and the remedy. */
const REQUIREMENTS = {
  'no-edge-host': {
    path: ['spec', 'gateway', 'hostname'],
    what: 'ingress gateways on other clusters have no host name for it',
    hint: `Set spec.gateway.hostname, ${OPT_OUT_HINT}`,
  },
  'no-edge-certificate': {
    path: ['spec', 'gateway', 'tls'],
    what: 'its gateway has no certificate',
    hint: `Set spec.gateway.tls to an issuer or a certificate, and their authority, ${OPT_OUT_HINT}`,
  },
  'no-client-certificate': {
    path: ['spec', 'gateway', 'tls', 'clientCertificateRef'],
    what: 'its ingress gateway has no client certificate for other clusters',
    hint: 'Set spec.gateway.tls.clientCertificateRef, or use an issuer instead of certificateRef',
  },
  'no-front-certificate': {
    path: ['spec', 'gateway', 'tls'],
    what: 'its ingress gateway has no client certificate for other clusters',
    hint: 'Set spec.gateway.tls to an issuer or certificates, and their authority',
  },
  'unreachable-edge': {
    path: ['spec', 'gateway', 'reach'],
    what: 'ingress gateways on other clusters cannot reach it: its spec.gateway.reach is Cluster',
    hint: `Set spec.gateway.reach to Public or Private, ${OPT_OUT_HINT}`,
  },
} as const;

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

/** Converts missing settings to errors, one per cluster and setting. Excludes clusters of the alias group. */
export function toMissingErrors(missing: readonly MissingRequirement[]): Diagnostic<ResourcePath>[] {
  const own = missing.filter(({ cluster }) => cluster.group !== 'modelplane.ai');
  const alike = groupBy(own, ({ cluster, kind }) => `${cluster.metadata.name} ${kind}`);
  return sortedBy(alike, ([key]) => key).flatMap(([, same]) => {
    const services = formatResources(same.map(({ service }) => service));
    return same.slice(0, 1).map(({ cluster, kind }) => {
      const { path, what, hint } = REQUIREMENTS[kind];
      return errorAt(
        kind,
        { resource: cluster, path },
        `${services} cannot be reached on cluster ${cluster.metadata.name}: ${what}`,
        hint,
      );
    });
  });
}

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
