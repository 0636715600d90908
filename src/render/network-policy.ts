import { ENGINE } from '../api/labels';
import { servingOf } from '../engine/serving';
import { labelsOf, NAMESPACE_NAME, replicaSelector } from './labels';
import type { JsonObject, Manifest } from './manifest';
import { networkPolicyName, SYSTEM_NAMESPACE } from './names';
import { objectMeta } from './object-meta';
import type { ComputedReplica } from './replica';

/** Where Prometheus runs: that of kube-prometheus-stack, and the collectors that Google manages, on GKE and elsewhere. */
const PROMETHEUS_NAMESPACES = ['gke-gmp-system', 'gmp-system', 'monitoring'];

/** Who asks every replica: gateways and endpoint pickers for answers, Prometheus for metrics. */
const CLIENTS: readonly JsonObject[] = [
  {
    namespaceSelector: {
      matchExpressions: [
        { key: NAMESPACE_NAME, operator: 'In', values: [SYSTEM_NAMESPACE, ...PROMETHEUS_NAMESPACES] },
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
 * gang and the two halves of a pair choose theirs as they go. Where they may connect is open unless the user says.
 */
export function networkPolicy(replica: ComputedReplica): Manifest[] {
  const { deployment, cluster, index } = replica;
  const { enabled, from, to } = deployment.spec.template.spec.networkPolicy;
  if (!enabled) return [];
  const ours = labelsOf({ deployment, cluster: cluster.metadata.name, index });
  const podSelector = {
    matchLabels: replicaSelector(replica),
    matchExpressions: [{ key: ENGINE, operator: 'Exists' }],
  };
  return [
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: objectMeta(deployment, networkPolicyName(deployment.metadata, index), ours),
      spec: {
        podSelector,
        policyTypes: ['Ingress', ...(to ? ['Egress'] : [])],
        ingress: [{ from: [...CLIENTS, ...from], ports: portsOf(replica) }, { from: [{ podSelector }] }],
        ...(to && { egress: [{ to: [{ podSelector }] }, DNS, ...(to.length > 0 ? [{ to }] : [])] }),
      },
    },
  ];
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
