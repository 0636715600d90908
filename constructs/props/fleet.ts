// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { Auth, ClusterGatewayTls, Dns, GatewayTls, Toleration } from './shared';
import type { ObjectReference } from '../object-reference';
import type { NonEmpty } from '../non-empty';

/** Properties of a `Fleet`. Settings of the whole fleet. There is at most one. Its name is in the tags of cloud resources: to add or rename it later recreates all nodes on EKS. See docs/provisioning.md. */
export interface FleetProps {
  /** The name, unique among resources of this kind and namespace.
   * @default the id of the construct */
  readonly name?: string | undefined;
  /** Labels, for selectors.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations. They do not affect plans.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Defaults for all ModelDeployments, ModelCaches and ModelServices.
   * @default - none */
  readonly defaults?: FleetDefaults | undefined;
  /** Fields of Fleetwright for clusters and gateways whose manifests modelplane.ai reads too, and whose API server rejects these fields. If the manifest sets the field too, the values must be equal. See docs/migrate.md.
   * @default - none */
  readonly additions?: FleetAdditions | undefined;
  /** Names for cluster labels that are failure domains, for spreadBy: rack: example.com/rack. Adds to cluster, region and provider, which it may redefine.
   * @default - none */
  readonly domains?: Readonly<Record<string, string>> | undefined;
  /** A file of GPUs, instance types and macros that extends or corrects the catalog: ./catalogue.yaml. Relative to this manifest.
   * @default none */
  readonly catalogue?: string | undefined;
  /** A file of models that extends or corrects the catalog of models, and of measured speeds: ./models.yaml. Relative to this manifest.
   * @default none */
  readonly models?: string | undefined;
  /** A file of actual prices of nodes, and of discounts on list prices: ./prices.yaml. Relative to this manifest.
   * @default none */
  readonly prices?: string | undefined;
  /** A file of rules that a plan must meet before it is accepted: ./policy.yaml. Relative to this manifest.
   * @default none */
  readonly policies?: string | undefined;
  /** What resources may use, by namespace. The first rule that matches applies.
   * @default no privileged containers, no paths of nodes and no tokens of ServiceAccounts */
  readonly namespaces?: readonly NamespaceRule[] | undefined;
  /** Files of nodes, pods and ResourceSlices as 'kubectl get -o yaml' prints them, named CLUSTER.yaml: ./snapshots/*.yaml. Relative to this manifest. They reduce the declared capacity.
   * @default - none */
  readonly snapshots?: readonly string[] | undefined;
  /** Of a fleet that is split into parts: files with what the others use, as 'fleetwright plan --summary' writes them: ../summaries/*.json. Relative to this manifest. Budgets and device quotas count them.
   * @default - none */
  readonly otherParts?: readonly string[] | undefined;
}

/** Defaults for all ModelDeployments, ModelCaches and ModelServices. */
export interface FleetDefaults {
  /** Added to template.metadata.labels. A value of the deployment itself takes precedence.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Added to template.spec.tolerations.
   * @default - none */
  readonly tolerations?: readonly Toleration[] | undefined;
  /** The registry of images that name none: registry.example.com/mirror.
   * @default - none */
  readonly imageRegistry?: string | undefined;
  /** How gateways choose pods for services without a picker and without session affinity. PrefixCache applies to deployments whose engine caches prefixes.
   * @default - LeastRequest, and PrefixCache for prefill and decode */
  readonly picker?: 'LeastRequest' | 'PrefixCache' | undefined;
  /** The images that stage caches, by source. All need sh, find, stat, awk and grep.
   * @default - none */
  readonly cacheImages?: CacheImages | undefined;
}

/** The images that stage caches, by source. All need sh, find, stat, awk and grep. */
export interface CacheImages {
  /** An image that contains python3 with huggingface_hub.
   * @default a public one, see docs/caches.md */
  readonly huggingFace?: string | undefined;
  /** An image that contains rclone.
   * @default a public one, see docs/caches.md */
  readonly s3?: string | undefined;
  /** An image that contains rclone.
   * @default a public one, see docs/caches.md */
  readonly gcs?: string | undefined;
  /** An image that contains rclone.
   * @default a public one, see docs/caches.md */
  readonly azureBlob?: string | undefined;
  /** An image that contains curl.
   * @default a public one, see docs/caches.md */
  readonly http?: string | undefined;
}

/** Fields of Fleetwright for clusters and gateways whose manifests modelplane.ai reads too, and whose API server rejects these fields. If the manifest sets the field too, the values must be equal. See docs/migrate.md. */
export interface FleetAdditions {
  /** Fields that are added to clusters.
   * @default - none */
  readonly clusters?: readonly ClusterAddition[] | undefined;
  /** Fields that are added to gateways.
   * @default - none */
  readonly gateways?: readonly GatewayAddition[] | undefined;
}

/** Used in `FleetAdditions.clusters`. */
export interface ClusterAddition {
  /** The name of the InferenceCluster. */
  readonly name: string;
  /** Fields of its spec.gateway. */
  readonly gateway: AddedClusterGateway;
}

/** Fields of its spec.gateway. */
export interface AddedClusterGateway {
  /** The host name of the cluster gateway, for ingress gateways on other clusters: edge.us-east.example.com.
   * @default - none */
  readonly hostname?: string | undefined;
  /** Where the cluster gateway can be reached from.
   * @default Public */
  readonly reach?: 'Public' | 'Private' | 'Cluster' | undefined;
  /** The zone that the record of hostname belongs to.
   * @default unknown */
  readonly dns?: Dns | undefined;
  /** The certificates with which ingress gateways and cluster gateways authenticate each other.
   * @default - none */
  readonly tls?: ClusterGatewayTls | undefined;
}

/** Used in `FleetAdditions.gateways`. */
export interface GatewayAddition {
  /** The name of the InferenceGateway. */
  readonly name: string;
  /** The clusters that run the gateway.
   * @default - none */
  readonly clusters?: readonly string[] | undefined;
  /** The host name of the gateway: models.example.com.
   * @default - its Service within the cluster */
  readonly hostname?: string | undefined;
  /** The zone that the record of hostname belongs to.
   * @default unknown */
  readonly dns?: Dns | undefined;
  /** Whether it is reachable from the internet. true requires tls, and auth here or in each service; insecure does not.
   * @default false */
  readonly public?: false | true | 'insecure' | undefined;
  /** The certificate of the gateway.
   * @default - none, and HTTP without TLS */
  readonly tls?: GatewayTls | undefined;
  /** The clients that may send requests. None: all clients.
   * @default None */
  readonly auth?: 'None' | Auth | undefined;
}

/** Used in `FleetProps.namespaces`. */
export interface NamespaceRule {
  /** The namespaces that it applies to: names, or prefixes with * at the end. * means all. */
  readonly match: NonEmpty<string>;
  /** The Pod Security level that engine pods must meet, apart from what hostPath and privileged allow.
   * @default Baseline */
  readonly podSecurity?: 'Restricted' | 'Baseline' | 'Privileged' | undefined;
  /** Whether containers may be privileged.
   * @default false */
  readonly privileged?: boolean | undefined;
  /** Whether pods may mount paths of their node.
   * @default false */
  readonly hostPath?: boolean | undefined;
  /** The ServiceAccounts that pods may run as, with a mounted token if they ask for one.
   * @default - any, and no token is mounted */
  readonly serviceAccounts?: readonly (ObjectReference | string)[] | undefined;
  /** The Secrets that resources may refer to: names, or prefixes with * at the end.
   * @default - any of the namespace */
  readonly secrets?: readonly (ObjectReference | string)[] | undefined;
}
