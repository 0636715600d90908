import { scalesToZero } from '../api/engine-copies';
import { ENGINE_LABEL } from '../api/labels';
import type { ModelDeployment } from '../api/model-deployment';
import { Interner } from '../base/interning';
import { getOrComputeWeak, type WeakPairMap } from '../base/memoize';
import { HTTP_ADD_ON } from '../catalog/http-add-on';
import { servingOf } from '../engine/ports-and-probe-defaults';
import { shareText } from '../manifest/format-yaml';
import {
  deploymentSelectorOf,
  type Labels,
  NAMESPACE_NAME_LABEL,
  objectLabelsOf,
  objectMetaOf,
  replicaSelectorOf,
  servingSelectorOf,
  SYNC_WAVE,
} from '../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest } from '../manifest/kubernetes/manifest';
import {
  budgetNameOf,
  HTTP_PORT_NAME,
  networkPolicyNameOf,
  SERVICE_PORT,
  serviceNameOf,
  SYSTEM_NAMESPACE,
} from '../manifest/kubernetes/object-names';
import { backendOf, type ComputedReplica } from '../replicas/replica';
import { peerIn } from './routing/picker-objects';

/** Renders the Service of a deployment on a cluster: one stable address for all its replicas there. */
export function renderService(replica: ComputedReplica): Manifest {
  const { deployment, cluster } = replica;
  const labels = objectLabelsOf({ deployment, cluster: cluster.metadata.name });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: objectMetaOf(deployment, serviceNameOf(deployment.metadata), labels),
    spec: serviceSpecOf(servingSelectorOf(deployment, backendOf(replica))),
  };
}

function serviceSpecOf(selector: Labels): JsonObject {
  const ports = [{ name: HTTP_PORT_NAME, port: SERVICE_PORT, targetPort: HTTP_PORT_NAME }];
  return SERVICES.intern(JSON.stringify(selector), () => shareText({ type: 'ClusterIP', selector, ports }));
}

/** The specs of Services by their selector. Those of a deployment are equal on most clusters. */
const SERVICES = new Interner<JsonObject>(10_000);

/**
 * Renders a budget that lets a node drain evict one pod of a deployment on a cluster at a time. Returns no budget for
 * a deployment with a single serving pod.
 *
 * One budget covers all pods of the deployment on the cluster. Budgets must not overlap, because evictions then fail.
 * A replica is down as soon as one of its engines is down, so a budget per engine or replica would let a drain evict
 * all of them at once. An evicted pod of a gang takes its group down, which counts against the budget until the group
 * serves again: a drain evicts one group at a time. Pods that are not ready can always be evicted: a model that loads
 * would otherwise block a drain for an hour.
 */
export function renderDisruptionBudget({ deployment, cluster, engines, here }: ComputedReplica): Manifest[] {
  if (here === 1 && engines.every(({ engine }) => engine.copies === 1)) return [];
  const labels = objectLabelsOf({ deployment, cluster: cluster.metadata.name });
  const metadata = objectMetaOf(deployment, budgetNameOf(deployment.metadata), labels);
  const selector = selectEnginePods(deploymentSelectorOf(deployment));
  const spec = { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector };
  return [{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec }];
}

/** The namespaces of Prometheus: of kube-prometheus-stack, and of the collectors that Google manages. */
export const PROMETHEUS_NAMESPACES = ['gke-gmp-system', 'gmp-system', 'monitoring'];

/** The clients of replicas on a cluster: gateways and endpoint pickers send requests, Prometheus scrapes metrics. */
export function listClients({ spec: { monitoring } }: ComputedReplica['cluster']): JsonObject {
  const declared = monitoring ? [monitoring.prometheus.namespace] : [];
  return CLIENTS.intern(declared.join(), () => {
    const values = [SYSTEM_NAMESPACE, ...new Set([...PROMETHEUS_NAMESPACES, ...declared])];
    const namespaceSelector = { matchExpressions: [{ key: NAMESPACE_NAME_LABEL, operator: 'In', values }] };
    return shareText({ namespaceSelector });
  });
}

/** The clients by the declared namespace of Prometheus, which most clusters have in common. */
const CLIENTS = new Interner<JsonObject>(100);

const DNS = { ports: ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 })) };

/**
 * Renders the NetworkPolicy of a replica. Clients may reach its pods on the serving ports. The pods of the replica may
 * reach each other on any port, because the ranks of a gang and the two engines of a prefill/decode pair choose ports
 * at run time. For pairs this covers all replicas of the deployment: the endpoint picker can combine any prefill
 * engine with any decode engine. Egress is unrestricted unless the user restricts it. Then pods still
 * reach what fills or mounts their caches.
 */
export function renderNetworkPolicy(replica: ComputedReplica): Manifest[] {
  const { deployment, cluster, index, wave, caches } = replica;
  if (!deployment.spec.template.spec.networkPolicy.enabled) return [];
  const labels = objectLabelsOf({ deployment, cluster: cluster.metadata.name, index });
  const metadata = {
    ...objectMetaOf(deployment, networkPolicyNameOf(deployment.metadata, index), labels),
    // Until its turn comes, old pods serve on their own ports.
    annotations: { [SYNC_WAVE]: String(wave.cluster) },
  };
  const flow = { clients: listClients(cluster), ports: portsOf(replica) };
  const render = (): JsonObject => renderPolicySpec(replica, flow);
  const known = getOrComputeWeak(POLICIES, deployment, flow.clients, () => new Interner<JsonObject>());
  const spec = caches.length > 0 ? render() : known.intern(`${index} ${flow.ports.join()}`, () => shareText(render()));
  return [{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec }];
}

/**
 * The specs of NetworkPolicies of replicas without caches, by all that they are made of: the deployment, the clients, and
 * the index with the ports.
 */
const POLICIES: WeakPairMap<ModelDeployment, JsonObject, Interner<JsonObject>> = new WeakMap();

/** Who sends requests to a replica, and where. */
interface Flow {
  readonly clients: JsonObject;
  readonly ports: readonly number[];
}

function renderPolicySpec(
  { deployment, index, caches }: Pick<ComputedReplica, 'deployment' | 'index' | 'caches'>,
  { clients, ports }: Flow,
): JsonObject {
  const { networkPolicy, serving } = deployment.spec.template.spec;
  const { from, to } = networkPolicy;
  const podSelector = selectEnginePods(replicaSelectorOf({ deployment, index }));
  const pair = serving.mode === 'PrefillDecode';
  const peers = { podSelector: pair ? selectEnginePods(deploymentSelectorOf(deployment)) : podSelector };
  const rules = distinctRules(caches.flatMap(({ egress = [] }) => egress));
  return {
    podSelector,
    policyTypes: ['Ingress', ...(to ? ['Egress'] : [])],
    ingress: [
      {
        from: [clients, ...holdersOf(deployment), ...from],
        ports: ports.map((port) => ({ protocol: 'TCP', port })),
      },
      { from: [peers] },
    ],
    ...(to && { egress: [{ to: [peers] }, DNS, ...(to.length > 0 ? [{ to }] : []), ...rules] }),
  };
}

/** The proxies that hold requests until the replica serves. */
function holdersOf(deployment: ModelDeployment): JsonObject[] {
  if (!scalesToZero(deployment)) return [];
  const { namespace, proxyLabels } = HTTP_ADD_ON;
  return [peerIn(namespace, { podSelector: { matchLabels: proxyLabels } })];
}

/** Two caches often need the same rule. */
function distinctRules(rules: readonly JsonObject[]): JsonObject[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function selectEnginePods(matchLabels: Labels): JsonObject {
  return { matchLabels, matchExpressions: [{ key: ENGINE_LABEL, operator: 'Exists' }] };
}

/**
 * Returns the serving ports, and the port of an engine behind a sidecar, which serves the metrics. Ports are numbers
 * because some network plugins resolve port names of containers but not of sidecars in init containers
 * (kubernetes#125285).
 */
function portsOf({ deployment, engines }: ComputedReplica): number[] {
  const ports = engines.flatMap(({ engine }) => {
    const { port, enginePort } = servingOf(deployment, engine);
    return [port, enginePort];
  });
  return [...new Set(ports)].sort((a, b) => a - b);
}
