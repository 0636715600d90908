import { objectLabelsOf, objectMetaOf, servingSelectorOf } from '../manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../manifest/kubernetes/manifest';
import { HTTP_PORT_NAME, SERVICE_PORT, serviceNameOf } from '../manifest/kubernetes/object-names';
import type { ComputedReplica } from '../replicas/replica';

/** Renders the Service of a deployment on a cluster: one stable address for all its replicas there. */
export function renderService({ deployment, cluster }: ComputedReplica): Manifest {
  const labels = objectLabelsOf({ deployment, cluster: cluster.metadata.name });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: objectMetaOf(deployment, serviceNameOf(deployment.metadata), labels),
    spec: {
      type: 'ClusterIP',
      selector: servingSelectorOf(deployment),
      ports: [{ name: HTTP_PORT_NAME, port: SERVICE_PORT, targetPort: HTTP_PORT_NAME }],
    },
  };
}
