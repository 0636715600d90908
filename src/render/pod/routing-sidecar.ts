import { ROUTING_SIDECAR } from '../../catalog/llm-d/routing-sidecar';
import { connectorOf } from '../../engine/added-containers';
import { servingOf } from '../../engine/ports-and-probe-defaults';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import { HTTP_PORT_NAME } from '../../manifest/kubernetes/object-names';
import type { ComputedEngine, ComputedMember, ComputedReplica } from '../../replicas/replica';
import { renderSidecarProbe } from './probes';

/** The user of its image, said again so that the kubelet can tell that it is not root. */
const USER = 65_532;

/**
 * The proxy before an engine that decodes, or nothing. As an init container that never ends it is there before its
 * engine, and ends after it: streams go through it.
 */
export function renderRoutingSidecar(
  { deployment }: ComputedReplica,
  { engine }: ComputedEngine,
  { member }: ComputedMember,
): JsonObject | undefined {
  const connector = connectorOf(deployment, engine, member);
  if (connector === undefined) return undefined;
  const serving = servingOf(deployment, engine);
  const { name, image, port, requests } = ROUTING_SIDECAR;
  return {
    name,
    image,
    restartPolicy: 'Always',
    args: ROUTING_SIDECAR.args(connector, serving.enginePort),
    ports: [{ name: HTTP_PORT_NAME, containerPort: port }],
    ...renderSidecarProbe(serving),
    resources: { requests },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      runAsNonRoot: true,
      runAsUser: USER,
    },
  };
}
