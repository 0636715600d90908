// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { InferenceClass } from '../inference-class';
import type { ClusterGatewayTls, Dns } from './shared';
import type { KnownAwsRegion, KnownAzureRegion, KnownGkeRegion } from './known-names';
import type { ObjectReference } from '../object-reference';
import type { OneBlock } from '../one-block';
import type { NonEmpty } from '../non-empty';

/** Properties of an `InferenceCluster`. A Kubernetes cluster of the fleet, and its pools of nodes with devices. */
export interface InferenceClusterProps {
  /** The name, unique among resources of this kind and namespace.
   * @default the id of the construct */
  readonly name?: string | undefined;
  /** Labels, for selectors.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations. They do not affect plans.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Where the cluster comes from. */
  readonly cluster: ClusterSource;
  /** Taints that keep replicas off this cluster unless they tolerate them. The key 'lost' with the effect NoExecute declares that the cluster is lost: its replicas do not serve, and nothing tolerates that.
   * @default - none */
  readonly taints?: readonly ClusterTaint[] | undefined;
  /** The pools of nodes with devices.
   * @default - none */
  readonly nodePools?: readonly NodePool[] | undefined;
  /** The node label that names the pool.
   * @default fleetwright.dev/pool, or modelplane.ai/pool under that group */
  readonly poolLabel?: string | undefined;
  /** Whether pods claim devices through DRA. false: pods request the extendedResource of the class from a device plugin.
   * @default true */
  readonly dra?: boolean | undefined;
  /** Managed: created with the workloads. Existing: you create them.
   * @default Existing with source Existing */
  readonly namespaces?: 'Managed' | 'Existing' | undefined;
  /** Whether its replicas are frozen: none are added, moved or removed.
   * @default false */
  readonly paused?: boolean | undefined;
  /** How requests reach replicas on this cluster. None: they do not.
   * @default - none */
  readonly gateway?: 'None' | ClusterGateway | undefined;
  /** The storage that the cluster offers.
   * @default - none */
  readonly storage?: ClusterStorage | undefined;
  /** Mirrors that the cluster uses instead of the internet.
   * @default - none */
  readonly mirror?: Mirror | undefined;
  /** What turns objects into pods.
   * @default Kubernetes and LeaderWorkerSet alone */
  readonly backend?: Backend | undefined;
  /** What schedules the pods, and the queue that decides when they start.
   * @default kube-scheduler */
  readonly scheduler?: Scheduler | undefined;
  /** Changes to the software that a Pulumi program installs on the cluster.
   * @default - none */
  readonly servingStack?: ServingStack | undefined;
  /** How the cluster is monitored, with the operator of Prometheus.
   * @default - it is not */
  readonly monitoring?: Monitoring | undefined;
  /** For manifests of modelplane.ai. Standard is what every cluster gets. Dynamo is not available: the cluster is planned as Standard, with a warning.
   * @default Standard */
  readonly stack?: 'Standard' | 'Dynamo' | undefined;
  /** The network that is created for a cluster on GKE, EKS and AKS.
   * @default - none */
  readonly network?: ClusterNetwork | undefined;
  /** Whether the cloud refuses to delete a cluster on GKE and EKS, and Pulumi refuses on AKS.
   * @default true */
  readonly deletionProtection?: boolean | undefined;
}

/** Where the cluster comes from. */
export type ClusterSource = OneBlock<
  ClusterSourceFields,
  'source',
  { GKE: 'gke'; EKS: 'eks'; AKS: 'aks'; Nebius: 'nebius'; Vultr: 'vultr'; Custom: 'custom'; Existing: 'existing' }
>;

/** All fields of `ClusterSource`. */
export interface ClusterSourceFields {
  /** What creates the cluster: Fleetwright on GKE, EKS and AKS; a Cloud of a Pulumi program on Nebius, Vultr and Custom. Existing: it exists, on any cloud. The block of the same name is required. */
  readonly source: 'GKE' | 'EKS' | 'AKS' | 'Nebius' | 'Vultr' | 'Custom' | 'Existing';
  /** For source GKE.
   * @default - none */
  readonly gke?: GkeCluster | undefined;
  /** For source EKS.
   * @default - none */
  readonly eks?: EksCluster | undefined;
  /** For source AKS.
   * @default - none */
  readonly aks?: AksCluster | undefined;
  /** For source Nebius: a Cloud of a Pulumi program creates the cluster. Can be empty: the region is that of the credential.
   * @default - none */
  readonly nebius?: NebiusCluster | undefined;
  /** For source Vultr: a Cloud of a Pulumi program creates the cluster.
   * @default - none */
  readonly vultr?: VultrCluster | undefined;
  /** For source Custom: a Cloud of a Pulumi program creates the cluster.
   * @default - none */
  readonly custom?: CustomCluster | undefined;
  /** For source Existing: the cluster exists, on any cloud.
   * @default - none */
  readonly existing?: ExistingCluster | undefined;
}

/** For source GKE. */
export interface GkeCluster {
  /** The region of the cloud. */
  readonly region: KnownGkeRegion | (string & {});
  /** The zone of the control plane: us-central1-a.
   * @default all zones of the region */
  readonly zone?: string | undefined;
  /** The Kubernetes version.
   * @default 1.35 */
  readonly kubernetesVersion?: string | undefined;
  /** The volume drivers of GKE that are installed in addition to the Filestore driver, which is always installed.
   * @default - none */
  readonly addons?: GkeAddons | undefined;
  /** The credentials of a control plane that creates the cluster. Accepted but ignored: Pulumi uses its own.
   * @default - none */
  readonly credentials?: CloudCredentials | undefined;
}

/** The volume drivers of GKE that are installed in addition to the Filestore driver, which is always installed. */
export interface GkeAddons {
  /** Whether the Persistent Disk driver is installed: volumes for one node at a time, as charts and caches with storage BlockDevice request them.
   * @default true */
  readonly persistentDisk?: boolean | undefined;
  /** Whether the Cloud Storage FUSE driver is installed: buckets as csi volumes of pods with the annotation gke-gcsfuse/volumes: "true". The driver grants no access: each bucket must allow reads by the service account of the pods, under its workload identity name. A ModelCache that may mount a bucket also installs the driver.
   * @default false */
  readonly gcsFuse?: boolean | undefined;
}

/** The credentials of a control plane that creates the cluster. Accepted but ignored: Pulumi uses its own. */
export interface CloudCredentials {
  /** The kind of object.
   * @default ClusterProviderConfig */
  readonly type?: 'ProviderConfig' | 'ClusterProviderConfig' | undefined;
  /** The name of the object.
   * @default default */
  readonly name?: string | undefined;
}

/** For source EKS. */
export interface EksCluster {
  /** The region of the cloud. */
  readonly region: KnownAwsRegion | (string & {});
  /** The zones of the control plane, of the system nodes and of the NAT gateway, at least two: us-east-1a. AWS does not allow changes to them.
   * @default the zones of the pools when the cluster is created, plus another zone if that is only one */
  readonly zones?: readonly string[] | undefined;
  /** The Kubernetes version.
   * @default 1.36 */
  readonly kubernetesVersion?: string | undefined;
  /** The ARNs of IAM roles and users with all permissions on the cluster, in addition to the identity that creates it.
   * @default none */
  readonly admins?: readonly string[] | undefined;
  /** The credentials of a control plane that creates the cluster. Accepted but ignored: Pulumi uses its own.
   * @default - none */
  readonly credentials?: CloudCredentials | undefined;
}

/** For source AKS. */
export interface AksCluster {
  /** The region of the cloud. */
  readonly location: KnownAzureRegion | (string & {});
  /** The Kubernetes version.
   * @default 1.36 */
  readonly kubernetesVersion?: string | undefined;
  /** The object IDs of groups, users and service principals in Microsoft Entra with all permissions on the cluster, in addition to the identity that creates it.
   * @default none */
  readonly admins?: readonly string[] | undefined;
  /** The credentials of a control plane that creates the cluster. Accepted but ignored: Pulumi uses its own.
   * @default - none */
  readonly credentials?: CloudCredentials | undefined;
}

/** For source Nebius: a Cloud of a Pulumi program creates the cluster. Can be empty: the region is that of the credential. */
export interface NebiusCluster {
  /** The Kubernetes version.
   * @default 1.34 */
  readonly kubernetesVersion?: string | undefined;
  /** The credentials of a control plane that creates the cluster. Accepted but ignored: Pulumi uses its own.
   * @default - none */
  readonly credentials?: CloudCredentials | undefined;
}

/** For source Vultr: a Cloud of a Pulumi program creates the cluster. */
export interface VultrCluster {
  /** The region of the cloud. */
  readonly region: string;
  /** The Kubernetes version.
   * @default v1.36.1+3 */
  readonly kubernetesVersion?: string | undefined;
  /** The credentials of a control plane that creates the cluster. Accepted but ignored: Pulumi uses its own.
   * @default - none */
  readonly credentials?: CloudCredentials | undefined;
}

/** For source Custom: a Cloud of a Pulumi program creates the cluster. */
export interface CustomCluster {
  /** The source of the Cloud that the Pulumi program passes to the stack: OKE. */
  readonly cloud: string;
  /** The region of the cloud.
   * @default none */
  readonly region?: string | undefined;
  /** The Kubernetes version, as 1.36.
   * @default unknown, and features that depend on it are not checked */
  readonly kubernetesVersion?: string | undefined;
}

/** For source Existing: the cluster exists, on any cloud. */
export interface ExistingCluster {
  /** The Secret that holds the kubeconfig. Default key: kubeconfig.
   * @default - none */
  readonly secretRef?: KubeconfigSecret | undefined;
  /** The context in the kubeconfig of the Secret, or else in the kubeconfig file of the user who applies.
   * @default - none */
  readonly context?: string | undefined;
  /** The Secret that holds a cloud identity, where the kubeconfig alone is not enough.
   * @default - none */
  readonly identitySecretRef?: IdentitySecret | undefined;
  /** The Kubernetes version, as 1.36.
   * @default unknown, and features that depend on it are not checked */
  readonly kubernetesVersion?: string | undefined;
  /** The same as spec.storage.sharedFilesystem.
   * @default - none */
  readonly cache?: ExistingCacheStorage | undefined;
}

/** The Secret that holds the kubeconfig. Default key: kubeconfig. */
export interface KubeconfigSecret {
  /** The name of the Secret. */
  readonly name: ObjectReference | string;
  /** The key in the Secret.
   * @default kubeconfig */
  readonly key?: string | undefined;
}

/** The Secret that holds a cloud identity, where the kubeconfig alone is not enough. */
export interface IdentitySecret {
  /** The name of the Secret. */
  readonly name: ObjectReference | string;
  /** The key in the Secret.
   * @default private_key */
  readonly key?: string | undefined;
  /** The kind of identity.
   * @default GoogleApplicationCredentials */
  readonly type?:
    | 'GoogleApplicationCredentials'
    | 'AWSWebIdentityCredentials'
    | 'NebiusServiceAccountCredentials'
    | undefined;
}

/** The same as spec.storage.sharedFilesystem. */
export interface ExistingCacheStorage {
  /** The name of the storage class.
   * @default - none */
  readonly storageClassName?: string | undefined;
}

/** Used in `InferenceClusterProps.taints`. */
export interface ClusterTaint {
  /** The key of the taint, a label key. */
  readonly key: string;
  /** The value of the taint, which tolerations can match.
   * @default - none */
  readonly value?: string | undefined;
  /** The effect on workloads that do not tolerate it. */
  readonly effect: 'NoSchedule' | 'NoExecute';
}

/** Used in `InferenceClusterProps.nodePools`. */
export interface NodePool {
  /** The name of the pool within the cluster. */
  readonly name: string;
  /** The InferenceClass of its nodes. */
  readonly className: InferenceClass | string;
  /** Nodes of the pool, over all zones.
   * @default 1, or minNodeCount if that is more */
  readonly nodeCount?: number | undefined;
  /** The fewest nodes that an autoscaler scales down to.
   * @default - none */
  readonly minNodeCount?: number | undefined;
  /** The most nodes of the pool, over all zones. Setting it turns autoscaling on.
   * @default - none */
  readonly maxNodeCount?: number | undefined;
  /** The nodes without engines that an autoscaler keeps, so that a further copy need not wait for one. They cost as much as others.
   * @default - none */
  readonly overprovision?: number | undefined;
  /** The zones of its nodes. Required on GKE and EKS. On AKS, numbers: 1. Default there: none, Azure chooses.
   * @default - none */
  readonly zones?: readonly string[] | undefined;
  /** The EC2 capacity block that the nodes come from. EKS only.
   * @default - none */
  readonly capacityBlock?: CapacityBlock | undefined;
  /** The network between its nodes for gangs.
   * @default - none */
  readonly fabric?: Fabric | undefined;
  /** The nodes of the pool are trays of one rack with a common NVLink domain, so that gangs get a ComputeDomain.
   * @default - the nodes share no NVLink domain */
  readonly rack?: 'NVL72' | undefined;
  /** The chips of one TPU slice: 2x4. If a node has fewer chips, the pool is one slice, and gangs on it have a pod on each of its nodes.
   * @default - each node is a slice */
  readonly tpuTopology?: string | undefined;
  /** How its nodes are connected, so that KAI keeps gangs close together.
   * @default - not known */
  readonly topology?: Topology | undefined;
  /** Labels of its nodes.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Spread: capacity is guaranteed however the cluster arranges pods. BinPack: the cluster runs a bin-packing scheduler. Exclusive: a node for each pod.
   * @default Spread */
  readonly packing?: 'Spread' | 'BinPack' | 'Exclusive' | undefined;
  /** The part of each node that other workloads use. The plan leaves it free.
   * @default - none */
  readonly reserved?: ReservedAmounts | undefined;
  /** Taints of its nodes. All replicas of the fleet tolerate them, so that they keep off pods of other tools alone. To reserve a pool for a deployment, give others a where or a clusterSelector that does not match it, or put the pool into a cluster of its own with spec.taints.
   * @default - none */
  readonly taints?: readonly NodeTaint[] | undefined;
}

/** The EC2 capacity block that the nodes come from. EKS only. */
export interface CapacityBlock {
  /** The ID from AWS. */
  readonly capacityReservationId: string;
}

/** The network between its nodes for gangs. */
export interface Fabric {
  /** EFA: on EKS. InfiniBand: on AKS and Nebius.
   * @default None */
  readonly type?: 'None' | 'EFA' | 'InfiniBand' | undefined;
  /** For type InfiniBand. Required on Nebius.
   * @default - none */
  readonly infiniband?: Infiniband | undefined;
}

/** For type InfiniBand. Required on Nebius. */
export interface Infiniband {
  /** The fabric of the region that has the capacity: fabric-2. */
  readonly fabric: string;
}

/** How its nodes are connected, so that KAI keeps gangs close together. */
export interface Topology {
  /** Labels of its nodes, the widest domain first: [example.com/block, example.com/rack, kubernetes.io/hostname]. Every node has all of them. */
  readonly levels: NonEmpty<string>;
  /** The level of which one domain has all pods of a gang. A gang waits until a domain has room, and the plan does not count domains.
   * @default - none */
  readonly required?: string | undefined;
  /** The narrowest level of which one domain should have all pods of a gang.
   * @default - the last of levels */
  readonly preferred?: string | undefined;
}

/** The part of each node that other workloads use. The plan leaves it free. */
export interface ReservedAmounts {
  /** CPU of each node.
   * @default - none */
  readonly cpu?: string | number | undefined;
  /** Memory of each node.
   * @default - none */
  readonly memory?: string | undefined;
  /** Devices of each node, by their name in the InferenceClass.
   * @default - none */
  readonly devices?: Readonly<Record<string, number>> | undefined;
}

/** Used in `NodePool.taints`. */
export interface NodeTaint {
  /** The key of the taint, a label key. */
  readonly key: string;
  /** The value of the taint, which tolerations can match.
   * @default - none */
  readonly value?: string | undefined;
  /** The effect on workloads that do not tolerate it. */
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** Used in `InferenceClusterProps.gateway`. */
export interface ClusterGateway {
  /** Whether services send requests to replicas on this cluster.
   * @default true */
  readonly enabled?: boolean | undefined;
  /** The host name of the cluster gateway, for ingress gateways on other clusters: edge.us-east.example.com.
   * @default - none */
  readonly hostname?: string | undefined;
  /** Where the cluster gateway can be reached from. Private: connected networks, which have the same label fleetwright.dev/network. Cluster: this cluster only.
   * @default Public */
  readonly reach?: 'Public' | 'Private' | 'Cluster' | undefined;
  /** The zone that the record of hostname belongs to.
   * @default unknown */
  readonly dns?: Dns | undefined;
  /** The certificates with which ingress gateways and cluster gateways authenticate each other.
   * @default - none */
  readonly tls?: ClusterGatewayTls | undefined;
}

/** The storage that the cluster offers. */
export interface ClusterStorage {
  /** A file system that many nodes can mount at the same time.
   * @default - none */
  readonly sharedFilesystem?: SharedFilesystem | undefined;
  /** Disks for single nodes.
   * @default - none */
  readonly blockDevice?: ClusterBlockDevice | undefined;
  /** The drivers that mount buckets.
   * @default - none */
  readonly objectStorageMount?: ObjectStorageMount | undefined;
}

/** A file system that many nodes can mount at the same time. */
export interface SharedFilesystem {
  /** A storage class whose volumes many nodes can mount and write.
   * @default on GKE, EKS and AKS, the one that is created with the cluster */
  readonly storageClassName?: string | undefined;
  /** The Filestore tier of the storage class. Of a class of your own, it gives the plan the size and the price of volumes. GKE only.
   * @default Enterprise for the class that is created with the cluster, otherwise unknown */
  readonly tier?: 'BasicHDD' | 'BasicSSD' | 'Zonal' | 'Regional' | 'Enterprise' | undefined;
  /** A file system of Azure Managed Lustre that is created with the cluster. AKS only.
   * @default - none */
  readonly lustre?: Lustre | undefined;
}

/** A file system of Azure Managed Lustre that is created with the cluster. AKS only. */
export interface Lustre {
  /** The SKU, whose name has the throughput in MB/s for each TiB: AMLFS-Durable-Premium-125. */
  readonly sku:
    | 'AMLFS-Durable-Premium-40'
    | 'AMLFS-Durable-Premium-125'
    | 'AMLFS-Durable-Premium-250'
    | 'AMLFS-Durable-Premium-500';
  /** The capacity, in TiB: a multiple of that of the SKU. */
  readonly capacityTiB: number;
  /** Its zone: '1'.
   * @default the zone of the pools, if they have one */
  readonly zone?: string | undefined;
}

/** Disks for single nodes. */
export interface ClusterBlockDevice {
  /** A storage class for disks of single nodes.
   * @default premium-rwo on GKE, one that is created with the cluster on EKS, managed-csi-premium on AKS */
  readonly storageClassName?: string | undefined;
  /** Whether many nodes can mount one of its disks read-only.
   * @default true on GKE, else false */
  readonly manyReaders?: boolean | undefined;
}

/** The drivers that mount buckets. */
export interface ObjectStorageMount {
  /** The sources whose buckets pods can mount, in addition to that of the cloud. S3: with the driver s3.csi.aws.com. GCS: with gcsfuse.csi.storage.gke.io.
   * @default GCS on GKE, S3 on EKS, otherwise none */
  readonly sources?: readonly ('S3' | 'GCS')[] | undefined;
}

/** Mirrors that the cluster uses instead of the internet. */
export interface Mirror {
  /** Replaces the registries of the images of all pods and of servingStack: registry.example.com/mirror.
   * @default - none */
  readonly images?: string | undefined;
  /** A repository with all charts of servingStack under their own names: oci://registry.example.com/charts.
   * @default - none */
  readonly charts?: string | undefined;
  /** A server with the API of huggingface.co. Engines and caches get it as HF_ENDPOINT: https://hub.example.com.
   * @default - none */
  readonly huggingFace?: string | undefined;
}

/** What turns objects into pods. */
export interface Backend {
  /** Native: Deployments and LeaderWorkerSets. KServe: LLMInferenceServices, from which KServe makes these. Dynamo: DynamoGraphDeployments, for engines with runtime Dynamo.
   * @default Native */
  readonly type?: 'Native' | 'KServe' | 'Dynamo' | undefined;
  /** The version of KServe or Dynamo on the cluster, as "0.20".
   * @default 0.20 of KServe, 1.3 of Dynamo */
  readonly version?: string | undefined;
  /** Namespaces that also have LLMInferenceServices of other teams. The plan places no engines of one pod there, because they need presets of KServe that apply to a whole namespace.
   * @default none */
  readonly sharedNamespaces?: readonly string[] | undefined;
}

/** What schedules the pods, and the queue that decides when they start. */
export interface Scheduler {
  /** @default kube-scheduler. KAI, Volcano: place pods themselves. Kueue: holds pods until their queue has quota, and kube-scheduler places them. Default: Default */
  readonly type?: 'Default' | 'KAI' | 'Kueue' | 'Volcano' | undefined;
  /** The queue of all engines on the cluster: a Queue of KAI or Volcano, or a LocalQueue of Kueue in the namespace of each deployment. It must exist. Required unless type is Default.
   * @default - none */
  readonly queue?: string | undefined;
  /** The devices that the queue may use at once, by device class: { gpu.nvidia.com: 16 }. On a cluster without DRA, by extended resource. The plan warns where its replicas take more.
   * @default - not checked */
  readonly quota?: Readonly<Record<string, number>> | undefined;
  /** Whether manifests include the queues of Kueue: a ResourceFlavor for each pool, a ClusterQueue with all that pools have, and a LocalQueue in each namespace.
   * @default false */
  readonly manage?: boolean | undefined;
  /** Whether kube-scheduler starts a gang whole or not at all. For type Default, on Kubernetes 1.36 and 1.37, with their feature gates and API on. For engines with one copy.
   * @default false */
  readonly gangs?: boolean | undefined;
}

/** Changes to the software that a Pulumi program installs on the cluster. */
export interface ServingStack {
  /** Envoy Gateway.
   * @default with gateway.tls, or aiGateway */
  readonly envoyGateway?: HelmRelease | undefined;
  /** LeaderWorkerSet, which runs gangs.
   * @default - none */
  readonly leaderWorkerSet?: HelmRelease | undefined;
  /** The DRA driver for NVIDIA GPUs.
   * @default - none */
  readonly nvidiaDraDriver?: HelmRelease | undefined;
  /** Node Feature Discovery, which finds the GPUs for that driver.
   * @default - none */
  readonly nodeFeatureDiscovery?: HelmRelease | undefined;
  /** The NVIDIA GPU Operator, which installs the GPU driver on AKS.
   * @default on AKS, where pools have NVIDIA GPUs */
  readonly gpuOperator?: HelmRelease | undefined;
  /** The AMD GPU Operator with its DRA driver, or its device plugin with dra: false. On AKS, set values.deviceConfig.spec.driver to a registry for the kernel module that it builds.
   * @default not installed */
  readonly amdGpuOperator?: HelmRelease | undefined;
  /** The CSI driver of Azure Managed Lustre.
   * @default on AKS, with storage.sharedFilesystem.lustre */
  readonly azureLustre?: HelmRelease | undefined;
  /** The DRA driver for network cards on EKS.
   * @default where pools with EFA have such devices */
  readonly awsDranet?: HelmRelease | undefined;
  /** The DRA driver for TPUs.
   * @default on GKE, where pools have TPUs that pods claim */
  readonly tpuDraDriver?: HelmRelease | undefined;
  /** The chart of AWS Neuron: its DRA driver, or its device plugin with dra: false.
   * @default on EKS, where pools have Neuron devices */
  readonly neuron?: HelmRelease | undefined;
  /** The autoscaler of Kubernetes, for pools on EKS with maxNodeCount. GKE and AKS have their own.
   * @default - none */
  readonly clusterAutoscaler?: HelmRelease | undefined;
  /** cert-manager.
   * @default where an issuer makes certificates of gateways, and with aiGateway, kserve or amdGpuOperator */
  readonly certManager?: HelmRelease | undefined;
  /** kube-prometheus-stack, without Grafana and Alertmanager: Prometheus and its operator, for spec.monitoring.
   * @default not installed */
  readonly prometheus?: HelmRelease | undefined;
  /** KEDA, which chooses the copies of engines that have bounds.
   * @default not installed */
  readonly keda?: HelmRelease | undefined;
  /** The HTTP add-on of KEDA, which holds requests until the first copy of an engine serves: for copies.min 0. install: false if the cluster has it already.
   * @default the cluster does not have it */
  readonly kedaHttpAddOn?: HelmRelease | undefined;
  /** Kueue, for spec.scheduler of type Kueue, with a quota resource for each device class.
   * @default not installed */
  readonly kueue?: HelmRelease | undefined;
  /** The controller of LLMInferenceServices of KServe, for spec.backend of type KServe.
   * @default not installed */
  readonly kserve?: HelmRelease | undefined;
  /** The kinds of KServe.
   * @default with kserve */
  readonly kserveCrds?: HelmRelease | undefined;
  /** NVIDIA Dynamo, for spec.backend of type Dynamo, without Grove.
   * @default not installed */
  readonly dynamo?: HelmRelease | undefined;
  /** The KAI scheduler, for spec.scheduler of type KAI.
   * @default not installed */
  readonly kai?: HelmRelease | undefined;
  /** The kinds of Envoy AI Gateway.
   * @default with aiGateway */
  readonly aiGatewayCrds?: HelmRelease | undefined;
  /** Envoy AI Gateway, for AIGatewayRoutes and InferencePools of your own: routes of services do without.
   * @default not installed */
  readonly aiGateway?: HelmRelease | undefined;
  /** The kind InferencePool, which no chart contains: for services with picker.pool, and with aiGateway for routes of your own. install: false if the cluster has it already.
   * @default the cluster does not have it */
  readonly inferenceCrds?: ServingDefinitions | undefined;
}

/** Used in `ServingStack.envoyGateway`, `ServingStack.leaderWorkerSet`, `ServingStack.nvidiaDraDriver` and 19 more. */
export interface HelmRelease {
  /** Whether it is installed.
   * @default where something needs it */
  readonly install?: boolean | undefined;
  /** The version of its chart.
   * @default the tested version */
  readonly version?: string | undefined;
  /** Values for its chart, which override the default values: maps are merged, lists replaced.
   * @default - none */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

/** The kind InferencePool, which no chart contains: for services with picker.pool, and with aiGateway for routes of your own. install: false if the cluster has it already. */
export interface ServingDefinitions {
  /** Whether it is installed.
   * @default false */
  readonly install?: boolean | undefined;
}

/** How the cluster is monitored, with the operator of Prometheus. */
export interface Monitoring {
  /** The Prometheus of the cluster, which its operator manages.
   * @default - none */
  readonly prometheus?: Prometheus | undefined;
  /** Whether it collects metrics of engines, endpoint pickers and gateways: objects of kind PodMonitor.
   * @default true */
  readonly podMonitors?: boolean | undefined;
  /** Whether it records metrics under names that hide those of engines, and alerts: objects of kind PrometheusRule.
   * @default true */
  readonly rules?: boolean | undefined;
  /** Alerts, which are part of the rules.
   * @default - none */
  readonly alerts?: Alerts | undefined;
  /** Dashboards of Grafana, for the cluster and for each deployment.
   * @default - none */
  readonly dashboards?: Dashboards | undefined;
}

/** The Prometheus of the cluster, which its operator manages. */
export interface Prometheus {
  /** The address of Prometheus inside the cluster, for what queries it, such as an autoscaler.
   * @default http://prometheus-prometheus.monitoring:9090, where servingStack.prometheus installs it */
  readonly serverAddress?: string | undefined;
  /** The namespace that Prometheus runs in. NetworkPolicies let it reach the metrics.
   * @default monitoring */
  readonly namespace?: string | undefined;
  /** Labels by which Prometheus selects monitors and rules: release: prometheus.
   * @default - none, as for servingStack.prometheus */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The time between two scrapes.
   * @default 30s */
  readonly interval?: string | undefined;
}

/** Alerts, which are part of the rules. */
export interface Alerts {
  /** Whether rules include alerts.
   * @default true */
  readonly enabled?: boolean | undefined;
  /** Labels of every alert, by which Alertmanager routes it: team: inference.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The address of the pages that alerts link to, without the name.
   * @default the pages of Fleetwright */
  readonly runbooks?: string | undefined;
}

/** Dashboards of Grafana, for the cluster and for each deployment. */
export interface Dashboards {
  /** The namespace of their ConfigMaps, where Grafana looks for them.
   * @default that of Prometheus */
  readonly namespace?: string | undefined;
  /** The labels by which the sidecar of Grafana finds their ConfigMaps.
   * @default grafana_dashboard: "1" */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of their ConfigMaps, such as grafana_folder: Inference.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** The network that is created for a cluster on GKE, EKS and AKS. */
export interface ClusterNetwork {
  /** The address range of nodes, and on GKE of pods and services too.
   * @default 10.0.0.0/14 on GKE, 10.0.0.0/16 on EKS and AKS */
  readonly cidr?: string | undefined;
  /** On GKE, whether nodes have private addresses only and reach the internet through NAT. Nodes on EKS and AKS always have private addresses. On AKS, whether the Kubernetes API has a private address only: Pulumi must then run in that network or a connected one.
   * @default false */
  readonly private?: boolean | undefined;
  /** The address ranges that may reach the Kubernetes API from outside.
   * @default all; callers must authenticate */
  readonly authorizedNetworks?: readonly string[] | undefined;
}
