import { ENGINE_LABEL } from '../api/labels';
import { servingOf } from '../engine/ports-and-probe-defaults';
import {
  deploymentSelectorOf,
  type Labels,
  NAMESPACE_NAME_LABEL,
  objectLabelsOf,
  objectMetaOf,
  replicaSelectorOf,
} from '../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, Manifest } from '../manifest/kubernetes/manifest';
import { networkPolicyNameOf, SYSTEM_NAMESPACE } from '../manifest/kubernetes/object-names';
import type { ComputedReplica } from '../replicas/replica';

/** The namespaces of Prometheus: of kube-prometheus-stack, and of the collectors that Google manages. */
const PROMETHEUS_NAMESPACES = ['gke-gmp-system', 'gmp-system', 'monitoring'];

/** The clients of every replica: gateways and endpoint pickers send requests, Prometheus scrapes metrics. */
const CLIENTS: readonly JsonObject[] = [
  {
    namespaceSelector: {
      matchExpressions: [
        { key: NAMESPACE_NAME_LABEL, operator: 'In', values: [SYSTEM_NAMESPACE, ...PROMETHEUS_NAMESPACES] },
      ],
    },
  },
];

const DNS = {
  ports: [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ],
};

/**
 * Renders the NetworkPolicy of a replica. Clients may reach its pods on the serving ports. The pods of the replica may
 * reach each other on any port, because the ranks of a gang and the two engines of a prefill/decode pair choose ports
 * at run time. For pairs this covers all replicas of the deployment: the endpoint picker can combine any prefill
 * engine with any decode engine. Egress is unrestricted unless the user restricts it.
 */
export function renderNetworkPolicy(replica: ComputedReplica): Manifest[] {
  const { deployment, cluster, index } = replica;
  const { enabled, from, to } = deployment.spec.template.spec.networkPolicy;
  if (!enabled) return [];
  const labels = objectLabelsOf({ deployment, cluster: cluster.metadata.name, index });
  const podSelector = selectEnginePods(replicaSelectorOf(replica));
  const pair = deployment.spec.template.spec.serving.mode === 'PrefillDecode';
  const peers = { podSelector: pair ? selectEnginePods(deploymentSelectorOf(deployment)) : podSelector };
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: objectMetaOf(deployment, networkPolicyNameOf(deployment.metadata, index), labels),
      spec: {
        podSelector,
        policyTypes: ['Ingress', ...(to ? ['Egress'] : [])],
        ingress: [{ from: [...CLIENTS, ...from], ports: portsOf(replica) }, { from: [peers] }],
        ...(to && { egress: [{ to: [peers] }, DNS, ...(to.length > 0 ? [{ to }] : [])] }),
      },
    },
  ];
}

/** Selects the pods with these labels that run an engine. */
function selectEnginePods(matchLabels: Labels): JsonObject {
  return { matchLabels, matchExpressions: [{ key: ENGINE_LABEL, operator: 'Exists' }] };
}

/**
 * Returns the serving ports, and the port of an engine behind a sidecar, which serves the metrics. Ports are numbers
 * because some network plugins resolve port names of containers but not of sidecars in init containers
 * (kubernetes#125285).
 */
function portsOf({ deployment, engines }: ComputedReplica): JsonObject[] {
  const ports = engines.flatMap(({ engine }) => {
    const { port, enginePort } = servingOf(deployment, engine);
    return [port, enginePort];
  });
  return [...new Set(ports)].sort((a, b) => a - b).map((port) => ({ protocol: 'TCP', port }));
}
