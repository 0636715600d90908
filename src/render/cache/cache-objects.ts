import type { InferenceCluster } from '../../api/inference-cluster';
import type { Fleet } from '../../fleet/fleet';
import { sharedStorageClassOf } from '../../fleet/hardware/shared-storage';
import { cacheLabelsOf, mergeUserLabels, SYNC_WAVE } from '../../manifest/kubernetes/labels-and-annotations';
import type { Manifest, ObjectMeta } from '../../manifest/kubernetes/manifest';
import { cacheClaimNameOf, cacheJobNameOf, cacheSweepNameOf } from '../../manifest/kubernetes/object-names';
import { cacheFolderOf, cacheImageOf, type StageableCache } from '../../replicas/staged-caches';
import { formatResource } from '../../scheduler/compile/resource-requests';
import { mirrorImage } from '../image-mirror';
import { downloadOf } from './download';
import { renderCachePod, VOLUME_PATH } from './staging-pod';
import { EXIT_WITHOUT_RETRY, STAGE_SCRIPT, SWEEP_SCRIPT } from './staging-scripts';

/** Where a cache is staged. */
interface StagingContext {
  readonly cluster: InferenceCluster;
  readonly settings: Fleet['settings'];
}

/** What stages a cache on a cluster: the volume, the Job that fills it, and what drops files that nobody needs. */
export function renderCacheObjects(staged: StageableCache, place: StagingContext): Manifest[] {
  return [renderClaim(staged, place), renderStagingJob(staged, place), renderSweepCronJob(staged, place)];
}

function renderClaim(staged: StageableCache, place: StagingContext): Manifest {
  const storageClassName = sharedStorageClassOf(place.cluster);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: metaOf(staged, place, claimOf(staged, place)),
    spec: {
      accessModes: ['ReadWriteMany'],
      ...(storageClassName !== undefined && { storageClassName }),
      resources: {
        requests: { storage: formatResource('memory', (staged.cache.spec.sizeGiB ?? 0) * 2 ** 30) },
      },
    },
  };
}

/**
 * The Job that stages the files. It is kept when it is done: whoever applies manifests again would otherwise make
 * it again, only to find the marker. Its template is immutable, so another content is another Job.
 */
function renderStagingJob(staged: StageableCache, place: StagingContext): Manifest {
  const { args, env, serviceAccountName } = downloadOf(staged, place.cluster.spec.mirror);
  const program = {
    name: 'stage',
    image: imageOf(staged, place),
    command: ['sh', '-c', STAGE_SCRIPT, 'stage'],
    args,
    env: [{ name: 'FOLDER', value: `${VOLUME_PATH}/${cacheFolderOf(staged.cache)}` }, ...env],
    resources: { requests: { cpu: '1', memory: '2Gi' }, limits: { memory: '8Gi' } },
  };
  const spec = {
    backoffLimit: 6,
    podFailurePolicy: {
      rules: [
        {
          action: 'FailJob',
          onExitCodes: { containerName: program.name, operator: 'In', values: [EXIT_WITHOUT_RETRY] },
        },
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      ],
    },
    template: {
      metadata: { labels: labelsFor(staged, place) },
      spec: renderCachePod(place.cluster, claimOf(staged, place), program, serviceAccountName),
    },
  };
  const name = cacheJobNameOf(staged.cache.metadata, JSON.stringify(spec));
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: metaOf(staged, place, name), spec };
}

/** Looks once a day for files of an earlier revision. */
function renderSweepCronJob(staged: StageableCache, place: StagingContext): Manifest {
  const program = {
    name: 'sweep',
    image: imageOf(staged, place),
    command: ['sh', '-c', SWEEP_SCRIPT],
    env: [
      { name: 'VOLUME', value: VOLUME_PATH },
      { name: 'CURRENT', value: cacheFolderOf(staged.cache) },
    ],
    resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '128Mi' } },
  };
  const claimName = claimOf(staged, place);
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metaOf(staged, place, cacheSweepNameOf(staged.cache.metadata)),
    spec: {
      schedule: dailyScheduleOf(claimName),
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 3600,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 1,
      jobTemplate: {
        spec: {
          // A pod that is done still keeps its volume from being deleted.
          ttlSecondsAfterFinished: 600,
          template: {
            metadata: { labels: labelsFor(staged, place) },
            spec: renderCachePod(place.cluster, claimName, program),
          },
        },
      },
    },
  };
}

/** The image as the cluster pulls it: the name of the Job is a digest over it. */
function imageOf({ source }: StageableCache, { cluster, settings }: StagingContext): string {
  return mirrorImage(cluster, cacheImageOf(source, settings));
}

/** A time of day that follows from a name, so that not all caches are looked after at once. */
function dailyScheduleOf(name: string): string {
  const sum = [...name].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 1440, 0);
  return `${sum % 60} ${Math.floor(sum / 60)} * * *`;
}

function claimOf({ cache }: StageableCache, { cluster }: StagingContext): string {
  return cacheClaimNameOf(cache.metadata, sharedStorageClassOf(cluster));
}

/** Before the workloads, where the door waits: no running pod then goes before the files of the next are there. */
const CACHE_ANNOTATIONS = { [SYNC_WAVE]: '-1' } as const;

function metaOf(staged: StageableCache, place: StagingContext, name: string): ObjectMeta {
  const { namespace = 'default' } = staged.cache.metadata;
  return { name, namespace, labels: labelsFor(staged, place), annotations: CACHE_ANNOTATIONS };
}

function labelsFor({ cache }: StageableCache, { cluster, settings }: StagingContext) {
  const ours = cacheLabelsOf(cache.metadata.name, cluster.metadata.name);
  return mergeUserLabels(ours, settings?.spec.defaults.labels ?? {});
}
