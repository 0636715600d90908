import type { InferenceCluster } from '../api/inference-cluster';
import { type Resource, resourceIdOf } from '../api/kinds';
import type { ModelService } from '../api/model-service';
import { groupBy, sortedBy, sortUnique } from '../base/order';
import type { Fault } from '../fleet/checks/fleet-check';
import { clientCertificateOf } from './certificates';
import type { PlacedGateway } from './placed-gateways';
import type { ServiceSelection } from './select-targets';

/** Something that a cluster has to declare before requests of a service can reach it. */
export interface MissingRequirement {
  readonly cluster: InferenceCluster;
  readonly kind: keyof typeof REQUIREMENTS;
  readonly service: ModelService;
}

interface RequirementText {
  readonly path: readonly string[];

  /** What is wrong, of a cluster that services need. */
  readonly what: string;
  readonly hint: string;
}

const OPT_OUT_HINT = "or take its replicas out of services with 'gateway: None'";

const REQUIREMENTS = {
  'no-edge-host': {
    path: ['spec', 'gateway', 'hostname'],
    what: 'fronts on other clusters have no host name for the edge',
    hint: `Write it at spec.gateway.hostname, ${OPT_OUT_HINT}`,
  },
  'no-edge-certificate': {
    path: ['spec', 'gateway', 'tls'],
    what: 'fronts and edges know each other by certificates, and it has none',
    hint: `Name an issuer or a certificate, and their authority, at spec.gateway.tls, ${OPT_OUT_HINT}`,
  },
  'no-client-certificate': {
    path: ['spec', 'gateway', 'tls', 'clientCertificateRef'],
    what: 'a gateway stands here, and has no certificate to show to edges',
    hint: 'Name one at spec.gateway.tls.clientCertificateRef, or an issuer instead of certificateRef',
  },
  'no-front-certificate': {
    path: ['spec', 'gateway', 'tls'],
    what: 'a gateway stands here, and has no certificate to show to edges',
    hint: 'Name an issuer or certificates, and their authority, at spec.gateway.tls',
  },
  'unreachable-edge': {
    path: ['spec', 'gateway', 'reach'],
    what: 'gateways on other clusters cannot reach the edge: its reach is Cluster',
    hint: `Set it to Public or Private, ${OPT_OUT_HINT}`,
  },
} as const satisfies Record<string, RequirementText>;

/** What clusters lack for a service to be reached from all places where gateways stand. */
export function findMissingRequirements(
  { service, rules }: ServiceSelection,
  standings: readonly PlacedGateway[],
): MissingRequirement[] {
  const targets = rules.flatMap((rule) => rule.targets);
  const edges = new Set(targets.flatMap((target) => (target.kind === 'Edge' ? [target.cluster] : [])));
  const fronts = new Set(standings.map(({ cluster }) => cluster));
  const kinds = (cluster: InferenceCluster): MissingRequirement['kind'][] => [
    ...(edges.has(cluster) ? findMissingForEdge(cluster, fronts) : []),
    ...(fronts.has(cluster) && targets.length > 0 ? findMissingForFront(cluster, edges.has(cluster)) : []),
  ];
  return [...new Set([...edges, ...fronts])].flatMap((cluster) =>
    kinds(cluster).map((kind): MissingRequirement => ({ cluster, kind, service })),
  );
}

function findMissingForEdge(
  cluster: InferenceCluster,
  fronts: ReadonlySet<InferenceCluster>,
): MissingRequirement['kind'][] {
  const { hostname, tls, reach } = cluster.spec.gateway;
  const fromElsewhere = [...fronts].some((front) => front !== cluster);
  return [
    ...(fromElsewhere && reach === 'Cluster' ? (['unreachable-edge'] as const) : []),
    ...(fromElsewhere && reach !== 'Cluster' && hostname === undefined ? (['no-edge-host'] as const) : []),
    ...(tls ? [] : (['no-edge-certificate'] as const)),
  ];
}

function findMissingForFront(cluster: InferenceCluster, isEdge: boolean): MissingRequirement['kind'][] {
  if (!cluster.spec.gateway.tls) return isEdge ? [] : ['no-front-certificate'];
  return clientCertificateOf(cluster) ? [] : ['no-client-certificate'];
}

/** What clusters lack, each once, as something wrong. Those of the alias group are not told of. */
export function toMissingErrors(lacks: readonly MissingRequirement[]): Fault[] {
  const own = lacks.filter(({ cluster }) => cluster.group !== 'modelplane.ai');
  const alike = groupBy(own, ({ cluster, kind }) => `${cluster.metadata.name} ${kind}`);
  return sortedBy(alike, ([key]) => key).flatMap(([, same]) => {
    const services = formatResources(same.map(({ service }) => service));
    return same.slice(0, 1).map(({ cluster, kind }): Fault => {
      const { path, what, hint } = REQUIREMENTS[kind];
      return { code: kind, resource: cluster, path, what: `${services} cannot be reached: ${what}`, hint };
    });
  });
}

/** What clusters of the alias group lack, a sentence for each kind of thing. */
export function toMissingNotes(lacks: readonly MissingRequirement[]): string[] {
  const own = lacks.filter(({ cluster }) => cluster.group === 'modelplane.ai');
  return sortedBy(
    groupBy(own, ({ kind }) => kind),
    ([kind]) => kind,
  ).map(([kind, same]) => {
    const services = formatResources(same.map(({ service }) => service));
    const clusters = formatResources(same.map(({ cluster }) => cluster));
    return `No routes are made for ${services}, because of ${clusters}: ${REQUIREMENTS[kind].what}. ${REQUIREMENTS[kind].hint}.`;
  });
}

/** A message is one line, however many services a fleet has. */
const MAX_NAMED = 4;

function formatResources(resources: readonly Resource[]): string {
  const names = sortUnique(resources.map(resourceIdOf));
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return names.slice(0, MAX_NAMED).join(', ') + more;
}
