import { clusterLabelsOf, resolveDomainLabel } from '../../api/cluster-labels';
import type { InferenceCluster } from '../../api/inference-cluster';
import { type Resource, resourceIdOf, type ResourcePath } from '../../api/kinds';
import { NETWORK_LABEL } from '../../api/labels';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import { groupBy, sortUnique } from '../../base/order';
import { isDynamoGraph } from '../../engine/dynamo-graph';
import type { Fleet } from '../../fleet/fleet';
import { groupBackends, MAX_BACKENDS } from '../backend-groups';
import { baseUrlOf } from '../backends';
import { reportPlaceholderHosts } from '../missing-routes';
import { canHavePool } from '../pickers';
import { nameSome } from '../placed-gateways';
import { namespacedNameOf, routeRulesOf } from '../route-rules';
import { type EdgeTarget, edgeTargetsOf, externalTargetByEndpoint, type RoutingContext } from '../select-targets';
import { checkEmptyServices, checkUnservedEntries, describeEmptyServices } from './empty-entries';
import { checkEngineKeys } from './engine-keys';
import { checkEndpointModels, checkServedNames, warnUnknownNames } from './model-names';
import { checkObjectives, warnUnmeasured, warnUnrouted } from './slo-checks';
import { warnUnguardedGateways } from './unguarded-gateways';

/** How clients without credentials keep their access where a gateway is to ask for some: it refuses them from then on. */
export const SECOND_GATEWAY_ADVICE = 'let clients move first to a second InferenceGateway that asks for credentials';

type RoutingCheck = (context: RoutingContext) => Iterable<Diagnostic<ResourcePath>>;

/** Finds requests that would leave the fleet although the service, or another deployment of the service, forbids it. */
const checkForbiddenEndpoints: RoutingCheck = function* ({ selections }) {
  for (const selection of selections) {
    const { service } = selection;
    const deployments = edgeTargetsOf(selection).map(({ deployment }) => deployment);
    const forbids = [service, ...deployments].find(({ spec }) => spec.externalEndpoints === 'Forbidden');
    if (!forbids) continue;
    for (const { endpoint, entry } of externalTargetByEndpoint(selection)) {
      if (endpoint.spec.inside) continue;
      const at = { resource: service, path: ['spec', 'endpoints', entry] };
      const message = `the entry sends requests to ${resourceIdOf(endpoint)}, and ${resourceIdOf(forbids)} forbids external endpoints`;
      const hint = "Remove the entry, or set 'externalEndpoints: Allowed' to allow that";
      yield errorAt('external-endpoint', at, message, hint);
    }
  }
};

/** Finds endpoints inside a cluster that ingress gateways of other clusters would have to reach. */
const checkInsideEndpoints: RoutingCheck = function* ({ selections, placedGateways }) {
  for (const selection of selections) {
    for (const { endpoint, entry } of externalTargetByEndpoint(selection)) {
      const { inside } = endpoint.spec;
      if (!inside) continue;
      const away = placedGateways.filter(({ cluster }) => cluster.metadata.name !== inside.cluster);
      if (away.length === 0) continue;
      const at = { resource: selection.service, path: ['spec', 'endpoints', entry] };
      const names = nameSome([...new Set(away.map(({ cluster }) => cluster.metadata.name))], 4);
      const message = `${resourceIdOf(endpoint)} is inside cluster ${inside.cluster}, and the ingress gateways on ${names} do not reach it`;
      const hint = `Use a fleet whose ingress gateways are on ${inside.cluster} alone, or declare the model as a ModelDeployment`;
      yield errorAt('endpoint-out-of-reach', at, message, hint);
    }
  }
};

/** Finds endpoints inside a cluster with a misspelt name, where the fleet has the manifests of services of KServe. */
const warnUnknownServices: RoutingCheck = function* ({ fleet }) {
  for (const endpoint of fleet.endpoints) {
    const name = endpoint.spec.inside?.llmInferenceService;
    const known = (fleet.inferenceServices ?? [])
      .filter(({ namespace }) => namespace === endpoint.metadata.namespace)
      .map((one) => one.name);
    if (name === undefined || known.length === 0 || known.includes(name)) continue;
    const at = { resource: endpoint, path: ['spec', 'inside', 'llmInferenceService'] };
    const meant = suggestName(name, known);
    const hint = meant ? `Did you mean '${meant}'?` : `It has ${nameSome(known.sort(), 8)}`;
    const message = `the fleet has no manifest of an LLMInferenceService '${name}' in namespace '${endpoint.metadata.namespace ?? ''}'`;
    yield warningAt('no-inference-service', at, message, hint);
  }
};

/** Finds invalid rewrite paths of endpoints. Documents of the alias group may omit the leading slash. */
const checkRewritePaths: RoutingCheck = function* ({ fleet }) {
  for (const endpoint of fleet.endpoints) {
    const { rewritePath } = endpoint.spec;
    if (rewritePath === undefined || /^\/[!-~]*$/.test(rewritePath)) continue;
    if (endpoint.group === 'modelplane.ai' && /^[!-~]*$/.test(rewritePath)) continue;
    const at = { resource: endpoint, path: ['spec', 'rewritePath'] };
    yield errorAt('bad-path', at, 'this is not a path', "Start with '/', as in '/v1'");
  }
};

const checkCredentialTls: RoutingCheck = function* ({ fleet }) {
  for (const endpoint of fleet.endpoints) {
    if (!endpoint.spec.credential || baseUrlOf(endpoint).protocol !== 'http:') continue;
    const at = { resource: endpoint, path: ['spec', 'url'] };
    const message = 'its credential is sent without TLS, so others on the network can read it';
    yield warningAt('credential-in-clear', at, message, 'Use an address with https://');
  }
};

/** Finds gateways with the same host name, which would serve every service twice on the same host and path. */
const checkDuplicateHosts: RoutingCheck = function* ({ fleet }) {
  const hosts: { resource: Resource; hostname: string | undefined; path: readonly string[] }[] = [
    ...fleet.gateways.map((resource) => ({ resource, hostname: resource.spec.hostname, path: ['spec', 'hostname'] })),
    ...fleet.clusters.map((resource) => {
      return { resource, hostname: resource.spec.gateway.hostname, path: ['spec', 'gateway', 'hostname'] };
    }),
  ];
  for (const [hostname, [first, ...others]] of groupBy(hosts, (host) => host.hostname)) {
    if (hostname === undefined || !first) continue;
    for (const { resource, path } of others) {
      const message = `${resourceIdOf(first.resource)} has the host name '${hostname}' too`;
      const hint = 'Use another host name. For a gateway on several clusters, declare one InferenceGateway';
      yield errorAt('duplicate-host', { resource, path }, message, hint);
    }
  }
};

/** The most services that a message names. */
const MOST_OPENED = 8;

/** Finds services without authentication at a public gateway: their own comes before that of the gateway. */
const checkPublicAuth: RoutingCheck = function* ({ placedGateways, selections }) {
  const open = [...new Set(placedGateways.map(({ gateway }) => gateway))].filter(({ spec }) => spec.public === true);
  const unguarded = open.find(({ spec }) => !spec.auth?.enabled);
  const exposed = selections.filter(({ service: { spec } }) => {
    return spec.auth === undefined ? unguarded !== undefined : open.length > 0 && !spec.auth.enabled;
  });
  const opened = exposed.filter(({ service: { spec } }) => spec.auth === undefined);
  // One service without auth among others that have their own is what lacks it. Otherwise the gateway does.
  const isOpen = opened.length > 1 || (opened.length === 1 && exposed.length === selections.length);
  if (unguarded && isOpen) {
    const names = nameSome(sortUnique(opened.map(({ service }) => resourceIdOf(service))), MOST_OPENED);
    const message = `a public gateway without auth accepts requests from everyone for ${names}`;
    const where = opened.length === 1 ? 'the service' : 'each of these services';
    const hint = adviseOnOpenGateway(`Set '${AUTH_EXAMPLE}', here or in ${where}`, 'this gateway');
    yield errorAt('insecure-gateway', { resource: unguarded, path: ['spec', 'public'] }, message, hint);
  }
  for (const { service } of isOpen ? exposed.filter((one) => !opened.includes(one)) : exposed) {
    const gateway = service.spec.auth ? open[0] : unguarded;
    if (!gateway) continue;
    const why = service.spec.auth ? 'is public' : "is public and has no 'auth'";
    const at = { resource: service, path: ['spec', 'auth'] };
    const message = `the service would accept requests from everyone: ${resourceIdOf(gateway)} ${why}`;
    yield errorAt('insecure-gateway', at, message, adviseOnOpenGateway('Set apiKeys or jwt', 'the gateway'));
  }
};

/** The shortest authentication that loads: a client, and the Secret with its key. */
const AUTH_EXAMPLE = 'auth: { apiKeys: [{ name: team-a, secretRef: { name: gateway-keys } }] }';

/** Also names the way that locks out no client: a gate refuses to lose any, and `public: insecure` must not look easier. */
function adviseOnOpenGateway(authFix: string, gateway: string): string {
  const clients = `That refuses clients without credentials; if ${gateway} has any, leave out 'public' and ${SECOND_GATEWAY_ADVICE}, then remove the first`;
  return `${authFix}. ${clients}. To accept requests from everyone, set 'public: insecure' at ${gateway}`;
}

/** Finds private edges that no declared network connects to a front. */
const checkEdgeReach: RoutingCheck = function* ({ placedGateways, selections }) {
  const edges = new Set(selections.flatMap(edgeTargetsOf).map(({ cluster }) => cluster));
  const fronts = new Set(placedGateways.map(({ cluster }) => cluster));
  for (const edge of edges) {
    if (edge.spec.gateway.reach !== 'Private') continue;
    const first = [...fronts].find((front) => front !== edge && !haveSameNetwork(front, edge));
    if (!first) continue;
    const at = { resource: edge, path: ['spec', 'gateway', 'reach'] };
    const message = `the ingress gateway on ${resourceIdOf(first)} may not reach this cluster gateway, whose reach is Private`;
    const hint = `If their networks are connected, set the same label ${NETWORK_LABEL} on both clusters. Otherwise set reach to Public`;
    yield warningAt('unreachable-cluster-gateway', at, message, hint);
  }
};

function haveSameNetwork(a: InferenceCluster, b: InferenceCluster): boolean {
  const network = a.metadata.labels[NETWORK_LABEL];
  return network !== undefined && network === b.metadata.labels[NETWORK_LABEL];
}

/** Finds services whose replicas are in fewer failure domains than declared. */
const checkFailureDomains: RoutingCheck = function* ({ fleet, selections }) {
  for (const selection of selections) {
    const { service } = selection;
    const min = service.spec.failureDomains?.min ?? 0;
    const edges = edgeTargetsOf(selection).filter(({ tier }) => tier === 0);
    const domains = new Set(edges.map((target) => domainOf(target, fleet.settings)));
    if (edges.length === 0 || domains.size >= min) continue;
    const at = { resource: service, path: ['spec', 'failureDomains', 'min'] };
    const names = [...domains].sort().join(', ');
    const message = `its replicas are in ${names} only, and failureDomains.min is ${min}`;
    const hint = 'Set placement.spreadBy and placement.minDomains of its deployments';
    yield warningAt('few-failure-domains', at, message, hint);
  }
};

/** Returns the domain of a target by the spread label or region. A cluster without the label is its own domain. */
function domainOf({ deployment, cluster }: EdgeTarget, settings: Fleet['settings']): string {
  const { spreadBy = 'region' } = deployment.spec.placement;
  return clusterLabelsOf(cluster)[resolveDomainLabel(spreadBy, settings)] ?? cluster.metadata.name;
}

/** The maximum number of rules of a route in Gateway API (HTTPRoute, v1). */
const MAX_RULES = 16;

/** Finds services that exceed the size of a route. */
const checkRouteSize: RoutingCheck = function* ({ selections }) {
  for (const { service, rules } of selections) {
    const made = routeRulesOf(namespacedNameOf(service), rules);
    const largest = Math.max(0, ...made.map((rule) => groupBackends(rule).length));
    const at = { resource: service, path: ['spec', 'endpoints'] };
    if (made.length > MAX_RULES) {
      const message = `it needs ${made.length} rules for headers and adapters, and a route has at most ${MAX_RULES}`;
      yield errorAt('too-many-rules', at, message, 'Split it into several services');
    }
    if (largest > MAX_BACKENDS) {
      const message = `it splits requests into ${largest} shares, by entry and by the number of replicas of a cluster, and a rule has at most ${MAX_BACKENDS}`;
      const hint =
        'Place the same number of replicas on each cluster with maxPerCluster, select fewer, or split it into several services';
      yield errorAt('too-many-shares', at, message, hint);
    }
  }
};

/** Finds services that choose pods by the prefixes in their caches where these are workers of Dynamo, behind a frontend. */
const checkGraphPickers: RoutingCheck = function* ({ selections }) {
  for (const selection of selections) {
    const { service } = selection;
    if (service.spec.picker?.kind !== 'PrefixCache') continue;
    const deployments = new Set(edgeTargetsOf(selection).map(({ deployment }) => deployment));
    const graphs = [...deployments].filter(isDynamoGraph).map(resourceIdOf).sort();
    if (graphs.length === 0) continue;
    const what = `${nameSome(graphs, 4)}: the frontend of Dynamo chooses the workers, and endpoint pickers do not see them`;
    const hint = "Remove 'picker', and set '--router-mode kv' of the frontend";
    yield errorAt('contradiction', { resource: service, path: ['spec', 'picker', 'kind'] }, what, hint);
  }
};

const ERROR_CHECKS: readonly RoutingCheck[] = [
  checkEmptyServices,
  checkRewritePaths,
  checkGraphPickers,
  checkForbiddenEndpoints,
  checkInsideEndpoints,
  checkEndpointModels,
  checkRouteSize,
  checkDuplicateHosts,
  checkPublicAuth,
  checkEngineKeys,
  checkObjectives,
];

/** Finds services with a pool that has replicas on clusters without the kind of pools. */
const checkPoolKinds: RoutingCheck = function* ({ selections }) {
  for (const selection of selections) {
    const { service } = selection;
    if (!service.spec.picker?.pool) continue;
    const lacking = new Set(edgeTargetsOf(selection).map(({ cluster }) => cluster));
    const names = [...lacking].filter((cluster) => !canHavePool(cluster)).map(resourceIdOf);
    if (names.length === 0) continue;
    const at = { resource: service, path: ['spec', 'picker', 'pool'] };
    const message = `no InferencePool is created on ${nameSome(names.sort(), 4)}: the clusters lack the kind`;
    const hint = "Set 'servingStack.inferenceCrds: { install: true }', or 'install: false' where it is there already";
    yield warningAt('no-pool-kind', at, message, hint);
  }
};

const WARNING_CHECKS: readonly RoutingCheck[] = [
  checkPoolKinds,
  reportPlaceholderHosts,
  checkUnservedEntries,
  checkEdgeReach,
  checkFailureDomains,
  checkServedNames,
  warnUnknownNames,
  checkCredentialTls,
  warnUnguardedGateways,
  warnUnknownServices,
  warnUnmeasured,
  warnUnrouted,
];

export function findRoutingErrors(context: RoutingContext): Diagnostic<ResourcePath>[] {
  return ERROR_CHECKS.flatMap((check) => [...check(context)]);
}

export function findRoutingWarnings(context: RoutingContext): Diagnostic<ResourcePath>[] {
  return WARNING_CHECKS.flatMap((check) => [...check(context)]);
}

/** @param hasLines whether a warning already says how services get routes */
export function listRoutingNotes(context: RoutingContext, hasLines: boolean): string[] {
  return [...describeEmptyServices(context), ...(hasLines ? [] : describeIdleResources(context))];
}

function describeIdleResources({ fleet: { gateways, services }, lacksServices }: RoutingContext): string[] {
  if (services.length === 0 && lacksServices) return [];
  if (services.length === 0)
    return gateways.map((gateway) => `${resourceIdOf(gateway)} has no routes: no service is declared.`);
  if (gateways.length > 0) return [];
  return [`${nameSome(services.map(resourceIdOf), 5)} without routes: no InferenceGateway is declared.`];
}
