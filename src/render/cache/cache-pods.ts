import type { InferenceCluster } from '../../api/inference-cluster';
import type { Mirror } from '../../api/mirror';
import { DISK_CONTAINER_PREFIX, SCRATCH_VOLUME } from '../../api/pod/reserved-names';
import { sortUnique } from '../../base/order';
import { type AddedContainer, CACHE_STAGE_CONTAINER, CACHE_WAIT_CONTAINER } from '../../engine/added-containers';
import type { JsonObject } from '../../manifest/kubernetes/manifest';
import { cacheMountOf, cacheVolumeOf, type MountedCache } from '../../replicas/mounted-caches';
import { avoidGpuPools, tolerateAllPools } from '../pod/scheduling';
import { cacheFolderOf, type StageableCache } from '../../replicas/staged-caches';
import { downloadOf } from './download';
import { STAGE_SCRIPT, WAIT_SCRIPT } from './staging-scripts';
import { READ_ONLY_CONTAINER } from '../pod/security-context';

/** The mount path of the volume in the containers of caches. */
export const VOLUME_PATH = '/cache';

export interface CacheContainer {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly args?: readonly string[];
  readonly env: readonly JsonObject[];
  readonly resources: AddedContainer['resources'];
}

/** Runs on any node, but prefers nodes outside of pools, because engines need the CPUs of pool nodes. */
export function renderCachePod(
  cluster: InferenceCluster,
  claimName: string,
  container: CacheContainer,
  serviceAccountName?: string,
): JsonObject {
  return {
    restartPolicy: 'Never',
    ...(serviceAccountName !== undefined && { serviceAccountName }),
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    affinity: avoidGpuPools(cluster),
    tolerations: tolerateAllPools(cluster),
    securityContext: SECURE_POD,
    containers: [renderCacheContainer(container, { volume: 'cache', scratch: 'scratch' })],
    volumes: [
      { name: 'cache', persistentVolumeClaim: { claimName } },
      { name: 'scratch', emptyDir: {} },
    ],
  };
}

interface CacheContainerVolumes {
  /** The name of the volume with the files. */
  readonly volume: string;

  /** The name of an empty volume for temporary files. */
  readonly scratch: string;
}

/** Renders a container that works on the files of a cache. */
function renderCacheContainer(
  { name, image, command, args, ...rest }: CacheContainer,
  { volume, scratch }: CacheContainerVolumes,
): JsonObject {
  return {
    name,
    image,
    command,
    ...(args && { args }),
    ...rest,
    // If the program fails, its last log lines appear in the status of the pod.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: SECURE_CONTAINER,
    volumeMounts: [
      { name: volume, mountPath: VOLUME_PATH },
      { name: scratch, mountPath: '/tmp' },
    ],
  };
}

/**
 * The UID and GID that own staged files. Engines with another UID write to the volume as members of the group. The
 * strictest Pod Security level forbids root, and the image does not need to know the user.
 */
const CACHE_USER = 1000;

/** The security context of a container that needs only its volumes. It meets the strictest Pod Security level. */
const SECURE_CONTAINER: JsonObject = {
  runAsNonRoot: true,
  runAsUser: CACHE_USER,
  runAsGroup: CACHE_USER,
  ...READ_ONLY_CONTAINER,
};

/** The security context of a pod of such containers. Its volumes belong to the group of the cache user. */
const SECURE_POD: JsonObject = {
  runAsNonRoot: true,
  fsGroup: CACHE_USER,
  // The volume of a large model has too many files to visit all of them on each mount.
  fsGroupChangePolicy: 'OnRootMismatch',
  seccompProfile: { type: 'RuntimeDefault' },
};

/** The name of the container of a Job that stages a cache. */
export const STAGE_CONTAINER_NAME = 'stage';

/** The name of the container that waits until the caches of a pod are staged. */
export const WAIT_CONTAINER_NAME = 'wait-for-cache';

export interface CacheParts {
  readonly volumes: readonly JsonObject[];

  /** The mounts of the engine. */
  readonly mounts: readonly JsonObject[];
  readonly initContainers: readonly JsonObject[];

  /** The fields of the security context with which engines read and write the files. */
  readonly securityContext: JsonObject;

  /** The Secrets with which the pod pulls the images of volumes. */
  readonly pullSecrets: readonly string[];

  /** The labels with which containers that stage files get their identity. */
  readonly labels: Readonly<Record<string, string>>;

  /** The annotations that drivers of volumes require. */
  readonly annotations: Readonly<Record<string, string>>;
}

const NO_PARTS: CacheParts = {
  volumes: [],
  mounts: [],
  initContainers: [],
  securityContext: {},
  pullSecrets: [],
  labels: {},
  annotations: {},
};

/** The init containers end after all caches are staged, so that no engine starts on an empty folder. */
export function renderCacheParts(caches: readonly MountedCache[], { spec }: InferenceCluster): CacheParts {
  if (caches.length === 0) return NO_PARTS;
  const staged = caches.filter(({ stagedBy }) => stagedBy !== undefined);
  const ownDisks = staged.filter(({ stagedInPod }) => stagedInPod);
  const [first, ...others] = staged.filter(({ stagedInPod }) => !stagedInPod);
  return {
    volumes: [...caches.map(cacheVolumeOf), ...(ownDisks.length > 0 ? [{ name: SCRATCH_VOLUME, emptyDir: {} }] : [])],
    mounts: caches.map(cacheMountOf),
    initContainers: [
      ...ownDisks.map((cache) => renderDiskContainer(cache, spec.mirror)),
      ...(first ? [renderWaitContainer(first.stagedBy ?? '', [first, ...others])] : []),
    ],
    securityContext: {
      // A new disk belongs to root.
      ...(ownDisks.length > 0 && { fsGroup: CACHE_USER, fsGroupChangePolicy: 'OnRootMismatch' }),
      ...(staged.length > 0 && { supplementalGroups: [CACHE_USER] }),
    },
    pullSecrets: sortUnique(caches.flatMap(({ pullSecret }) => pullSecret ?? [])),
    labels: Object.assign({}, ...caches.map(({ podLabels }) => podLabels)),
    annotations: Object.assign({}, ...caches.map(({ podAnnotations }) => podAnnotations)),
  };
}

/** Renders the container that stages a cache on the disk of its pod. */
function renderDiskContainer({ volume, stagedBy = '', stagedInPod }: MountedCache, mirror: Mirror): JsonObject {
  if (!stagedInPod) throw new Error(`bug: the volume '${volume}' is not staged in its pod`);
  const { serviceAccountName: _, ...container } = stageContainerOf(stagedInPod, stagedBy, mirror);
  return renderCacheContainer(
    { ...container, name: `${DISK_CONTAINER_PREFIX}${volume}` },
    { volume, scratch: SCRATCH_VOLUME },
  );
}

/** The container that stages the files of a cache, and the account that reads the source. */
export function stageContainerOf(
  staged: StageableCache,
  image: string,
  mirror: Mirror,
): CacheContainer & { readonly serviceAccountName?: string } {
  const { args, env, ...account } = downloadOf(staged, mirror);
  return {
    name: STAGE_CONTAINER_NAME,
    image,
    command: ['sh', '-c', STAGE_SCRIPT, 'stage'],
    args,
    env: [{ name: 'FOLDER', value: `${VOLUME_PATH}/${cacheFolderOf(staged.cache)}` }, ...env],
    resources: CACHE_STAGE_CONTAINER.resources,
    ...account,
  };
}

function renderWaitContainer(image: string, caches: readonly MountedCache[]): JsonObject {
  return {
    name: WAIT_CONTAINER_NAME,
    image,
    command: ['sh', '-c', WAIT_SCRIPT, 'wait'],
    args: caches.map(({ volume, folder = '' }) => `/cache/${volume}/${folder}`),
    resources: CACHE_WAIT_CONTAINER.resources,
    securityContext: SECURE_CONTAINER,
    volumeMounts: caches.map(({ volume }) => ({ name: volume, mountPath: `/cache/${volume}`, readOnly: true })),
  };
}
