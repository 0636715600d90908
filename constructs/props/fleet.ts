// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { Toleration } from './shared';

/** Properties of a `Fleet`. Settings of the whole fleet. There is at most one. */
export interface FleetProps {
  /** The name, unique among resources of this kind and namespace.
   * @default the id of the construct */
  readonly name?: string | undefined;
  /** Labels, for selectors.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations. Nothing is decided by them.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** What every ModelDeployment and ModelCache gets.
   * @default - none */
  readonly defaults?: FleetDefaults | undefined;
  /** Names for cluster labels that are failure domains, for spreadBy: rack: example.com/rack. Adds to region and provider, which it may redefine.
   * @default - none */
  readonly domains?: Readonly<Record<string, string>> | undefined;
  /** A file of GPUs, instance types and macros that extends or corrects the catalogue: ./catalogue.yaml. Relative to this manifest.
   * @default none */
  readonly catalogue?: string | undefined;
  /** A file of models that extends or corrects the catalogue of models, and of measured speeds: ./models.yaml. Relative to this manifest.
   * @default none */
  readonly models?: string | undefined;
  /** A file of what nodes really cost, and of discounts on list prices: ./prices.yaml. Relative to this manifest.
   * @default none */
  readonly prices?: string | undefined;
  /** A file of rules that a plan has to meet before it is accepted: ./policy.yaml. Relative to this manifest.
   * @default none */
  readonly policies?: string | undefined;
  /** What resources may use, by namespace. The first rule that matches applies.
   * @default no privileged containers, no paths of nodes and no tokens of ServiceAccounts */
  readonly namespaces?: readonly NamespaceRule[] | undefined;
  /** Files of nodes, pods and ResourceSlices as 'kubectl get -o yaml' prints them, named CLUSTER.yaml: ./snapshots/*.yaml. Relative to this manifest. They lower what is declared.
   * @default - none */
  readonly snapshots?: readonly string[] | undefined;
}

/** What every ModelDeployment and ModelCache gets. */
export interface FleetDefaults {
  /** Added to template.metadata.labels. A deployment's own value wins.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Added to template.spec.tolerations.
   * @default - none */
  readonly tolerations?: readonly Toleration[] | undefined;
  /** Put before images that name no registry: registry.example.com/mirror.
   * @default - none */
  readonly imageRegistry?: string | undefined;
  /** The images that stage caches, by source. All need sh, find, stat, awk and grep.
   * @default - none */
  readonly cacheImages?: CacheImages | undefined;
}

/** The images that stage caches, by source. All need sh, find, stat, awk and grep. */
export interface CacheImages {
  /** An image that holds python3 with huggingface_hub.
   * @default a public one, see docs/caches.md */
  readonly huggingFace?: string | undefined;
  /** An image that holds rclone.
   * @default a public one, see docs/caches.md */
  readonly s3?: string | undefined;
  /** An image that holds rclone.
   * @default a public one, see docs/caches.md */
  readonly gcs?: string | undefined;
  /** An image that holds curl.
   * @default a public one, see docs/caches.md */
  readonly http?: string | undefined;
}

/** Used in `FleetProps.namespaces`. */
export interface NamespaceRule {
  /** The namespaces that it applies to: names, or the beginning of names with * at the end. * is all. */
  readonly match: readonly string[];
  /** The Pod Security level that engine pods have to meet, apart from what hostPath and privileged allow.
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
  readonly serviceAccounts?: readonly string[] | undefined;
  /** The Secrets that resources may refer to: names, or the beginning of names with * at the end.
   * @default - any of the namespace */
  readonly secrets?: readonly string[] | undefined;
}
