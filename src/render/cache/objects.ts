import type { InferenceCluster } from '../../api/inference-cluster';
import type { Fleet } from '../../fleet';
import { quantityOf } from '../../scheduler/amounts';
import { cacheLabels, withUserLabels } from '../labels';
import type { Manifest, ObjectMeta } from '../manifest';
import { pulledFrom } from '../mirror';
import { SYNC_WAVE } from '../annotations';
import { cacheClaimName, cacheJobName, cacheSweepName } from '../names';
import { fetchOf } from './fetch';
import { cacheImage } from './images';
import { cachePod, VOLUME_PATH } from './pod';
import { HOPELESS, STAGE, SWEEP } from './scripts';
import { folderOf, type StagedCache } from './staged';
import { sharedStorageClass } from './storage-class';

/** Where a cache is staged. */
interface Place {
  readonly cluster: InferenceCluster;
  readonly settings: Fleet['settings'];
}

/** What stages a cache on a cluster: the volume, the Job that fills it, and what drops files that nobody needs. */
export function cacheObjects(staged: StagedCache, place: Place): Manifest[] {
  return [claim(staged, place), job(staged, place), sweep(staged, place)];
}

function claim(staged: StagedCache, place: Place): Manifest {
  const storageClassName = sharedStorageClass(place.cluster);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: metaOf(staged, place, claimOf(staged, place)),
    spec: {
      accessModes: ['ReadWriteMany'],
      ...(storageClassName !== undefined && { storageClassName }),
      resources: { requests: { storage: quantityOf('memory', (staged.cache.spec.sizeGiB ?? 0) * 2 ** 30) } },
    },
  };
}

/**
 * The Job that stages the files. It is kept when it is done: whoever applies manifests again would otherwise make
 * it again, only to find the marker. Its template is immutable, so another content is another Job.
 */
function job(staged: StagedCache, place: Place): Manifest {
  const { args, env, serviceAccountName } = fetchOf(staged, place.cluster.spec.mirror);
  const program = {
    name: 'stage',
    image: imageOf(staged, place),
    command: ['sh', '-c', STAGE, 'stage'],
    args,
    env: [{ name: 'FOLDER', value: `${VOLUME_PATH}/${folderOf(staged.cache)}` }, ...env],
    resources: { requests: { cpu: '1', memory: '2Gi' }, limits: { memory: '8Gi' } },
  };
  const spec = {
    backoffLimit: 6,
    podFailurePolicy: {
      rules: [
        {
          action: 'FailJob',
          onExitCodes: { containerName: program.name, operator: 'In', values: [HOPELESS] },
        },
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      ],
    },
    template: {
      metadata: { labels: labelsFor(staged, place) },
      spec: cachePod(place.cluster, claimOf(staged, place), program, serviceAccountName),
    },
  };
  const name = cacheJobName(staged.cache.metadata, JSON.stringify(spec));
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: metaOf(staged, place, name), spec };
}

/** Looks once a day for files of an earlier revision. */
function sweep(staged: StagedCache, place: Place): Manifest {
  const program = {
    name: 'sweep',
    image: imageOf(staged, place),
    command: ['sh', '-c', SWEEP],
    env: [
      { name: 'VOLUME', value: VOLUME_PATH },
      { name: 'CURRENT', value: folderOf(staged.cache) },
    ],
    resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '128Mi' } },
  };
  const claimName = claimOf(staged, place);
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metaOf(staged, place, cacheSweepName(staged.cache.metadata)),
    spec: {
      schedule: onceADay(claimName),
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
            spec: cachePod(place.cluster, claimName, program),
          },
        },
      },
    },
  };
}

/** The image as the cluster pulls it: the name of the Job is a digest over it. */
function imageOf({ source }: StagedCache, { cluster, settings }: Place): string {
  return pulledFrom(cluster, cacheImage(source, settings));
}

/** A time of day that follows from a name, so that not all caches are looked after at once. */
function onceADay(name: string): string {
  const sum = [...name].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 1440, 0);
  return `${sum % 60} ${Math.floor(sum / 60)} * * *`;
}

function claimOf({ cache }: StagedCache, { cluster }: Place): string {
  return cacheClaimName(cache.metadata, sharedStorageClass(cluster));
}

/** Before the workloads, where the door waits: no running pod then goes before the files of the next are there. */
const EARLY = { [SYNC_WAVE]: '-1' } as const;

function metaOf(staged: StagedCache, place: Place, name: string): ObjectMeta {
  const { namespace = 'default' } = staged.cache.metadata;
  return { name, namespace, labels: labelsFor(staged, place), annotations: EARLY };
}

function labelsFor({ cache }: StagedCache, { cluster, settings }: Place) {
  const ours = cacheLabels(cache.metadata.name, cluster.metadata.name);
  return withUserLabels(ours, settings?.spec.defaults.labels ?? {});
}
