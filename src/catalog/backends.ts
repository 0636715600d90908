/** What can turn objects into pods on a cluster, the default first. */
export const BACKEND_TYPES = ['Native', 'KServe', 'Dynamo'] as const;

export type BackendType = (typeof BACKEND_TYPES)[number];

/**
 * What Fleetwright knows of KServe. Source: the branches release-0.17 to release-0.20 and master (aaac4e294, 2026-08-21)
 * of kserve/kserve: pkg/apis/serving/v1alpha2 and pkg/controller/v1alpha2/llmisvc.
 */
export const KSERVE = {
  apiVersion: 'serving.kserve.io/v1alpha2',

  /** The container of the engine, to which the controller adds what it mounts. */
  container: 'main',

  /** The version of the charts that a Pulumi program installs, and of a cluster that states none. */
  version: '0.20',

  /** The first minor version with `v1alpha2`, `spec.labels` and `storageInitializer`. */
  since: 17,

  /** The first minor version with `rolloutStrategy`. The controller of earlier ones leaves the defaults of Kubernetes. */
  rolloutStrategySince: 21,

  /**
   * The most characters in a name: the controller appends at most 18 (`-kserve-mn-prefill`), and a LeaderWorkerSet takes
   * 50. It replaces a longer name by a digest.
   */
  longestName: 32,

  /** The suffixes of the Deployment and of the LeaderWorkerSet that run a service, and of those of its prefill. */
  suffixes: { Deployment: '-kserve', LeaderWorkerSet: '-kserve-mn', prefill: '-prefill' },
} as const;

/**
 * The labels that the controller sets on pods and selects by. Those of `spec.labels` would overwrite them, on
 * pods and in the selector of their Deployment, and the Service that it makes would no longer match.
 */
export const KSERVE_POD_LABELS: ReadonlySet<string> = new Set([
  'app.kubernetes.io/component',
  'app.kubernetes.io/name',
  'app.kubernetes.io/part-of',
  'kserve.io/component',
  'llm-d.ai/role',
]);

/** The label of pods that serve, which workers of a gang do not have. */
export const KSERVE_SERVING_LABELS = { 'kserve.io/component': 'workload' } as const;

/** What runs the pods of a service. The controller merges a preset of this name with the service. */
export type KServeShape = 'pod' | 'pipeline' | 'data';

/** The presets of an engine that serves alone, and of the two of a pair. Those of a pipeline are not shipped. */
export const KSERVE_PRESETS: Readonly<Record<'alone' | 'decode' | 'prefill', Readonly<Record<KServeShape, string>>>> = {
  alone: {
    pod: 'kserve-config-llm-template',
    pipeline: 'kserve-config-llm-worker-pipeline-parallel',
    data: 'kserve-config-llm-worker-data-parallel',
  },
  decode: {
    pod: 'kserve-config-llm-decode-template',
    pipeline: 'kserve-config-llm-decode-worker-pipeline-parallel',
    data: 'kserve-config-llm-decode-worker-data-parallel',
  },
  prefill: {
    pod: 'kserve-config-llm-prefill-template',
    pipeline: 'kserve-config-llm-prefill-worker-pipeline-parallel',
    data: 'kserve-config-llm-prefill-worker-data-parallel',
  },
};

/**
 * What Fleetwright knows of NVIDIA Dynamo. Source: the field references and guides in docs/kubernetes of
 * ai-dynamo/dynamo (July to September 2026). Its definitions and its operator were not read.
 */
export const DYNAMO = {
  apiVersion: 'nvidia.com/v1beta1',
  kind: 'DynamoGraphDeployment',

  /** `status.state` of a graph whose components are ready. */
  readyState: 'successful',

  /** The container of a component, to which the operator adds its defaults. */
  container: 'main',

  /**
   * The label of pods that names their clique, and the names of cliques of leaders. Facts: `GroveRoleSuffixLeader` of the
   * operator of ai-dynamo/dynamo, and the labels of Grove.
   */
  leaders: { label: 'grove.io/podclique', clique: '.+-ldr' },

  /** The version of the chart that a Pulumi program installs, and of a cluster that states none. */
  version: '1.3',

  /** The first minor version that manifests are made for. */
  since: 3,

  /**
   * The first minor version whose operator counts the devices of claims, without which it does not start the engines of a
   * gang as one: ai-dynamo/dynamo#12166, of August 2026. The release is not verified.
   */
  gangClaimsSince: 6,

  /** The most characters in the name of a pod's parts: Grove joins the graph, a gang and its clique. */
  longestGroveName: 45,

  /** The digest of its workers that the operator appends to the names of their parts, with its separator. */
  generationLength: 9,

  annotations: {
    grove: 'nvidia.com/enable-grove',
    kaiQueue: 'nvidia.com/kai-scheduler-queue',
    metrics: 'nvidia.com/enable-metrics',
    strategy: 'nvidia.com/deployment-strategy',
    maxSurge: 'nvidia.com/deployment-rolling-update-max-surge',
    maxUnavailable: 'nvidia.com/deployment-rolling-update-max-unavailable',
  },
} as const;

/** The labels and annotations of pods that belong to the operator. */
export const DYNAMO_DOMAIN = /^(.*\.)?nvidia\.com\/(dynamo-|metrics-enabled)/;

/** What is known of each software for pods by its version. */
export const BACKEND_VERSIONS: Readonly<
  Record<Exclude<BackendType, 'Native'>, { readonly major: number; readonly since: number; readonly version: string }>
> = {
  KServe: { major: 0, since: KSERVE.since, version: KSERVE.version },
  Dynamo: { major: 1, since: DYNAMO.since, version: DYNAMO.version },
};
