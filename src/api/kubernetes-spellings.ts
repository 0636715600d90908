import { ANY_FIELD, type MovedFields, sameHint } from './schema/fields';

const TEMPLATE = 'spec.template.spec';
const MEMBERS = `${TEMPLATE}.engines[].members[]`;
const CONTAINER = `${MEMBERS}.template.spec.containers[0]`;
const DEVICES = `Request devices at ${MEMBERS}.nodeSelector.devices, as in '[{ name: gpu, where: { architecture: Hopper } }]'`;

/** Fields of a pod that a pod template of a member has. */
const POD_FIELDS = [
  'affinity',
  'imagePullSecrets',
  'priorityClassName',
  'runtimeClassName',
  'schedulerName',
  'securityContext',
  'serviceAccountName',
  'terminationGracePeriodSeconds',
  'topologySpreadConstraints',
  'volumes',
];

const CONTAINER_FIELDS = ['image', 'command', 'args', 'env', 'resources', 'volumeMounts'];

/** Hints for fields that a ResourceClaim of Kubernetes, or a container, has where a request for devices is declared. */
export const IN_DEVICE_REQUEST: MovedFields = {
  ...sameHint(
    ['deviceClassName', 'className', 'deviceClass'],
    "Remove it: the driver names the class of devices, as in 'where: { driver: gpu.nvidia.com }'",
  ),
  exactly: 'Write its fields one level up: count, allocationMode and selectors of the request',
  adminAccess: 'Remove it: replicas claim devices for themselves alone',
  ...sameHint(['gpus', 'gpu', 'resources', 'limits'], "Use 'count' for the devices of each pod"),
  ...sameHint(['expression', 'cel'], "Move it to selectors, as in 'selectors: [{ cel: ... }]'"),
  ...sameHint(
    ['memory', 'architecture', 'productName', 'model', 'matchLabels', 'attributes'],
    'Move it into where, as in \'where: { architecture: Hopper, memory: ">= 79Gi" }\'',
  ),
};

const BY_CLUSTER_NAME = "'matchLabels: { fleetwright.dev/cluster: NAME }'";

/** How a user selects one cluster or several by their names, which are labels. */
export const CLUSTERS_BY_NAME = `Select clusters by labels, as in ${BY_CLUSTER_NAME}, or 'matchExpressions: [{ key: fleetwright.dev/cluster, operator: In, values: [A, B] }]' for several`;

/** Names and labels of clusters that are written without `matchLabels`. */
export const IN_CLUSTER_SELECTOR: MovedFields = {
  ...sameHint(
    ['name', 'names', 'matchName', 'matchNames', 'clusterNames', 'cluster', 'clusters', 'clusterName'],
    `Select by the label of the name, as in ${BY_CLUSTER_NAME}`,
  ),
  [ANY_FIELD]: `Move it into matchLabels, as in 'matchLabels: { topology.kubernetes.io/region: us-east-1 }' or ${BY_CLUSTER_NAME}`,
};

/** Labels of nodes select nothing here: a pool does. */
export const IN_NODE_SELECTOR: MovedFields = {
  ...sameHint(
    ['matchLabels', 'matchExpressions', 'nodeSelectorTerms', ANY_FIELD],
    "Describe devices instead of labels of nodes, as in 'devices: [{ name: gpu, where: { architecture: Hopper } }]'. To choose nodes, declare a pool of those nodes",
  ),
  ...sameHint(['requests', 'claims', 'resourceClaims', 'deviceRequests'], "Use 'devices', a list of requests"),
};

const POLICY_RULES =
  "Write it as a rule of a file, as in 'rules: [{ name: limit, budget: { perMonth: 150000 } }]', and name the file in 'policies'";

export const IN_FLEET: MovedFields = {
  ...sameHint(['budget', 'budgets', 'deviceQuota', 'quota', 'quotas', 'rules', 'policy', 'limits'], POLICY_RULES),
};

export const IN_MEMBER: MovedFields = {
  ...sameHint(POD_FIELDS, 'Move it to template.spec of this member'),
  ...sameHint(['containers', 'initContainers'], 'Move it to template.spec of this member'),
  ...sameHint(CONTAINER_FIELDS, 'Move it to template.spec.containers[0] of this member'),
  ...sameHint(['devices', 'resourceClaims', 'count', 'gpus'], DEVICES),
  replicas: 'Use copies of the engine for more pods, or worker.nodes for the nodes of a gang',
  tolerations: `Move it to ${TEMPLATE}.tolerations for taints of clusters; pods tolerate the taints of their pool`,
};

export const IN_ENGINE: MovedFields = {
  ...sameHint(CONTAINER_FIELDS, 'Move it to members[].template.spec.containers[0] of this engine'),
  ...sameHint(['containers', ...POD_FIELDS], 'Move it to members[].template.spec of this engine'),
  ...sameHint(['devices', 'resourceClaims', 'gpus'], 'Move it to members[].nodeSelector.devices of this engine'),
  ...sameHint(
    ['tensorParallelSize', 'tensorParallelism', 'pipelineParallelSize', 'maxModelLen', 'dtype'],
    'Write it as an argument of the engine in members[].template.spec.containers[0].args',
  ),
  ...sameHint(['replicas', 'count'], "Use 'copies' for the pods of this engine in a replica"),
  ...sameHint(
    ['autoscaling', 'minReplicas', 'maxReplicas'],
    "Use 'copies: { min: 1, max: 3 }', and 'scaling' for the signals",
  ),
};

/** Fields of a container next to the list of containers, or a level above. */
export const IN_POD: MovedFields = sameHint(CONTAINER_FIELDS, 'Move it to containers[0], the container of the engine');

export const IN_POD_TEMPLATE: MovedFields = {
  ...sameHint(CONTAINER_FIELDS, 'Move it to spec.containers[0], the container of the engine'),
  ...sameHint(['labels', 'annotations'], 'Move it into metadata'),
};

const BY_CLUSTER = `Use ${TEMPLATE}.clusterSelector. ${CLUSTERS_BY_NAME}`;

const CANARY =
  'Declare the new version as a ModelDeployment of its own, and give both a weight in endpoints of the ModelService';

/** Fields of a Deployment, an autoscaler or a budget of Kubernetes in the spec of a ModelDeployment. */
export const IN_DEPLOYMENT: MovedFields = {
  ...sameHint(['replicaCount', 'numReplicas', 'desiredReplicas'], "Use 'replicas'"),
  selector: `Remove it: replicas have the labels of spec.template.metadata.labels. To choose clusters, use ${TEMPLATE}.clusterSelector`,
  ...sameHint(['strategy', 'updateStrategy'], "Use 'rollout', as in 'rollout: { surge: 1 }' or 'rollout: Recreate'"),
  ...sameHint(['maxSurge', 'surge'], "Use 'rollout.surge'"),
  ...sameHint(['maxUnavailable', 'pdb', 'podDisruptionBudget'], "Use 'minAvailable', a number of replicas"),
  ...sameHint(
    ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'],
    'Remove it: workloads have their own',
  ),
  ...sameHint(
    ['autoscaling', 'minReplicas', 'maxReplicas', 'scaling'],
    `Use ${TEMPLATE}.engines[].copies, as in 'copies: { min: 1, max: 3 }', and scaling of the engine`,
  ),
  ...sameHint(CONTAINER_FIELDS, `Move it to ${CONTAINER}`),
  ...sameHint(
    ['predictor', 'modelFormat', 'storageUri'],
    `Write the container of the engine at ${CONTAINER}, and where its files are as a ModelCache`,
  ),
  ...sameHint(['containers', ...POD_FIELDS], `Move it to ${MEMBERS}.template.spec`),
  priorityClassName: `Use 'priority' for the order of placement, or set it at ${MEMBERS}.template.spec for pods`,
  affinity: `Use ${TEMPLATE}.clusterSelector for clusters, or spec.placement to spread`,
  topologySpreadConstraints: "Use 'placement.spreadBy' to spread replicas over regions or other labels of clusters",
  ...sameHint(['suspend', 'pause'], "Use 'paused'"),
  spec: "Move it into 'template', as in 'template: { spec: { engines: [...] } }'",
  ...sameHint(['resourceClaims', 'devices'], DEVICES),
  ...sameHint(
    ['leaderWorkerTemplate', 'leaderTemplate', 'workerTemplate', 'worker'],
    `Write a Leader and a Worker at ${MEMBERS}, each with its template: worker.nodes are the pods in addition to the leader`,
  ),
  ...sameHint(['clusters', 'cluster', 'clusterNames', 'clusterName'], BY_CLUSTER),
  ...sameHint(['canaryTrafficPercent', 'traffic'], CANARY),
};

/** Fields of a pod in the template of a replica, which has engines instead of containers. */
export const IN_REPLICA_TEMPLATE: MovedFields = {
  ...sameHint(POD_FIELDS, `Move it to ${MEMBERS}.template.spec`),
  ...sameHint(CONTAINER_FIELDS, `Move it to ${CONTAINER}`),
  ...sameHint(['cache', 'modelCache', 'cacheRef'], "Use 'modelCacheRef', as in 'modelCacheRef: { name: NAME }'"),
  ...sameHint(['resourceClaims', 'devices'], DEVICES),
  affinity: `Use clusterSelector for clusters, or set it at ${MEMBERS}.template.spec for nodes of a pool`,
  topologySpreadConstraints: 'Use spec.placement.spreadBy to spread replicas over regions or other labels of clusters',
  nodeName: 'Remove it: the plan chooses the cluster and the pool. To choose clusters, use clusterSelector',
  ...sameHint(['clusters', 'cluster', 'clusterNames', 'clusterName'], BY_CLUSTER),
};

/** Fields of a HorizontalPodAutoscaler, a ScaledObject or an InferenceService in the scaling of an engine. */
export const IN_SCALING: MovedFields = {
  ...sameHint(
    ['minReplicas', 'maxReplicas', 'min', 'max', 'minReplicaCount', 'maxReplicaCount', 'idleReplicaCount', 'copies'],
    "Use 'copies: { min: 1, max: 3 }' of the engine, next to 'scaling'",
  ),
  ...sameHint(
    ['metrics', 'triggers', 'target', 'targetCPUUtilizationPercentage', 'scaleTarget', 'scaleMetric', 'metric'],
    "Use 'on', a list of what each copy can bear, as in 'on: [{ queue: 4 }]'",
  ),
  ...sameHint(
    ['behavior', 'stabilizationWindowSeconds', 'cooldownPeriod', 'scaleDown', 'scaleUp', 'advanced'],
    "Use 'up' and 'down', as in 'down: { after: 5m }'",
  ),
  reserve: "Remove it: the plan reserves devices for every copy up to 'copies.max'",
};

export const IN_ROLLOUT: MovedFields = {
  maxSurge: "Use 'surge', 0 or 1",
  maxUnavailable: "Use 'parallel' for the replicas that are replaced at a time, and 'minAvailable' of the deployment",
  type: "Use 'strategy', or write 'rollout: Recreate'",
  rollingUpdate: "Write its fields one level up: 'surge' and 'parallel'",
};

export const IN_PLACEMENT: MovedFields = {
  ...sameHint(['clusters', 'cluster', 'clusterSelector', 'affinity', 'nodeSelector'], BY_CLUSTER),
  ...sameHint(['topologyKey', 'topologySpreadConstraints'], "Use 'spreadBy', a label of clusters"),
  maxSkew: "Use 'maxPerDomain', or 'minDomains'",
};

const SPOT = "'provisioning: { provider: EKS, eks: { spot: true } }'";

export const IN_NODE_POOL: MovedFields = {
  ...sameHint(['replicas', 'size', 'count', 'desiredSize', 'nodes'], "Use 'nodeCount'"),
  ...sameHint(['minSize', 'min', 'minNodes', 'minCount', 'minReplicas'], "Use 'minNodeCount'"),
  ...sameHint(['maxSize', 'max', 'maxNodes', 'maxCount', 'maxReplicas'], "Use 'maxNodeCount'"),
  autoscaling: "Use 'minNodeCount' and 'maxNodeCount'",
  zone: "Use 'zones', a list",
  ...sameHint(
    ['spot', 'capacityType', 'preemptible'],
    `Set it in the InferenceClass that className names, as in ${SPOT}`,
  ),
  ...sameHint(
    ['gpus', 'deviceClassName', 'acceleratorType', 'acceleratorCount'],
    "Declare it in the InferenceClass that className names: 'fleetwright explain InferenceClass.spec' lists its fields",
  ),
};

/** Envoy Gateway is what all gateways are. */
const NO_GATEWAY_CLASS = sameHint(['gatewayClassName', 'ingressClassName'], 'Remove it: Envoy Gateway serves');

/** What a cloud creates a cluster in. One Pulumi stack has one of each. */
const IN_CLOUD_ACCOUNT: MovedFields = {
  ...sameHint(['project', 'projectId'], "Remove it: 'pulumi config set gcp:project PROJECT' sets it for the stack"),
};

/** Fields of a cluster in a cloud, in the block of that cloud. */
export const IN_CLOUD: MovedFields = {
  ...sameHint(['version', 'clusterVersion'], "Use 'kubernetesVersion'"),
  ...IN_CLOUD_ACCOUNT,
};

/** Fields of a Gateway of Gateway API, in the gateway of a cluster. */
export const IN_CLUSTER_GATEWAY: MovedFields = NO_GATEWAY_CLASS;

export const IN_CLUSTER: MovedFields = {
  labels: 'Move it to metadata.labels',
  ...sameHint(['context', 'kubeconfig'], "Use 'cluster: { source: Existing, existing: { context: NAME } }'"),
  ...sameHint(
    ['region', 'location'],
    "Move it into the block of spec.cluster, as in 'cluster: { source: GKE, gke: { region: us-central1 } }'",
  ),
  ...sameHint(
    ['version', 'kubernetesVersion'],
    "Use 'kubernetesVersion' in the block of spec.cluster, as in 'cluster: { source: GKE, gke: { region: us-central1, kubernetesVersion: \"1.35\" } }'",
  ),
  ...IN_CLOUD_ACCOUNT,
  ...NO_GATEWAY_CLASS,
  ...sameHint(['storageClassName', 'storageClass'], 'Use storage.sharedFilesystem.storageClassName'),
  ...sameHint(['nodeGroups', 'nodes', 'machinePools', 'pools'], "Use 'nodePools'"),
  ...sameHint(['unschedulable', 'cordon'], "Use 'paused', or 'taints' to drain the cluster"),
};

/** Fields of a cluster in a cloud, next to the block of the cloud that has them. */
export const IN_CLUSTER_SOURCE: MovedFields = {
  ...sameHint(['context', 'kubeconfig'], "Use 'existing', as in 'existing: { context: NAME }'"),
  ...sameHint(
    ['region', 'location', 'zone', 'version', 'kubernetesVersion'],
    "Use 'gke', 'eks' or 'aks', the block of the source, as in 'eks: { region: us-east-1 }'",
  ),
  ...IN_CLOUD_ACCOUNT,
};

export const IN_CLASS: MovedFields = {
  ...sameHint(
    ['instanceType', 'machineType', 'vmSize'],
    "Use 'from', as in 'from: gcp/a3-highgpu-8g': 'fleetwright catalog' lists machines",
  ),
  ...sameHint(
    ['gpus', 'gpu', 'resources', 'allocatable', 'capacity'],
    "Use 'from' of a machine, or 'devices' with 'count'",
  ),
  ...sameHint(['spot', 'capacityType', 'preemptible'], `Move it to the block of the provider, as in ${SPOT}`),
  deviceClassName: 'Remove it: the driver of each device in spec.devices names its class',
  ...sameHint(['nodeSelector', 'labels'], 'Move it to labels of the pools of an InferenceCluster'),
};

export const IN_CACHE: MovedFields = {
  ...sameHint(['resources', 'storageSize', 'capacity'], "Use 'sizeGiB', a whole number"),
  ...sameHint(
    ['storageClassName', 'accessModes', 'volumeMode'],
    'Remove it: each cluster names its storage class at spec.storage of the InferenceCluster',
  ),
  ...sameHint(
    ['repo', 'repository', 'model', 'revision'],
    "Move it to the block of the source, as in 'huggingFace: { repo: Qwen/Qwen3-8B }'",
  ),
  ...sameHint(
    ['secretRef', 'authSecret', 'token'],
    "Use authSecret of the block of the source, as in 'huggingFace.authSecret'",
  ),
  ...sameHint(
    ['storageUri', 'uri', 'url'],
    "Write it as the block of the source, as in 'huggingFace: { repo: Qwen/Qwen3-8B }' or 's3: { uri: s3://models/qwen3-8b }'",
  ),
  ...sameHint(['hf', 'hub'], "Use 'huggingFace', as in 'huggingFace: { repo: Qwen/Qwen3-8B }'"),
  ...sameHint(['pvc', 'persistentVolumeClaim'], "Use 'existingPVC', as in 'existingPVC: { claimName: models }'"),
};

/** Parts of the address of a bucket, which are one field here. */
export const IN_BUCKET: MovedFields = {
  ...sameHint(['bucket', 'path', 'prefix', 'key', 'object', 'url'], "Use 'uri' for the bucket and the folder in it"),
};

export const IN_SERVICE: MovedFields = {
  ...sameHint(['canaryTrafficPercent', 'traffic', 'canary', 'weights', 'weight'], CANARY),
  selector: "Move it to endpoints, as in 'endpoints: [{ selector: { matchLabels: { app: chat } } }]'",
  ...sameHint(['backendRefs', 'rules', 'backends', 'targets'], "Use 'endpoints', each with a selector and a weight"),
  ...sameHint(['ports', 'port', 'targetPort'], 'Remove it: the port of an engine follows from its runtime'),
  ...sameHint(
    ['type', 'gateway', 'gateways', 'parentRefs', 'ingressClassName', 'host', 'hostname', 'hostnames'],
    'Remove it: an InferenceGateway declares the host name, the clusters and the access for all services',
  ),
};

const NO_PATH = sameHint(
  ['path', 'paths', 'pathPrefix', 'prefix', 'uri', 'url'],
  "Remove it: the path of a service is '/NAMESPACE/NAME/', and engines get what follows. Only headers choose an entry",
);

export const IN_SERVICE_ENTRY: MovedFields = {
  ...NO_PATH,
  ...sameHint(['headers', 'header'], "Move it into match, as in 'match: { headers: { x-canary: always } }'"),
  ...sameHint(
    ['name', 'deployment', 'modelDeployment', 'backendRef', 'backendRefs', 'ref', 'matchLabels'],
    "Select by labels of replicas, as in 'selector: { matchLabels: { app: chat } }'",
  ),
  ...sameHint(['percent', 'percentage', 'share', 'traffic'], "Use 'weight'"),
  ...sameHint(
    ['priority', 'fallback', 'backup', 'failover'],
    "Use 'tier: 1' for an entry that serves while no other does",
  ),
  ...sameHint(['port', 'targetPort'], 'Remove it: the port of an engine follows from its runtime'),
};

/** What an HTTPRoute matches. A service has one path, which all of its entries share. */
export const IN_SERVICE_MATCH: MovedFields = {
  ...NO_PATH,
  ...sameHint(
    ['method', 'methods', 'queryParams', 'host', 'hostname', 'hostnames', 'model', 'cookies'],
    "Remove it: only headers choose an entry, as in 'headers: { x-canary: always }'",
  ),
};

/** Prices for other times than an hour. */
export const IN_PRICE: MovedFields = {
  ...sameHint(['hourly', 'hour', 'onDemand', 'amount'], "Use 'perHour'"),
  ...sameHint(['spot', 'spotHourly'], "Use 'spotPerHour'"),
  ...sameHint(['perMonth', 'monthly', 'perYear'], "Use 'perHour': a month has 730 hours"),
};

/** What people call the repository of a model. */
export const IN_MODEL: MovedFields = {
  ...sameHint(['name', 'id', 'repo', 'model', 'modelId'], "Use 'repository'"),
  ...sameHint(['maxModelLen', 'contextLength', 'maxLength'], "Use 'context'"),
  ...sameHint(['runtime', 'server'], "Use 'engine'"),
};

/** Parts of a Gateway of Gateway API. */
export const IN_GATEWAY: MovedFields = {
  ...sameHint(['listeners', 'servers'], "Use 'hostname' and 'tls', as in 'tls: { issuer: { name: NAME } }'"),
  ...NO_GATEWAY_CLASS,
};

/** What a listener of Gateway API or an Ingress calls the certificate. */
export const IN_TLS: MovedFields = {
  ...sameHint(
    ['secretName', 'secretRef', 'certificateRefs', 'secret'],
    "Use 'certificateRef', as in 'certificateRef: { name: NAME }'",
  ),
  ...sameHint(['clusterIssuer', 'issuerRef'], "Use 'issuer', as in 'issuer: { name: NAME }'"),
};
