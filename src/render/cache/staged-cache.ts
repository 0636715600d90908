import { sharedStorageClassOf } from '../../fleet/hardware/shared-storage';
import type { Labels } from '../../manifest/kubernetes/labels-and-annotations';
import type { Manifest, ObjectMeta } from '../../manifest/kubernetes/manifest';
import { cacheClaimNameOf, cacheJobNameOf, cacheSweepNameOf } from '../../manifest/kubernetes/object-names';
import { identityLabelsOf } from '../../replicas/azure-blob';
import { cacheFolderOf, cacheImageOf, type StageableCache } from '../../replicas/staged-caches';
import { formatResourceAmount } from '../../scheduler/compile/resource-requests';
import { mirrorImage } from '../image-mirror';
import type { ClusterContext } from '../routing/routing-object';
import { renderCachePod, stageContainerOf, VOLUME_PATH } from './cache-pods';
import { renderCacheLabels, renderCacheMetadata } from './cache-metadata';
import { EXIT_WITHOUT_RETRY, SWEEP_SCRIPT } from './staging-scripts';

/** Renders the volume of a cache on a cluster, the Job that fills it, and the CronJob that cleans it up. */
export function renderStagedCache(staged: StageableCache, context: ClusterContext): Manifest[] {
  return [renderClaim(staged, context), renderStagingJob(staged, context), renderSweepCronJob(staged, context)];
}

function renderClaim(staged: StageableCache, context: ClusterContext): Manifest {
  const storageClassName = sharedStorageClassOf(context.cluster);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: metaOf(staged, context, claimOf(staged, context)),
    spec: {
      accessModes: ['ReadWriteMany'],
      ...(storageClassName !== undefined && { storageClassName }),
      resources: { requests: { storage: formatResourceAmount('memory', (staged.cache.spec.sizeGiB ?? 0) * 2 ** 30) } },
    },
  };
}

/**
 * Renders the Job that stages the files. It has no TTL: applying the manifests again would otherwise recreate the Job,
 * only to find the files staged. The template of a Job is immutable, so its name contains a digest of the spec.
 */
function renderStagingJob(staged: StageableCache, context: ClusterContext): Manifest {
  const image = imageOf(staged, context);
  const { serviceAccountName, ...container } = stageContainerOf(staged, image, context.cluster.spec.mirror);
  const onExitCodes = { containerName: container.name, operator: 'In', values: [EXIT_WITHOUT_RETRY] };
  const onPodConditions = [{ type: 'DisruptionTarget', status: 'True' }];
  const spec = {
    backoffLimit: 6,
    podFailurePolicy: {
      rules: [
        { action: 'FailJob', onExitCodes },
        { action: 'Ignore', onPodConditions },
      ],
    },
    template: {
      metadata: { labels: { ...labelsOf(staged, context), ...identityLabelsOf(staged.cache.spec) } },
      spec: renderCachePod(context.cluster, claimOf(staged, context), container, serviceAccountName),
    },
  };
  const name = cacheJobNameOf(staged.cache.metadata, JSON.stringify(spec));
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: metaOf(staged, context, name), spec };
}

/** Renders the CronJob that looks for files of an earlier revision once a day. */
function renderSweepCronJob(staged: StageableCache, context: ClusterContext): Manifest {
  const container = {
    name: 'sweep',
    image: imageOf(staged, context),
    command: ['sh', '-c', SWEEP_SCRIPT],
    env: [
      { name: 'VOLUME', value: VOLUME_PATH },
      { name: 'CURRENT', value: cacheFolderOf(staged.cache) },
    ],
    resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '128Mi' } },
  };
  const claimName = claimOf(staged, context);
  const template = {
    metadata: { labels: labelsOf(staged, context) },
    spec: renderCachePod(context.cluster, claimName, container),
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metaOf(staged, context, cacheSweepNameOf(staged.cache.metadata)),
    spec: {
      schedule: dailyScheduleOf(claimName),
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 3600,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 1,
      // A pod that has ended still prevents its volume from being deleted.
      jobTemplate: { spec: { ttlSecondsAfterFinished: 600, template } },
    },
  };
}

/** Returns the image as the cluster pulls it. It is part of the digest in the name of the Job. */
function imageOf({ source }: StageableCache, { cluster, settings }: ClusterContext): string {
  return mirrorImage(cluster, cacheImageOf(source, settings));
}

/** Derives a time of day from a name, so that the sweeps of caches do not all run at once. */
function dailyScheduleOf(name: string): string {
  const minute = [...name].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 1440, 0);
  return `${minute % 60} ${Math.floor(minute / 60)} * * *`;
}

function claimOf({ cache }: StageableCache, { cluster }: ClusterContext): string {
  return cacheClaimNameOf(cache.metadata, sharedStorageClassOf(cluster));
}

function metaOf({ cache }: StageableCache, context: ClusterContext, name: string): ObjectMeta {
  return renderCacheMetadata(cache, context, name);
}

function labelsOf({ cache }: StageableCache, context: ClusterContext): Labels {
  return renderCacheLabels(cache, context);
}
