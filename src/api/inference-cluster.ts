import { z } from 'zod';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { LUSTRE_SKU_NAMES } from '../catalog/azure-lustre';
import { BUCKET_SOURCES } from './cache/source';
import { DISK_CLASSES, type Provider } from './cloud-providers';
import { clusterBackend } from './cluster-backend';
import { clusterGateway, clusterNetwork, FILESTORE_TIERS, type FilestoreTier, looseNetwork } from './cluster-network';
import { clusterScheduler } from './cluster-scheduler';
import { type ClusterSource, clusterSource } from './cluster-source';
import { POOL_LABEL_BY_GROUP } from './labels';
import { mirror } from './mirror';
import { monitoring } from './monitoring';
import { loosePools, nodePools, poolsFitCloud } from './node-pool';
import { topologiesFitScheduler } from './pool-topology';
import { BOTH_GROUPS, type Group, type Path, type ResourceOf } from './resource';
import { fields, withDefault } from './schema/fields';
import { defineKind } from './schema/kind';
import { labelKey } from './schema/label-map';
import { integer } from './schema/quantity';
import { rules } from './schema/rules';
import { nonEmptyText, referencedName } from './schema/string-formats';
import { CLUSTER_EFFECTS, taintList } from './schema/taints-and-tolerations';
import { servingStack } from './serving-stack';
import { IN_CLUSTER } from './kubernetes-spellings';

/** The storage classes that each cloud creates in every cluster, with the reason why caches cannot use them. */
const UNUSABLE_CLASSES: Readonly<Partial<Record<ClusterSource, Readonly<Record<string, string>>>>> = {
  GKE: {
    ...toClassReasons(
      ['standard-rwx', 'premium-rwx', 'zonal-rwx', 'enterprise-rwx', 'enterprise-multishare-rwx'],
      "makes volumes in the network 'default', which nodes of this cluster cannot reach",
    ),
    ...diskClassReasons('GKE'),
  },
  EKS: diskClassReasons('EKS'),
  AKS: diskClassReasons('AKS'),
};

function diskClassReasons(cloud: Provider): Record<string, string> {
  return toClassReasons(DISK_CLASSES[cloud] ?? [], 'makes volumes for one node at a time');
}

function toClassReasons(names: readonly string[], reason: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

const storage = fields(
  {
    sharedFilesystem: fields({
      storageClassName: referencedName
        .optional()
        .describe(
          'A storage class whose volumes many nodes can mount and write. Default: on GKE, EKS and AKS, the one that is created with the cluster.',
        ),
      tier: z
        .enum(FILESTORE_TIERS)
        .optional()
        .describe(
          'The Filestore tier of the storage class. Of a class of your own, it gives the plan the size and the price of volumes. GKE only. Default: Enterprise for the class that is created with the cluster, otherwise unknown.',
        ),
      lustre: fields({
        sku: z
          .enum(LUSTRE_SKU_NAMES)
          .describe('The SKU, whose name has the throughput in MB/s for each TiB: AMLFS-Durable-Premium-125.'),
        capacityTiB: integer(4, 400).describe('The capacity, in TiB: a multiple of that of the SKU.'),
        zone: nonEmptyText(8).optional().describe("Its zone: '1'. Default: the zone of the pools, if they have one."),
      })
        .optional()
        .describe('A file system of Azure Managed Lustre that is created with the cluster. AKS only.'),
    })
      .optional()
      .describe('A file system that many nodes can mount at the same time.'),
    blockDevice: fields({
      storageClassName: referencedName
        .optional()
        .describe(
          'A storage class for disks of single nodes. Default: premium-rwo on GKE, one that is created with the cluster on EKS, managed-csi-premium on AKS.',
        ),
      manyReaders: z
        .boolean()
        .optional()
        .describe('Whether many nodes can mount one of its disks read-only. Default: true on GKE, else false.'),
    })
      .optional()
      .describe('Disks for single nodes.'),
    objectStorageMount: fields({
      sources: z
        .array(z.enum(BUCKET_SOURCES))
        .max(BUCKET_SOURCES.length)
        .default([])
        .describe(
          'The sources whose buckets pods can mount, in addition to that of the cloud. S3: with the driver s3.csi.aws.com. GCS: with gcsfuse.csi.storage.gke.io. Default: GCS on GKE, S3 on EKS, otherwise none.',
        ),
    })
      .optional()
      .describe('The drivers that mount buckets.'),
  },
  {
    storageClassName: 'Move it to spec.storage.sharedFilesystem.storageClassName',
    csiDrivers:
      'Remove it, and declare the storage itself: spec.storage.sharedFilesystem, blockDevice or objectStorageMount',
  },
);

const spec = fields(
  {
    cluster: clusterSource.describe('Where the cluster comes from.'),
    taints: taintList(CLUSTER_EFFECTS).describe(
      "Taints that keep replicas off this cluster unless they tolerate them. The key 'lost' with the effect NoExecute declares that the cluster is lost: its replicas do not serve, and nothing tolerates that.",
    ),
    nodePools: nodePools.describe('The pools of nodes with devices.'),
    poolLabel: labelKey
      .optional()
      .describe(
        'The node label that names the pool. Default: fleetwright.dev/pool, or modelplane.ai/pool under that group.',
      ),
    dra: withDefault(
      z.boolean(),
      true,
      'Whether pods claim devices through DRA. false: pods request the extendedResource of the class from a device plugin.',
    ),
    namespaces: z
      .enum(['Managed', 'Existing'])
      .optional()
      .describe(
        'Managed: created with the workloads. Existing: you create them. Default: Existing with source Existing.',
      ),
    paused: withDefault(z.boolean(), false, 'Whether its replicas are frozen: none are added, moved or removed.'),
    gateway: clusterGateway.prefault({}).describe('How requests reach replicas on this cluster. None: they do not.'),
    storage: storage.optional().describe('The storage that the cluster offers.'),
    mirror: mirror.prefault({}).describe('Mirrors that the cluster uses instead of the internet.'),
    backend: clusterBackend
      .optional()
      .describe('What turns objects into pods. Default: Kubernetes and LeaderWorkerSet alone.'),
    scheduler: clusterScheduler
      .optional()
      .describe('What schedules the pods, and the queue that decides when they start. Default: kube-scheduler.'),
    servingStack: servingStack
      .prefault({})
      .describe('Changes to the software that a Pulumi program installs on the cluster.'),
    monitoring: monitoring
      .optional()
      .describe('How the cluster is monitored, with the operator of Prometheus. Default: - it is not.'),
    stack: z
      .enum(['Standard', 'Dynamo'])
      .optional()
      .describe(
        'For manifests of modelplane.ai. Standard is what every cluster gets. Dynamo is not available: the cluster is planned as Standard, with a warning. Default: Standard.',
      ),
    network: clusterNetwork.prefault({}).describe('The network that is created for a cluster on GKE, EKS and AKS.'),
    deletionProtection: withDefault(
      z.boolean(),
      true,
      'Whether the cloud refuses to delete a cluster on GKE and EKS, and Pulumi refuses on AKS.',
    ),
  },
  IN_CLUSTER,
);

type Declared = z.output<typeof spec>;

/**
 * Checks that the shared file system of a provisioned cluster does not use a built-in class of its cloud: a claim with
 * such a class stays Pending. Fleetwright cannot replace the class, because parameters of a class are immutable.
 */
function* usableClass({ cluster: { source }, storage }: Declared): Iterable<Diagnostic<Path>> {
  const name = storage?.sharedFilesystem?.storageClassName ?? '';
  const known = UNUSABLE_CLASSES[source] ?? {};
  const reason = Object.hasOwn(known, name) ? known[name] : undefined;
  if (reason === undefined) return;
  const what = `'${name}' is a storage class of ${source} itself, and ${reason}`;
  const hint =
    'Remove it to use the shared file system that comes with the cluster, or name a storage class of your own';
  yield errorAt('built-in-class', ['storage', 'sharedFilesystem', 'storageClassName'], what, hint);
}

/** The storage class in the alternative field for existing clusters. */
function existingStorageClassOf({ cluster }: Declared): string | undefined {
  return cluster.source === 'Existing' ? cluster.existing?.cache?.storageClassName : undefined;
}

function* oneStorageClass(declared: Declared): Iterable<Diagnostic<Path>> {
  const alternative = existingStorageClassOf(declared);
  const storageClass = declared.storage?.sharedFilesystem?.storageClassName;
  if (!alternative || !storageClass || alternative === storageClass) return;
  const what = `'${storageClass}' contradicts '${alternative}' of spec.cluster.existing.cache.storageClassName`;
  yield errorAt('contradiction', ['storage', 'sharedFilesystem', 'storageClassName'], what, 'Keep one of the two');
}

/** Azure Managed Lustre is created on AKS only, and only if no storage class is named. */
function* lustreFits({ cluster, storage }: Declared): Iterable<Diagnostic<Path>> {
  const { lustre, storageClassName } = storage?.sharedFilesystem ?? {};
  if (!lustre) return;
  const path = ['storage', 'sharedFilesystem', 'lustre'];
  if (cluster.source !== 'AKS') {
    const what = `Azure Managed Lustre is not created on ${cluster.source}`;
    yield errorAt('contradiction', path, what, 'Remove it, or name a storage class');
  } else if (storageClassName !== undefined) {
    const what = `'${storageClassName}' is the storage class, so no file system is created`;
    yield errorAt('contradiction', path, what, 'Keep one of the two');
  }
}

/** The spec of a cluster, with the defaults that depend on its source and group. */
export interface InferenceClusterSpec extends Declared {
  readonly poolLabel: string;
  readonly namespaces: 'Managed' | 'Existing';

  /** The storage, with the storage class from either field of the document. */
  readonly storage: {
    readonly sharedFilesystem?: {
      /** Absent for the class that is provisioned with the cluster. */
      readonly storageClassName?: string;

      /** The tier of the file system that is provisioned, or of the class that is named. */
      readonly tier?: FilestoreTier;

      /** The file system of Azure Managed Lustre that is provisioned with the cluster. */
      readonly lustre?: NonNullable<NonNullable<Declared['storage']>['sharedFilesystem']>['lustre'];
    };
    readonly blockDevice?: NonNullable<Declared['storage']>['blockDevice'];
    readonly objectStorageMount?: NonNullable<Declared['storage']>['objectStorageMount'];
  };
}

function finish(declared: Declared, group: Group): InferenceClusterSpec {
  const { source } = declared.cluster;
  const { sharedFilesystem, blockDevice, objectStorageMount } = declared.storage ?? {};
  const { storageClassName = existingStorageClassOf(declared), tier, lustre } = sharedFilesystem ?? {};
  return {
    ...declared,
    poolLabel: declared.poolLabel ?? POOL_LABEL_BY_GROUP[group],
    namespaces: declared.namespaces ?? (source === 'Existing' ? 'Existing' : 'Managed'),
    storage: {
      ...((storageClassName || tier || lustre) && {
        sharedFilesystem: {
          ...(storageClassName && { storageClassName }),
          ...(tier && { tier }),
          ...(lustre && { lustre }),
        },
      }),
      ...(blockDevice && { blockDevice }),
      ...(objectStorageMount && { objectStorageMount }),
    },
  };
}

export const inferenceCluster = defineKind(
  {
    kind: 'InferenceCluster',
    scope: 'Cluster',
    groups: BOTH_GROUPS,
    nameIsLabel: true,
    description: 'A Kubernetes cluster of the fleet, and its pools of nodes with devices.',
    spec: spec.check(rules(oneStorageClass, usableClass, lustreFits, poolsFitCloud, topologiesFitScheduler)),
    loose: spec.extend({ nodePools: loosePools, network: looseNetwork.prefault({}) }),
  },
  finish,
);

/** A Kubernetes cluster of the fleet. */
export type InferenceCluster = ResourceOf<'InferenceCluster', InferenceClusterSpec>;

export type InferenceClusterInput = z.input<typeof spec>;
