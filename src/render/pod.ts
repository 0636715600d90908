import { graceSeconds } from '../api/grace';
import { cacheParts } from './cache/wait';
import { claimTemplate } from './claim-template';
import { engineContainer } from './container';
import { POD_CLAIM } from './container-resources';
import { labelsOf, phaseLabels, podSelector, SERVES, withUserLabels } from './labels';
import type { JsonObject } from './manifest';
import { hubEnvironment } from './mirror';
import { packingHints } from './packing-hints';
import { withTemplate } from './pod-template';
import { type ComputedEngine, type ComputedMember, type ComputedReplica, serves } from './replica';
import { routingSidecar } from './routing-sidecar';
import { sharedMemory } from './shared-memory';
import { tolerationsOf } from './tolerations';

/** The template of the pods of a member. */
export function podTemplate(
  replica: ComputedReplica,
  engine: ComputedEngine,
  member: ComputedMember,
): JsonObject {
  return { metadata: podMeta(replica, engine, member), spec: podSpec(replica, engine, member) };
}

function podMeta(
  { deployment, cluster, index }: ComputedReplica,
  { engine }: ComputedEngine,
  { member: { role, template } }: ComputedMember,
): JsonObject {
  const { labels, annotations } = template.metadata;
  const subject = { deployment, cluster: cluster.metadata.name, index, engine: engine.name, role };
  const ours = { ...labelsOf(subject), ...(serves(role) && { ...SERVES, ...phaseLabels(engine) }) };
  return {
    labels: withUserLabels(ours, deployment.spec.template.metadata.labels, labels),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

function podSpec(replica: ComputedReplica, engine: ComputedEngine, member: ComputedMember): JsonObject {
  const { cluster, caches } = replica;
  const { spec } = member.member.template;
  const { imagePullSecrets } = spec;
  const cache = cacheParts(caches);
  const volumes = [sharedMemory(member), ...cache.volumes];
  const claim = claimTemplate(replica, engine, member);
  const sidecar = routingSidecar(replica, engine, member);
  const initContainers = [...cache.initContainers, ...(sidecar ? [sidecar] : [])];
  const ours = {
    nodeSelector: { [cluster.spec.poolLabel]: engine.pool.name },
    tolerations: tolerationsOf(engine.pool),
    ...packingHints(replica, engine, member),
    // Nothing in an engine talks to the API server, and variables for every Service may clash with its own.
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      seccompProfile: { type: 'RuntimeDefault' },
      ...(cache.supplementalGroups.length > 0 && { supplementalGroups: cache.supplementalGroups }),
    },
    terminationGracePeriodSeconds: graceSeconds(engine.engine, member.member),
    ...(imagePullSecrets.length > 0 && { imagePullSecrets }),
    ...(claim && {
      resourceClaims: [{ name: POD_CLAIM, resourceClaimTemplateName: claim.metadata.name }],
    }),
    ...(initContainers.length > 0 && { initContainers }),
    containers: [engineContainer(replica, engine, member, volumes)],
    volumes: volumes.map(({ volume }) => volume),
  };
  return withTemplate(ours, spec, { labels: podSelector(replica, engine), env: hubEnvironment(cluster) });
}
