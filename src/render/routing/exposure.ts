import type { Source } from '../../api/cluster-source';
import type { Place, Reach } from '../../routing/places';
import type { JsonObject } from '../manifest';

/**
 * What keeps the load balancer of a Service off the internet, by cloud: the annotations of cloud-provider-gcp, of the
 * in-tree controller of AWS, and of cloud-provider-azure. Elsewhere the user's own controller decides.
 */
const INTERNAL: Annotations = {
  GKE: { 'networking.gke.io/load-balancer-type': 'Internal' },
  EKS: { 'service.beta.kubernetes.io/aws-load-balancer-internal': 'true' },
  AKS: { 'service.beta.kubernetes.io/azure-load-balancer-internal': 'true' },
};

/** A classic load balancer of AWS cuts what is silent for a minute, and engines may think for longer. Its longest. */
const PATIENT: Annotations = {
  EKS: { 'service.beta.kubernetes.io/aws-load-balancer-connection-idle-timeout': '4000' },
};

type Annotations = Readonly<Partial<Record<Source, Readonly<Record<string, string>>>>>;

/** How the Service of a Gateway is exposed on its cluster. */
export function exposure(reach: Reach, { source }: Pick<Place, 'source'>): JsonObject {
  if (reach === 'Cluster') return { type: 'ClusterIP' };
  const annotations = { ...PATIENT[source], ...(reach === 'Private' && INTERNAL[source]) };
  return {
    type: 'LoadBalancer',
    // With Local, a cloud calls nodes without a proxy unhealthy, and takes a while to see one move.
    externalTrafficPolicy: 'Cluster',
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}
