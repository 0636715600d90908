import { ENDPOINT_PICKER } from '../../catalog/engines/endpoint-picker';
import { EDGE } from '../../routing/addresses';
import type { Labels } from '../labels';
import type { Manifest, ObjectMeta } from '../manifest';
import { proxyLabels } from './envoy-proxy';
import { API } from './kinds';

/**
 * Lets the proxies of the edge reach an endpoint picker, Prometheus its metrics, and nobody anything else: it sees every
 * prompt. Kubelets reach the pods of their nodes anyway. Where it connects stays open: to pods and to the API server.
 */
export function pickerNetwork(metadata: ObjectMeta, pods: Labels): Manifest {
  const { port, metricsPort } = ENDPOINT_PICKER;
  return {
    apiVersion: API.network,
    kind: 'NetworkPolicy',
    metadata,
    spec: {
      podSelector: { matchLabels: pods },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: proxyLabels(EDGE) } }],
          ports: [{ protocol: 'TCP', port }],
        },
        { ports: [{ protocol: 'TCP', port: metricsPort }] },
      ],
    },
  };
}
