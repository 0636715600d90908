import { acceptsRequests } from '../../api/engine-phases';
import { podGroupApiOf } from '../../api/kubernetes-features';
import type { NodePool } from '../../api/node-pool';
import { graceSecondsOf } from '../../api/pod/termination-grace';
import { getOrComputeWeak, type WeakPairMap } from '../../base/memoize';
import { shareText } from '../../manifest/format-yaml';
import {
  aliasPodLabelsOf,
  mergeUserLabels,
  objectLabelsOf,
  phaseLabelsOf,
  podSelectorOf,
  SERVING_LABELS,
} from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import {
  backendOf,
  type ComputedEngine,
  type ComputedMember,
  type ComputedReplica,
  isServingRole,
} from '../../replicas/replica';
import { type CacheParts, renderCacheParts } from '../cache/cache-pods';
import { claimTemplateOf } from '../claim-template';
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
  computed: ComputedEngine,
  member: ComputedMember,
  cache: CacheParts,
): JsonObject {
  const nodeSelector = { [replica.cluster.spec.poolLabel]: computed.pool.name };
  return { nodeSelector, ...shareRest(replica, computed, member, cache) };
}

/** Renders a pod spec without its pool. Replicas of a deployment at equal places share it, unless they mount caches. */
function shareRest(
  replica: ComputedReplica,
  computed: ComputedEngine,
  member: ComputedMember,
  cache: CacheParts,
): JsonObject {
  if (replica.caches.length > 0) return renderRest(replica, computed, member, cache);
  const { engine, pool } = computed;
  const known = getOrComputeWeak(SHARED, replica.deployment, member, () => new Map<string, SharedPod>());
  const place = formatPlace(replica, pool);
  const shared = known.get(place);
  if (shared?.engine === engine) return shared.rest;
  const rest = renderRest(replica, computed, member, cache);
  for (const part of Object.values(rest)) if (typeof part === 'object' && part !== null) shareText(part);
  known.set(place, { engine, rest });
  return rest;
}

interface SharedPod {
  readonly engine: ComputedEngine['engine'];
  readonly rest: JsonObject;
}

/** By all that the spec of a pod without caches is made of: the deployment, the member, the engine, and the place. */
const SHARED: WeakPairMap<ComputedReplica['deployment'], ComputedMember, Map<string, SharedPod>> = new WeakMap();

/** Formats all that pods without caches read of their replica, its cluster and its pool. */
function formatPlace(replica: ComputedReplica, { taints, packing, rack }: NodePool): string {
  const { cluster, index } = replica;
  const { poolLabel, scheduler, mirror } = cluster.spec;
  const kubernetes = [poolLabel, scheduler, mirror, backendOf(replica), podGroupApiOf(cluster)];
  return JSON.stringify([index, kubernetes, taints, packing, rack]);
}

function renderRest(
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
  const claim = claimTemplateOf(replica.deployment, engine, member);
  const channel = channelTemplateOf(replica, engine, member);
  const claims = [
    ...(claim ? [{ name: POD_CLAIM_NAME, resourceClaimTemplateName: claim.name }] : []),
    ...(channel === undefined ? [] : [{ name: CHANNEL_CLAIM_NAME, resourceClaimTemplateName: channel }]),
  ];
  const sidecar = renderRoutingSidecar(replica, engine, member);
  const initContainers = [...cache.initContainers, ...(sidecar ? [sidecar] : [])];
  const generated = {
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
