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

/** Where Prometheus runs: that of kube-prometheus-stack, and the collectors that Google manages, on GKE and elsewhere. */
const PROMETHEUS_NAMESPACES = ['gke-gmp-system', 'gmp-system', 'monitoring'];

/** Who asks every replica: gateways and endpoint pickers for answers, Prometheus for metrics. */
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
 * Who may reach the pods of a replica: its clients on the port that serves, and its own pods on any, because ranks of a
 * gang and the two halves of a pair choose theirs as they go. Of pairs those of all replicas of the deployment: the
 * endpoint picker puts any two halves together. Where they may connect is open unless the user says.
 */
export function renderNetworkPolicy(replica: ComputedReplica): Manifest[] {
  const { deployment, cluster, index } = replica;
  const { enabled, from, to } = deployment.spec.template.spec.networkPolicy;
  if (!enabled) return [];
  const ours = objectLabelsOf({ deployment, cluster: cluster.metadata.name, index });
  const podSelector = selectEnginePods(replicaSelectorOf(replica));
  const pair = deployment.spec.template.spec.serving.mode === 'PrefillDecode';
  const own = { podSelector: pair ? selectEnginePods(deploymentSelectorOf(deployment)) : podSelector };
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: objectMetaOf(deployment, networkPolicyNameOf(deployment.metadata, index), ours),
      spec: {
        podSelector,
        policyTypes: ['Ingress', ...(to ? ['Egress'] : [])],
        ingress: [{ from: [...CLIENTS, ...from], ports: portsOf(replica) }, { from: [own] }],
        ...(to && { egress: [{ to: [own] }, DNS, ...(to.length > 0 ? [{ to }] : [])] }),
      },
    },
  ];
}

/** Pods that run an engine, among those with some labels. */
function selectEnginePods(matchLabels: Labels): JsonObject {
  return { matchLabels, matchExpressions: [{ key: ENGINE_LABEL, operator: 'Exists' }] };
}

/**
 * The ports that serve, and that of an engine behind a sidecar, which has the metrics. As numbers: some network plugins
 * know the names of ports of containers, and not those of sidecars among init containers (kubernetes#125285).
 */
function portsOf({ deployment, engines }: ComputedReplica): JsonObject[] {
  const ports = engines.flatMap(({ engine }) => {
    const { port, enginePort } = servingOf(deployment, engine);
    return [port, enginePort];
  });
  return [...new Set(ports)].sort((a, b) => a - b).map((port) => ({ protocol: 'TCP', port }));
}
