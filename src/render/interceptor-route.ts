import { copyBoundsOf, scalesToZero } from '../api/engine-copies';
import type { ModelDeployment } from '../api/model-deployment';
import { sortUnique } from '../base/order';
import { objectLabelsOf, objectMetaOf } from '../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../manifest/kubernetes/manifest';
import { SERVICE_PORT, serviceNameOf } from '../manifest/kubernetes/object-names';
import type { ComputedReplica } from '../replicas/replica';
import { longestReplicaStartOf } from '../replicas/start-time';
import { listBackendsOf, type Routing } from '../routing/routing';

/** The requests in progress that one copy of a deployment can bear, as its signals say. */
function concurrencyOf({ spec }: ModelDeployment): number | undefined {
  const scaled = spec.template.spec.engines.find((engine) => copyBoundsOf(engine).min === 0);
  return scaled?.scaling?.on.find(({ running }) => running !== undefined)?.running;
}

/** The kind of the HTTP add-on that holds requests. */
export const INTERCEPTOR_ROUTE = { apiVersion: 'http.keda.sh/v1beta1', kind: 'InterceptorRoute' } as const;

/**
 * Renders the route by which the HTTP add-on of KEDA holds and counts requests to a deployment that can have no copy:
 * those that the cluster gateway sends with the hosts of its routes. Requests wait as long as a copy may take to serve.
 * The gateways end responses that take too long.
 */
export function renderInterceptorRoute(replica: ComputedReplica, routing: Routing): Manifest[] {
  const { deployment, cluster } = replica;
  const targetValue = concurrencyOf(deployment);
  const hosts = sortUnique(listBackendsOf(deployment, cluster.metadata.name, routing).map(({ hostname }) => hostname));
  if (!scalesToZero(deployment) || hosts.length === 0 || targetValue === undefined) return [];
  const service = serviceNameOf(deployment.metadata);
  const labels = objectLabelsOf({ deployment, cluster: cluster.metadata.name });
  return [
    {
      ...INTERCEPTOR_ROUTE,
      metadata: objectMetaOf(deployment, service, labels),
      spec: {
        target: { service, port: SERVICE_PORT },
        rules: [{ hosts }],
        scalingMetric: { concurrency: { targetValue } },
        timeouts: { readiness: `${longestReplicaStartOf(replica)}m`, request: '0s', responseHeader: '0s' },
      },
    },
  ];
}
