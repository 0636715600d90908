import { labelsOf, servingSelector } from './labels';
import type { Manifest } from './manifest';
import { serviceName } from './names';
import { objectMeta } from './object-meta';
import { HTTP } from './probes';
import type { ComputedReplica } from './replica';

/** The port of the Service, whatever the engine behind it listens on. */
export const SERVICE_PORT = 8000;

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
      ports: [{ name: HTTP, port: SERVICE_PORT, targetPort: HTTP }],
    },
  };
}
