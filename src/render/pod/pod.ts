import { acceptsRequests } from '../../api/engine-phases';
import { graceSecondsOf } from '../../api/pod/termination-grace';
import {
  aliasPodLabelsOf,
  mergeUserLabels,
  objectLabelsOf,
  phaseLabelsOf,
  podSelectorOf,
  SERVING_LABELS,
} from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import { type ComputedEngine, type ComputedMember, type ComputedReplica, isServingRole } from '../../replicas/replica';
import { type CacheParts, renderCacheParts } from '../cache/cache-pods';
import { renderClaimTemplate } from '../claim-template';
import { CHANNEL_CLAIM_NAME, channelTemplateOf } from '../compute-domain';
import { hubEnvironmentOf } from '../image-mirror';
import { renderSchedulingGroup } from '../pod-group';
import { queueMetadataOf, schedulerOf } from '../queue-metadata';
import { POD_CLAIM_NAME, renderEngineContainer } from './engine-container';
import { renderRoutingSidecar } from './routing-sidecar';
import { renderPackingHints, tolerationsOf } from './scheduling';
import { renderSharedMemory } from './shared-memory';
import { applyPodTemplate } from './user-template';

export function renderPodTemplate(
  replica: ComputedReplica,
  engine: ComputedEngine,
  member: ComputedMember,
): JsonObject {
  const { deployment, cluster, index } = replica;
  const { role, template } = member.member;
  const { labels, annotations } = template.metadata;
  const serves = isServingRole(role) && acceptsRequests(engine.engine);
  const placed = { deployment, cluster: cluster.metadata.name, index };
  const cache = renderCacheParts(replica.caches, cluster);
  const allAnnotations = { ...cache.annotations, ...queueMetadataOf(cluster).annotations, ...annotations };
  const generated = {
    ...objectLabelsOf({ ...placed, engine: engine.engine.name, role }),
    ...(serves && { ...SERVING_LABELS, ...phaseLabelsOf(engine.engine) }),
    ...aliasPodLabelsOf({ ...placed, pool: engine.pool.name, serves }),
    ...cache.labels,
  };
  const metadata = {
    labels: mergeUserLabels(generated, deployment.spec.template.metadata.labels, labels),
    ...(Object.keys(allAnnotations).length > 0 && { annotations: allAnnotations }),
  };
  return { metadata, spec: renderPodSpec(replica, engine, member, cache) };
}

function renderPodSpec(
  replica: ComputedReplica,
  engine: ComputedEngine,
  member: ComputedMember,
  cache: CacheParts,
): JsonObject {
  const { cluster } = replica;
  const { schedulerName } = schedulerOf(cluster);
  const { spec } = member.member.template;
  const imagePullSecrets = mergePullSecrets(spec.imagePullSecrets, cache.pullSecrets);
  const sharedMemory = renderSharedMemory(member);
  const claim = renderClaimTemplate(replica, engine, member);
  const channel = channelTemplateOf(replica, engine, member);
  const claims = [
    ...(claim ? [{ name: POD_CLAIM_NAME, resourceClaimTemplateName: claim.metadata.name }] : []),
    ...(channel === undefined ? [] : [{ name: CHANNEL_CLAIM_NAME, resourceClaimTemplateName: channel }]),
  ];
  const sidecar = renderRoutingSidecar(replica, engine, member);
  const initContainers = [...cache.initContainers, ...(sidecar ? [sidecar] : [])];
  const generated = {
    nodeSelector: { [cluster.spec.poolLabel]: engine.pool.name },
    tolerations: tolerationsOf(engine.pool),
    ...(schedulerName !== undefined && { schedulerName }),
    ...renderSchedulingGroup(replica, engine),
    ...renderPackingHints(replica, engine, member),
    // An engine does not call the API server, and Service variables can conflict with its own variables.
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      seccompProfile: { type: 'RuntimeDefault' },
      ...cache.securityContext,
    },
    terminationGracePeriodSeconds: graceSecondsOf(engine.engine, member.member),
    ...(imagePullSecrets.length > 0 && { imagePullSecrets }),
    ...(claims.length > 0 && { resourceClaims: claims }),
    ...(initContainers.length > 0 && { initContainers }),
    containers: [renderEngineContainer(replica, engine, member, [sharedMemory.mount, ...cache.mounts])],
    volumes: [sharedMemory.volume, ...cache.volumes],
  };
  return applyPodTemplate(generated, spec, podSelectorOf(replica, engine), hubEnvironmentOf(cluster));
}

type PullSecrets = ComputedMember['member']['template']['spec']['imagePullSecrets'];

function mergePullSecrets(declared: PullSecrets, names: readonly string[]): PullSecrets {
  const known = new Set(declared.map(({ name }) => name));
  return [...declared, ...names.filter((name) => !known.has(name)).map((name) => ({ name }))];
}
