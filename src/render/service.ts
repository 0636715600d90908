import { labelsOf, servingSelector } from './labels';
import type { Manifest } from './manifest';
import { serviceName } from './names';
import { objectMeta } from './object-meta';
import { HTTP_PORT } from './probes';
import type { ComputedReplica } from './replica';

/** One stable address, within the cluster, of all replicas of a deployment on it. */
export function service({ deployment, cluster }: ComputedReplica): Manifest {
  const ours = labelsOf({ deployment, cluster: cluster.metadata.name });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: objectMeta(deployment, serviceName(deployment.metadata), ours),
    spec: {
      type: 'ClusterIP',
      selector: servingSelector(deployment),
      ports: [{ ...HTTP_PORT, targetPort: HTTP_PORT.name }],
    },
  };
}
