import { ROUTING_SIDECAR } from '../../catalog/llm-d/routing-sidecar';
import { connectorOf } from '../../engine/added-containers';
import { servingOf } from '../../engine/ports-and-probe-defaults';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import { HTTP_PORT_NAME } from '../../manifest/kubernetes/object-names';
import type { ComputedEngine, ComputedMember, ComputedReplica } from '../../replicas/replica';
import { renderReadinessProbe } from './probes';

/** The user of the sidecar image. It is set explicitly so that the kubelet can verify that the user is not root. */
const USER = 65_532;

/**
 * Renders the proxy in front of a decode engine. Returns undefined for other engines. The sidecar is an init container
 * that keeps running: it starts before its engine and stops after it, because streams pass through it.
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
    // The sidecar answers like the engine.
    ...(serving.health && { readinessProbe: renderReadinessProbe(serving.health, HTTP_PORT_NAME) }),
    resources: { requests },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      runAsNonRoot: true,
      runAsUser: USER,
    },
  };
}
