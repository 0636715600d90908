import { ENGINE } from '../api/labels';
import { labelsOf, NAMESPACE_NAME, replicaSelector } from './labels';
import type { JsonObject, Manifest } from './manifest';
import { networkPolicyName, SYSTEM_NAMESPACE } from './names';
import { objectMeta } from './object-meta';
import { BEHIND_SIDECAR, HTTP } from './probes';
import type { ComputedReplica } from './replica';

/** Where Prometheus runs: that of kube-prometheus-stack, and the collectors that GKE brings. */
const PROMETHEUS_NAMESPACES = ['gmp-system', 'monitoring'];

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
  const { deployment, cluster, index, engines } = replica;
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
        ingress: [{ from: [...CLIENTS, ...from], ports: portsOf(engines) }, { from: [{ podSelector }] }],
        ...(to && { egress: [{ to: [{ podSelector }] }, DNS, ...(to.length > 0 ? [{ to }] : [])] }),
      },
    },
  ];
}

/** The port that serves, by its name, and that of an engine behind a sidecar, which has the metrics. */
function portsOf(engines: ComputedReplica['engines']): JsonObject[] {
  const isBehind = engines.some(({ engine }) => engine.phase === 'Decode');
  return [HTTP, ...(isBehind ? [BEHIND_SIDECAR] : [])].map((port) => ({ protocol: 'TCP', port }));
}
