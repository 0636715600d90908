// Written by `npm run props` from the schemas in src/api. Changes made here are lost.

import type { InferenceClass } from '../inference-class';
import type { ModelCache } from '../model-cache';
import type { ExactLabels, SecretReference, Toleration } from './shared';
import type { ObjectReference } from '../object-reference';
import type { NonEmpty } from '../non-empty';

/** Properties of a `ModelDeployment`. A model to serve: how many replicas, which devices they need, and the engines that run on them. */
export interface ModelDeploymentProps {
  /** The name, unique among resources of this kind and namespace.
   * @default the id of the construct */
  readonly name?: string | undefined;
  /** The namespace.
   * @default default */
  readonly namespace?: string | undefined;
  /** Labels, for selectors.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations. They do not affect plans.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** The number of replicas, each on one cluster. */
  readonly replicas: number;
  /** Deployments of higher priority are placed first.
   * @default 0 */
  readonly priority?: number | undefined;
  /** Whether a plan may place fewer replicas than requested.
   * @default false */
  readonly allowPartial?: boolean | undefined;
  /** The fewest replicas that must serve: during a change, for plan --gate, and after the loss of any one cluster, for survive.
   * @default none */
  readonly minAvailable?: number | undefined;
  /** Whether its replicas are frozen: none are added, moved or removed.
   * @default false */
  readonly paused?: boolean | undefined;
  /** How pods are replaced when their template changes.
   * @default Rolling */
  readonly rollout?: 'Recreate' | Rollout | undefined;
  /** Which clusters are preferred, and how replicas spread.
   * @default - none */
  readonly placement?: Placement | undefined;
  /** Forbidden: services that send requests to this deployment send none outside the fleet.
   * @default Allowed */
  readonly externalEndpoints?: 'Allowed' | 'Forbidden' | undefined;
  /** A model for which Fleetwright chooses the engine and its GPUs, on hardware that holds it. Fields of template win.
   * @default none, you declare engines */
  readonly model?: Model | undefined;
  /** The clusters that replicas may run on, by their labels: those of its metadata, fleetwright.dev/cluster (its name), fleetwright.dev/provider (its source: EKS) and topology.kubernetes.io/region (that of its source).
   * @default all */
  readonly clusterSelector?: ClusterSelector | undefined;
  /** The name of a ModelCache in the same namespace.
   * @default - none */
  readonly modelCacheRef?: ModelCache | string | undefined;
  /** Adapters that engines load in addition to the model. Mounted at /mnt/adapters/NAME.
   * @default - none */
  readonly loraAdapters?: readonly LoraAdapter[] | undefined;
  /** How requests reach the engines.
   * @default - none */
  readonly serving?: ServingMode | undefined;
  /** Taints of clusters that replicas tolerate.
   * @default - none */
  readonly tolerations?: readonly Toleration[] | undefined;
  /** Health checks of its engines.
   * @default those of their runtime */
  readonly healthCheck?: HealthCheck | undefined;
  /** The peers that may connect to the pods of a replica.
   * @default - none */
  readonly networkPolicy?: NetworkPolicy | undefined;
  /** A model-definition.yaml whose service defines the health check. Fields of healthCheck override it. Relative to this manifest.
   * @default none */
  readonly modelDefinition?: string | undefined;
  /** The serving units of a replica.
   * @default derived from spec.model */
  readonly engines?: NonEmpty<Engine> | undefined;
  /** Labels of replicas and their endpoints, for services to select.
   * @default - none */
  readonly replicaLabels?: Readonly<Record<string, string>> | undefined;
}

/** Used in `ModelDeploymentProps.rollout`. */
export interface Rollout {
  /** Rolling: replaces one pod, or group, of an engine after the other. Recreate: stops all, then starts the new ones.
   * @default Rolling */
  readonly strategy?: 'Rolling' | 'Recreate' | undefined;
  /** Pods, or groups, of each engine that are created before an old one is removed. The plan reserves devices for them.
   * @default 0 */
  readonly surge?: number | undefined;
  /** Replicas that are replaced at the same time, if the tool that applies the manifests waits.
   * @default 1 */
  readonly parallel?: number | undefined;
}

/** Which clusters are preferred, and how replicas spread. */
export interface Placement {
  /** Spread: the cluster with the fewest replicas of this deployment. Pack: the fullest. Cheapest: the lowest price. Preferred: the first of a list.
   * @default Spread */
  readonly policy?: 'Spread' | 'Pack' | 'Cheapest' | 'Preferred' | undefined;
  /** For policy Preferred: cluster selectors, in order of preference.
   * @default - none */
  readonly preferred?: readonly ExactLabels[] | undefined;
  /** The failure domain to spread over: cluster, region, provider, a name of the Fleet's domains, or a cluster label key.
   * @default - none */
  readonly spreadBy?: string | undefined;
  /** The fewest failure domains, such as clusters with `spreadBy: cluster`, that replicas must be in.
   * @default - none */
  readonly minDomains?: number | undefined;
  /** The most replicas in one failure domain.
   * @default - none */
  readonly maxPerDomain?: number | undefined;
  /** The most replicas on one cluster.
   * @default - none */
  readonly maxPerCluster?: number | undefined;
}

/** A model for which Fleetwright chooses the engine and its GPUs, on hardware that holds it. Fields of template win. */
export interface Model {
  /** A row of the model catalog: Qwen/Qwen3-32B. */
  readonly repository: string;
  /** The commit, tag or branch of the repository.
   * @default that of the row, else that of the repository */
  readonly revision?: string | undefined;
  /** Tokens of the longest request, prompt and answer together.
   * @default the most that the model has */
  readonly context?: number | undefined;
  /** Requests of that length that a replica must hold at once.
   * @default 1 */
  readonly concurrency?: number | undefined;
  /** The program that serves it.
   * @default vLLM */
  readonly engine?: 'vLLM' | 'SGLang' | undefined;
  /** Its container image.
   * @default one of a fixed release of the engine */
  readonly image?: string | undefined;
  /** What the engine converts the weights to as it loads them.
   * @default as the repository has them */
  readonly quantization?: 'bf16' | 'fp8' | 'mxfp8' | 'int8' | 'int4' | 'mxfp4' | 'nvfp4' | undefined;
  /** The InferenceClasses that replicas may use, the preferred first.
   * @default all, the cheapest first */
  readonly hardware?: NonEmpty<InferenceClass | string> | undefined;
  /** The load that the replicas carry together. Plans compare it with measured rows of the model catalog.
   * @default - none */
  readonly load?: Load | undefined;
}

/** The load that the replicas carry together. Plans compare it with measured rows of the model catalog. */
export interface Load {
  /** Requests a second of all replicas together. */
  readonly requestsPerSecond: number;
  /** Tokens of a usual prompt. */
  readonly inputTokens: number;
  /** Tokens of a usual answer. */
  readonly outputTokens: number;
}

/** The clusters that replicas may run on, by their labels: those of its metadata, fleetwright.dev/cluster (its name), fleetwright.dev/provider (its source: EKS) and topology.kubernetes.io/region (that of its source). */
export interface ClusterSelector {
  /** Labels that must exist with these values.
   * @default - none */
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  /** Requirements, all of which must hold.
   * @default - none */
  readonly matchExpressions?: readonly ClusterSelectorRequirement[] | undefined;
}

/** Used in `ClusterSelector.matchExpressions`. */
export interface ClusterSelectorRequirement {
  /** The label. */
  readonly key: string;
  /** NotIn and DoesNotExist also select resources without the label. */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** For In and NotIn.
   * @default - none */
  readonly values?: readonly string[] | undefined;
}

/** Used in `ModelDeploymentProps.loraAdapters`. */
export interface LoraAdapter {
  /** The name by which requests choose the adapter as their model. */
  readonly name: string;
  /** The ModelCache with content LoRA that holds it. */
  readonly modelCacheRef: ModelCacheReference;
}

/** Used in `LoraAdapter.modelCacheRef`. */
export interface ModelCacheReference {
  /** The name of a ModelCache in the same namespace. */
  readonly name: ModelCache | string;
}

/** How requests reach the engines. */
export interface ServingMode {
  /** PrefillDecode: one engine reads prompts, another generates the answers.
   * @default Unified */
  readonly mode?: 'Unified' | 'PrefillDecode' | undefined;
}

/** Health checks of its engines. */
export interface HealthCheck {
  /** Whether health is checked. If not, a pod is ready as soon as its container runs.
   * @default true */
  readonly enabled?: boolean | undefined;
  /** The path to request.
   * @default that of the runtime */
  readonly path?: string | undefined;
  /** The port to request.
   * @default the port on which the engine serves */
  readonly port?: number | undefined;
  /** The time between two checks.
   * @default 10s */
  readonly interval?: string | undefined;
  /** The time limit of an answer.
   * @default that of the runtime */
  readonly timeout?: string | undefined;
  /** The time before the first check.
   * @default 0s */
  readonly initialDelay?: string | undefined;
  /** Successful checks in a row before a pod gets requests.
   * @default 1 */
  readonly healthyThreshold?: number | undefined;
  /** Failed checks in a row before a pod gets no more requests.
   * @default 3 */
  readonly unhealthyThreshold?: number | undefined;
  /** The status codes that gateways accept; probes of pods accept 200 to 399.
   * @default 200 */
  readonly expectedStatuses?: NonEmpty<number> | undefined;
}

/** The peers that may connect to the pods of a replica. */
export interface NetworkPolicy {
  /** Whether each replica has a NetworkPolicy.
   * @default true */
  readonly enabled?: boolean | undefined;
  /** Peers that may send requests, in addition to gateways and endpoint pickers in fleetwright-system and Prometheus.
   * @default none */
  readonly from?: readonly NetworkPolicyPeer[] | undefined;
  /** Peers that engines may connect to, in addition to their replica and DNS.
   * @default all */
  readonly to?: readonly NetworkPolicyPeer[] | undefined;
}

/** Used in `NetworkPolicy.from` and `NetworkPolicy.to`. */
export interface NetworkPolicyPeer {
  /** Namespaces.
   * @default that of the deployment */
  readonly namespaceSelector?: LabelSelector | undefined;
  /** Pods in them.
   * @default all */
  readonly podSelector?: LabelSelector | undefined;
  /** Addresses outside the cluster.
   * @default - none */
  readonly ipBlock?: IpBlock | undefined;
}

/** Used in `NetworkPolicyPeer.namespaceSelector`, `NetworkPolicyPeer.podSelector` and `TopologySpreadConstraint.labelSelector`. */
export interface LabelSelector {
  /** Labels that must exist with these values.
   * @default - none */
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  /** Further conditions.
   * @default - none */
  readonly matchExpressions?: readonly LabelSelectorRequirement[] | undefined;
}

/** Used in `LabelSelector.matchExpressions`. */
export interface LabelSelectorRequirement {
  /** The label. */
  readonly key: string;
  /** The comparison. */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** For In and NotIn.
   * @default - none */
  readonly values?: readonly string[] | undefined;
}

/** Addresses outside the cluster. */
export interface IpBlock {
  /** The range: 10.0.0.0/8. */
  readonly cidr: string;
}

/** Used in `ModelDeploymentProps.engines`. */
export interface Engine {
  /** The name of the engine within the deployment. */
  readonly name: string;
  /** The copies of the engine in a replica: a number, or bounds, { min: 1, max: 4 }, between which KEDA chooses by scaling.
   * @default 1 */
  readonly copies?: number | CopyBounds | undefined;
  /** The signals by which KEDA chooses the copies, and its pace. For copies with bounds.
   * @default - none */
  readonly scaling?: EngineScaling | undefined;
  /** The program that serves. Dynamo: a worker or the frontend of NVIDIA Dynamo, never detected.
   * @default detected from command and image; Custom where neither is known */
  readonly runtime?:
    | 'vLLM'
    | 'SGLang'
    | 'TensorRTLLM'
    | 'TGI'
    | 'LlamaCpp'
    | 'Ollama'
    | 'NIM'
    | 'LMDeploy'
    | 'Dynamo'
    | 'Custom'
    | undefined;
  /** Auto: adds the arguments with which the nodes of a gang find each other; a Worker without command and args starts like its Leader.
   * @default None */
  readonly bootstrap?: 'Auto' | 'None' | undefined;
  /** Settings of its start.
   * @default - none */
  readonly startup?: EngineStartup | undefined;
  /** Settings of its shutdown.
   * @default - none */
  readonly drain?: EngineDrain | undefined;
  /** For serving mode PrefillDecode, and for runtime Dynamo. Frontend: accepts requests for Dynamo.
   * @default - none */
  readonly phase?: 'Prefill' | 'Decode' | 'Frontend' | undefined;
  /** What clusters need for the engine, in addition to devices.
   * @default - none */
  readonly requires?: Requires | undefined;
  /** One Standalone member, or one Leader and one Worker.
   * @default derived from spec.model, or the frontend of Dynamo in the image of its worker */
  readonly members?: NonEmpty<Member> | undefined;
}

/** Used in `Engine.copies`. */
export interface CopyBounds {
  /** The fewest copies. 0: none without requests, where the HTTP add-on of KEDA holds requests until the first copy serves. */
  readonly min: number;
  /** The most copies. The plan reserves devices for all of them. */
  readonly max: number;
}

/** The signals by which KEDA chooses the copies, and its pace. For copies with bounds. */
export interface EngineScaling {
  /** What each copy can bear. The signal that asks for the most copies decides.
   * @default - none */
  readonly on?: NonEmpty<ScalingSignal> | undefined;
  /** How fast copies are added.
   * @default - none */
  readonly up?: ScalingUp | undefined;
  /** How fast copies are removed.
   * @default - none */
  readonly down?: ScalingDown | undefined;
}

/** Used in `EngineScaling.on`. */
export interface ScalingSignal {
  /** Requests of each copy that wait.
   * @default - none */
  readonly queue?: number | undefined;
  /** Requests of each copy that are in progress.
   * @default - none */
  readonly running?: number | undefined;
  /** The used part of the KV cache, on average over the copies: 80%.
   * @default - none */
  readonly kvUse?: string | undefined;
  /** A query of your own.
   * @default - none */
  readonly prometheus?: PrometheusSignal | undefined;
}

/** A query of your own. */
export interface PrometheusSignal {
  /** A PromQL query with one result, the sum over all copies. $(labels) in it becomes the labels of the engine in its replica. */
  readonly query: string;
  /** The part of the result that one copy can bear. */
  readonly threshold: number;
}

/** How fast copies are added. */
export interface ScalingUp {
  /** Copies that are added at a time.
   * @default 1 */
  readonly pods?: number | undefined;
  /** The time between two additions.
   * @default the startup budget of the engine, and at most 30m */
  readonly every?: string | undefined;
}

/** How fast copies are removed. */
export interface ScalingDown {
  /** How long the load must be lower before copies are removed, one a minute.
   * @default 5m */
  readonly after?: string | undefined;
}

/** Settings of its start. */
export interface EngineStartup {
  /** How long the engine may load before its pod is restarted.
   * @default depends on the size of its cache */
  readonly budget?: string | undefined;
}

/** Settings of its shutdown. */
export interface EngineDrain {
  /** How long responses in progress may take to finish.
   * @default 10m */
  readonly grace?: string | undefined;
}

/** What clusters need for the engine, in addition to devices. */
export interface Requires {
  /** The spec.backend.type of clusters that the replica may run on.
   * @default each type; Dynamo for runtime Dynamo */
  readonly backend?: 'Native' | 'KServe' | 'Dynamo' | undefined;
}

/** Used in `Engine.members`. */
export interface Member {
  /** Standalone: a single pod. Leader and Worker: a gang over several nodes.
   * @default Standalone */
  readonly role?: 'Standalone' | 'Leader' | 'Worker' | undefined;
  /** The devices that each pod claims. None: the pod claims no devices and runs where its engine does.
   * @default - none */
  readonly nodeSelector?: NodeSelector | undefined;
  /** For role Worker.
   * @default - none */
  readonly worker?: Worker | undefined;
  /** The pods of the member.
   * @default - none */
  readonly template?: PodTemplate | undefined;
}

/** The devices that each pod claims. None: the pod claims no devices and runs where its engine does. */
export interface NodeSelector {
  /** The devices that each pod claims. */
  readonly devices: NonEmpty<DeviceRequest>;
  /** The attributes that the devices must, or must not, have in common.
   * @default - none */
  readonly constraints?: readonly DeviceConstraint[] | undefined;
}

/** Used in `NodeSelector.devices`. */
export interface DeviceRequest {
  /** The name of the request within the claim. */
  readonly name: string;
  /** The number of devices, all of one node, that each pod needs.
   * @default 1 */
  readonly count?: number | undefined;
  /** All: each pod takes every device of its node that matches, and needs one of which none is taken. Without count.
   * @default ExactCount */
  readonly allocationMode?: 'ExactCount' | 'All' | undefined;
  /** Required values of a device, by the attribute names of its driver: architecture: Hopper, memory: ">= 79Gi", supports: FP8. The driver is gpu.nvidia.com, unless driver names another.
   * @default - see selectors */
  readonly where?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
  /** Conditions that a device must meet, all of them.
   * @default none in addition to where */
  readonly selectors?: readonly DeviceSelector[] | undefined;
  /** The part of a shared device that each pod takes. A device that is not shared must have at least this much. Needs Kubernetes 1.36.
   * @default of each capacity what the driver sets, which may be all */
  readonly capacity?: Capacity | undefined;
  /** Instead of count and selectors: alternatives, in order of preference. The cluster uses the first that it has.
   * @default - none */
  readonly firstAvailable?: readonly DeviceSubRequest[] | undefined;
  /** Taints of devices that the request tolerates, for every alternative. Needs Kubernetes 1.36.
   * @default - none */
  readonly tolerations?: readonly DeviceToleration[] | undefined;
  /** Configuration of the devices, passed to their driver unchanged.
   * @default - none */
  readonly config?: readonly DriverConfig[] | undefined;
}

/** Used in `DeviceRequest.selectors` and `DeviceSubRequest.selectors`. */
export interface DeviceSelector {
  /** A CEL expression over one device, as in a DeviceClass. */
  readonly cel: string;
}

/** The part of a shared device that each pod takes. A device that is not shared must have at least this much. Needs Kubernetes 1.36. */
export interface Capacity {
  /** The amount of each capacity of one device, by the name that its driver publishes: memory: 4Gi. */
  readonly requests: Readonly<Record<string, string | number>>;
}

/** Used in `DeviceRequest.firstAvailable`. */
export interface DeviceSubRequest {
  /** The name of the alternative within the request. */
  readonly name: string;
  /** The number of devices, all of one node, that each pod needs.
   * @default 1 */
  readonly count?: number | undefined;
  /** All: each pod takes every device of its node that matches, and needs one of which none is taken. Without count.
   * @default ExactCount */
  readonly allocationMode?: 'ExactCount' | 'All' | undefined;
  /** Required values of a device, by the attribute names of its driver: architecture: Hopper, memory: ">= 79Gi", supports: FP8. The driver is gpu.nvidia.com, unless driver names another.
   * @default - see selectors */
  readonly where?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
  /** Conditions that a device must meet, all of them.
   * @default none in addition to where */
  readonly selectors?: readonly DeviceSelector[] | undefined;
  /** The part of a shared device that each pod takes. A device that is not shared must have at least this much. Needs Kubernetes 1.36.
   * @default of each capacity what the driver sets, which may be all */
  readonly capacity?: Capacity | undefined;
}

/** Used in `DeviceRequest.tolerations`. */
export interface DeviceToleration {
  /** The key of the taint. Without a key, operator Exists matches all taints.
   * @default - none */
  readonly key?: string | undefined;
  /** Equal: key and value must match. Exists: the key must match.
   * @default Equal */
  readonly operator?: 'Equal' | 'Exists' | undefined;
  /** The value of the taint, for operator Equal.
   * @default - none */
  readonly value?: string | undefined;
  /** The effect of the taint.
   * @default every effect */
  readonly effect?: 'NoSchedule' | 'NoExecute' | undefined;
  /** For effect NoExecute: how long the pod stays.
   * @default forever */
  readonly tolerationSeconds?: number | undefined;
}

/** Used in `DeviceRequest.config`. */
export interface DriverConfig {
  /** The driver that reads it: gpu.nvidia.com. */
  readonly driver: string;
  /** The configuration, with its apiVersion and kind. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Used in `NodeSelector.constraints`. */
export interface DeviceConstraint {
  /** All devices of the requests must have the same value of this attribute.
   * @default - none */
  readonly matchAttribute?: string | undefined;
  /** No two devices of the requests may have the same value of this attribute.
   * @default - none */
  readonly distinctAttribute?: string | undefined;
  /** The names of requests.
   * @default all of the pod */
  readonly requests?: readonly string[] | undefined;
}

/** For role Worker. */
export interface Worker {
  /** Worker pods in addition to the leader, each on its own node.
   * @default 1 */
  readonly nodes?: number | undefined;
}

/** The pods of the member. */
export interface PodTemplate {
  /** Labels and annotations of the pods.
   * @default - none */
  readonly metadata?: PodMetadata | undefined;
  /** The spec of the pods: a subset of the Kubernetes PodSpec, with the same names.
   * @default - none */
  readonly spec?: PodSpec | undefined;
}

/** Labels and annotations of the pods. */
export interface PodMetadata {
  /** Labels of the pods.
   * @default - none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of the pods.
   * @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** The spec of the pods: a subset of the Kubernetes PodSpec, with the same names. */
export interface PodSpec {
  /** The container of the engine first, then the other containers of the pod.
   * @default derived from spec.model */
  readonly containers?: readonly [EngineContainer, ...HelperContainer[]] | undefined;
  /** Containers that run before the engine, one after the other, and sidecars.
   * @default - none */
  readonly initContainers?: readonly InitContainer[] | undefined;
  /** The volumes that containers can mount.
   * @default - none */
  readonly volumes?: readonly Volume[] | undefined;
  /** Secrets for the registry of the image.
   * @default - none */
  readonly imagePullSecrets?: readonly ImagePullSecret[] | undefined;
  /** The ServiceAccount of the pods, for cloud identities.
   * @default default */
  readonly serviceAccountName?: ObjectReference | string | undefined;
  /** Whether the pods get a token for the API server.
   * @default false */
  readonly automountServiceAccountToken?: boolean | undefined;
  /** The priority class, which decides which pods are evicted first from a full node. The classes system-* of Kubernetes are rejected.
   * @default none */
  readonly priorityClassName?: string | undefined;
  /** The scheduler of the pods.
   * @default the scheduler of the cluster */
  readonly schedulerName?: string | undefined;
  /** The runtime class of their containers. The plan does not count its overhead.
   * @default that of the cluster */
  readonly runtimeClassName?: string | undefined;
  /** Seconds that the pods have to terminate.
   * @default drain.grace of the engine */
  readonly terminationGracePeriodSeconds?: number | undefined;
  /** Preferences for nodes of the pool.
   * @default - none */
  readonly affinity?: Affinity | undefined;
  /** Preferences for the spread of pods over the nodes of the pool.
   * @default - none */
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[] | undefined;
  /** The security context of all containers, unless a container overrides it.
   * @default - none */
  readonly securityContext?: PodSecurityContext | undefined;
  /** Entries for /etc/hosts.
   * @default - none */
  readonly hostAliases?: readonly HostAlias[] | undefined;
}

/** Used in `PodSpec.containers`. */
export interface EngineContainer {
  /** The name of the engine's container: 'engine'. */
  readonly name: 'engine';
  /** The container image.
   * @default derived from spec.model */
  readonly image?: string | undefined;
  /** When the image is pulled.
   * @default Always with the tag latest, else IfNotPresent */
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
  /** Replaces the image's entrypoint.
   * @default - none */
  readonly command?: readonly string[] | undefined;
  /** The working directory.
   * @default that of the image */
  readonly workingDir?: string | undefined;
  /** The environment.
   * @default - none */
  readonly env?: readonly EnvVar[] | undefined;
  /** Variables from all keys of an object. Those of env take precedence.
   * @default - none */
  readonly envFrom?: readonly EnvFromSource[] | undefined;
  /** Where volumes of the pod are mounted.
   * @default - none */
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  /** Other probes start only after it succeeds.
   * @default the probe of the runtime, if the pod serves */
  readonly startupProbe?: Probe | undefined;
  /** Whether the pod gets requests.
   * @default the probe of the runtime, if the pod serves */
  readonly readinessProbe?: ReadinessProbe | undefined;
  /** Whether the container is restarted.
   * @default none, because a restart of a busy engine would lose its loaded weights */
  readonly livenessProbe?: Probe | undefined;
  /** Hooks at its start and before its end.
   * @default - none */
  readonly lifecycle?: Lifecycle | undefined;
  /** The security context of its processes.
   * @default - none */
  readonly securityContext?: SecurityContext | undefined;
  /** Arguments of the entrypoint. Parallelism and the model are set here.
   * @default - none */
  readonly args?: readonly string[] | undefined;
  /** CPU and memory. Devices are claimed by nodeSelector.
   * @default - none */
  readonly resources?: EngineResources | undefined;
}

/** Used in `EngineContainer.env`, `HelperContainer.env` and `InitContainer.env`. */
export interface EnvVar {
  /** The name of the variable. */
  readonly name: string;
  /** Its value. $(NAME) refers to an earlier variable.
   * @default - none */
  readonly value?: string | undefined;
  /** The source of its value.
   * @default - none */
  readonly valueFrom?: EnvVarSource | undefined;
}

/** The source of its value. */
export interface EnvVarSource {
  /** A key of a Secret in the namespace of the deployment, on each cluster.
   * @default - none */
  readonly secretKeyRef?: SecretKeySelector | undefined;
  /** A key of a ConfigMap in the namespace of the deployment, on each cluster.
   * @default - none */
  readonly configMapKeyRef?: ConfigMapKeySelector | undefined;
  /** A field of the pod.
   * @default - none */
  readonly fieldRef?: ObjectFieldSelector | undefined;
}

/** A key of a Secret in the namespace of the deployment, on each cluster. */
export interface SecretKeySelector {
  /** The name of the Secret. */
  readonly name: ObjectReference | string;
  /** The key in the Secret. */
  readonly key: string;
  /** Whether pods can start without it.
   * @default false */
  readonly optional?: boolean | undefined;
}

/** A key of a ConfigMap in the namespace of the deployment, on each cluster. */
export interface ConfigMapKeySelector {
  /** The name of the ConfigMap. */
  readonly name: ObjectReference | string;
  /** The key in the ConfigMap. */
  readonly key: string;
  /** Whether pods can start without it.
   * @default false */
  readonly optional?: boolean | undefined;
}

/** A field of the pod. */
export interface ObjectFieldSelector {
  /** A field of the pod: status.podIP. */
  readonly fieldPath: string;
  /** The version of the pod API.
   * @default v1 */
  readonly apiVersion?: string | undefined;
}

/** Used in `EngineContainer.envFrom`, `HelperContainer.envFrom` and `InitContainer.envFrom`. */
export interface EnvFromSource {
  /** A prefix for the name of each variable.
   * @default - none */
  readonly prefix?: string | undefined;
  /** All keys of a ConfigMap.
   * @default - none */
  readonly configMapRef?: EnvSource | undefined;
  /** All keys of a Secret.
   * @default - none */
  readonly secretRef?: EnvSource | undefined;
}

/** Used in `EnvFromSource.configMapRef` and `EnvFromSource.secretRef`. */
export interface EnvSource {
  /** The name of the object, in the namespace of the deployment. */
  readonly name: ObjectReference | string;
  /** Whether pods can start without it.
   * @default false */
  readonly optional?: boolean | undefined;
}

/** Used in `EngineContainer.volumeMounts`, `HelperContainer.volumeMounts` and `InitContainer.volumeMounts`. */
export interface VolumeMount {
  /** The name of the volume. */
  readonly name: string;
  /** The path in the container. */
  readonly mountPath: string;
  /** The folder of the volume that is mounted.
   * @default all of it */
  readonly subPath?: string | undefined;
  /** Whether the volume is read-only.
   * @default false */
  readonly readOnly?: boolean | undefined;
}

/** Used in `EngineContainer.startupProbe`, `EngineContainer.livenessProbe`, `HelperContainer.startupProbe` and 3 more. */
export interface Probe {
  /** Sends an HTTP request. Status codes 200 to 399 are a success.
   * @default - none */
  readonly httpGet?: HttpGetAction | undefined;
  /** Runs a command in the container. Exit code 0 is a success.
   * @default - none */
  readonly exec?: ExecAction | undefined;
  /** Connects to a port.
   * @default - none */
  readonly tcpSocket?: TcpSocketAction | undefined;
  /** Calls the gRPC health service.
   * @default - none */
  readonly grpc?: GrpcAction | undefined;
  /** Seconds before the first check.
   * @default 0 */
  readonly initialDelaySeconds?: number | undefined;
  /** Seconds from one check to the next.
   * @default 10 */
  readonly periodSeconds?: number | undefined;
  /** The time limit of an answer, in seconds.
   * @default 1 */
  readonly timeoutSeconds?: number | undefined;
  /** Failures in a row until the probe fails.
   * @default 3 */
  readonly failureThreshold?: number | undefined;
  /** Seconds that the container has to terminate after a failure.
   * @default those of the pod */
  readonly terminationGracePeriodSeconds?: number | undefined;
}

/** Sends an HTTP request. Status codes 200 to 399 are a success. */
export interface HttpGetAction {
  /** @default / */
  readonly path?: string | undefined;
  /** The port of the container. */
  readonly port: number;
  /** @default HTTP */
  readonly scheme?: 'HTTP' | 'HTTPS' | undefined;
  /** Headers of the request.
   * @default - none */
  readonly httpHeaders?: readonly HttpHeader[] | undefined;
}

/** Used in `HttpGetAction.httpHeaders`. */
export interface HttpHeader {
  /** The name of the header. */
  readonly name: string;
  /** Its value. */
  readonly value: string;
}

/** Runs a command in the container. Exit code 0 is a success. */
export interface ExecAction {
  /** The command and its arguments. */
  readonly command: NonEmpty<string>;
}

/** Connects to a port. */
export interface TcpSocketAction {
  /** The port of the container. */
  readonly port: number;
}

/** Calls the gRPC health service. */
export interface GrpcAction {
  /** The port of the container. */
  readonly port: number;
  /** The service to check.
   * @default the server as a whole */
  readonly service?: string | undefined;
}

/** Used in `EngineContainer.readinessProbe`, `HelperContainer.readinessProbe` and `InitContainer.readinessProbe`. */
export interface ReadinessProbe {
  /** Sends an HTTP request. Status codes 200 to 399 are a success.
   * @default - none */
  readonly httpGet?: HttpGetAction | undefined;
  /** Runs a command in the container. Exit code 0 is a success.
   * @default - none */
  readonly exec?: ExecAction | undefined;
  /** Connects to a port.
   * @default - none */
  readonly tcpSocket?: TcpSocketAction | undefined;
  /** Calls the gRPC health service.
   * @default - none */
  readonly grpc?: GrpcAction | undefined;
  /** Seconds before the first check.
   * @default 0 */
  readonly initialDelaySeconds?: number | undefined;
  /** Seconds from one check to the next.
   * @default 10 */
  readonly periodSeconds?: number | undefined;
  /** The time limit of an answer, in seconds.
   * @default 1 */
  readonly timeoutSeconds?: number | undefined;
  /** Failures in a row until the probe fails.
   * @default 3 */
  readonly failureThreshold?: number | undefined;
  /** Successes in a row until the probe succeeds after a failure.
   * @default 1 */
  readonly successThreshold?: number | undefined;
}

/** Hooks at its start and before its end. */
export interface Lifecycle {
  /** Runs right after the start, at the same time as the entrypoint.
   * @default - none */
  readonly postStart?: LifecycleHandler | undefined;
  /** Runs before the container gets SIGTERM, within the grace period of the pod.
   * @default - none */
  readonly preStop?: LifecycleHandler | undefined;
}

/** Used in `Lifecycle.postStart` and `Lifecycle.preStop`. */
export interface LifecycleHandler {
  /** Sends an HTTP request. Status codes 200 to 399 are a success.
   * @default - none */
  readonly httpGet?: HttpGetAction | undefined;
  /** Runs a command in the container. Exit code 0 is a success.
   * @default - none */
  readonly exec?: ExecAction | undefined;
  /** Waits.
   * @default - none */
  readonly sleep?: SleepAction | undefined;
}

/** Waits. */
export interface SleepAction {
  /** Seconds to wait. */
  readonly seconds: number;
}

/** The security context of its processes. */
export interface SecurityContext {
  /** The user.
   * @default that of the image */
  readonly runAsUser?: number | undefined;
  /** The group.
   * @default that of the image */
  readonly runAsGroup?: number | undefined;
  /** Whether Kubernetes refuses to start a container that would run as root.
   * @default - none */
  readonly runAsNonRoot?: boolean | undefined;
  /** Whether the file system of the container is read-only, except for volumes.
   * @default false */
  readonly readOnlyRootFilesystem?: boolean | undefined;
  /** Whether a process can gain more privileges.
   * @default false */
  readonly allowPrivilegeEscalation?: boolean | undefined;
  /** Whether it runs with all privileges of the node.
   * @default false */
  readonly privileged?: boolean | undefined;
  /** Changes to the Linux capabilities.
   * @default - none */
  readonly capabilities?: Capabilities | undefined;
  /** The seccomp profile, which limits its system calls.
   * @default that of the pod */
  readonly seccompProfile?: SeccompProfile | undefined;
}

/** Changes to the Linux capabilities. */
export interface Capabilities {
  /** Linux capabilities to add: IPC_LOCK.
   * @default - none */
  readonly add?: readonly string[] | undefined;
  /** Linux capabilities to drop.
   * @default ALL */
  readonly drop?: readonly string[] | undefined;
}

/** Used in `SecurityContext.seccompProfile` and `PodSecurityContext.seccompProfile`. */
export interface SeccompProfile {
  /** The type of the profile. */
  readonly type: 'RuntimeDefault' | 'Localhost' | 'Unconfined';
  /** For type Localhost: its file on the node.
   * @default - none */
  readonly localhostProfile?: string | undefined;
}

/** CPU and memory. Devices are claimed by nodeSelector. */
export interface EngineResources {
  /** The amounts to reserve for the container.
   * @default a fraction of 90 % of the node, the same as of its devices, or a minimum if the node is not known */
  readonly requests?: ResourceAmounts | undefined;
  /** Limits of the container.
   * @default no limit */
  readonly limits?: ResourceAmounts | undefined;
}

/** Used in `EngineResources.requests`, `EngineResources.limits`, `ResourceRequirements.requests` and 1 more. */
export interface ResourceAmounts {
  /** CPU: 16, or 500m.
   * @default - none */
  readonly cpu?: string | number | undefined;
  /** Memory: 200Gi.
   * @default - none */
  readonly memory?: string | undefined;
}

/** Used in `PodSpec.containers`. */
export interface HelperContainer {
  /** The name of the container. */
  readonly name: string;
  /** The container image. */
  readonly image: string;
  /** When the image is pulled.
   * @default Always with the tag latest, else IfNotPresent */
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
  /** Replaces the image's entrypoint.
   * @default - none */
  readonly command?: readonly string[] | undefined;
  /** The working directory.
   * @default that of the image */
  readonly workingDir?: string | undefined;
  /** The environment.
   * @default - none */
  readonly env?: readonly EnvVar[] | undefined;
  /** Variables from all keys of an object. Those of env take precedence.
   * @default - none */
  readonly envFrom?: readonly EnvFromSource[] | undefined;
  /** Where volumes of the pod are mounted.
   * @default - none */
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  /** Other probes start only after it succeeds.
   * @default - none */
  readonly startupProbe?: Probe | undefined;
  /** Whether the pod gets requests.
   * @default - none */
  readonly readinessProbe?: ReadinessProbe | undefined;
  /** Whether it is restarted.
   * @default - none */
  readonly livenessProbe?: Probe | undefined;
  /** Hooks at its start and before its end.
   * @default - none */
  readonly lifecycle?: Lifecycle | undefined;
  /** The security context of its processes.
   * @default - none */
  readonly securityContext?: SecurityContext | undefined;
  /** Arguments of the entrypoint.
   * @default - none */
  readonly args?: readonly string[] | undefined;
  /** The ports of the container.
   * @default - none */
  readonly ports?: readonly ContainerPort[] | undefined;
  /** CPU and memory.
   * @default - none */
  readonly resources?: ResourceRequirements | undefined;
}

/** Used in `HelperContainer.ports` and `InitContainer.ports`. */
export interface ContainerPort {
  /** The name of the port.
   * @default - none */
  readonly name?: string | undefined;
  /** The port. */
  readonly containerPort: number;
  /** @default TCP */
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP' | undefined;
}

/** CPU and memory. */
export interface ResourceRequirements {
  /** The amounts to reserve for the container. The plan counts them.
   * @default none */
  readonly requests?: ResourceAmounts | undefined;
  /** Limits of the container.
   * @default no limit */
  readonly limits?: ResourceAmounts | undefined;
}

/** Used in `PodSpec.initContainers`. */
export interface InitContainer {
  /** The name of the container. */
  readonly name: string;
  /** The container image. */
  readonly image: string;
  /** When the image is pulled.
   * @default Always with the tag latest, else IfNotPresent */
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
  /** Replaces the image's entrypoint.
   * @default - none */
  readonly command?: readonly string[] | undefined;
  /** The working directory.
   * @default that of the image */
  readonly workingDir?: string | undefined;
  /** The environment.
   * @default - none */
  readonly env?: readonly EnvVar[] | undefined;
  /** Variables from all keys of an object. Those of env take precedence.
   * @default - none */
  readonly envFrom?: readonly EnvFromSource[] | undefined;
  /** Where volumes of the pod are mounted.
   * @default - none */
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  /** Other probes start only after it succeeds.
   * @default - none */
  readonly startupProbe?: Probe | undefined;
  /** Whether the pod gets requests.
   * @default - none */
  readonly readinessProbe?: ReadinessProbe | undefined;
  /** Whether it is restarted.
   * @default - none */
  readonly livenessProbe?: Probe | undefined;
  /** Hooks at its start and before its end.
   * @default - none */
  readonly lifecycle?: Lifecycle | undefined;
  /** The security context of its processes.
   * @default - none */
  readonly securityContext?: SecurityContext | undefined;
  /** Arguments of the entrypoint.
   * @default - none */
  readonly args?: readonly string[] | undefined;
  /** The ports of the container.
   * @default - none */
  readonly ports?: readonly ContainerPort[] | undefined;
  /** CPU and memory.
   * @default - none */
  readonly resources?: ResourceRequirements | undefined;
  /** Always: a sidecar, which starts before the engine and ends after it.
   * @default the container ends before the engine starts */
  readonly restartPolicy?: 'Always' | undefined;
}

/** Used in `PodSpec.volumes`. */
export interface Volume {
  /** The name by which containers mount it. */
  readonly name: string;
  /** An empty folder that is deleted with the pod.
   * @default - none */
  readonly emptyDir?: EmptyDirVolume | undefined;
  /** A ConfigMap in the namespace of the deployment, on each cluster.
   * @default - none */
  readonly configMap?: ConfigMapVolume | undefined;
  /** A Secret in the namespace of the deployment, on each cluster.
   * @default - none */
  readonly secret?: SecretVolume | undefined;
  /** A PersistentVolumeClaim that many nodes can mount, on each cluster.
   * @default - none */
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolume | undefined;
  /** A folder of an NFS server.
   * @default - none */
  readonly nfs?: NfsVolume | undefined;
  /** A volume that a driver creates for each pod.
   * @default - none */
  readonly csi?: CsiVolume | undefined;
  /** Several sources in one folder.
   * @default - none */
  readonly projected?: ProjectedVolume | undefined;
  /** Fields of the pod as files.
   * @default - none */
  readonly downwardAPI?: DownwardApiVolume | undefined;
  /** A path of the node. The namespace then needs the Pod Security level privileged.
   * @default - none */
  readonly hostPath?: HostPathVolume | undefined;
}

/** An empty folder that is deleted with the pod. */
export interface EmptyDirVolume {
  /** Memory: files count as memory of the container.
   * @default the disk of the node */
  readonly medium?: 'Memory' | undefined;
  /** The size limit.
   * @default no limit */
  readonly sizeLimit?: string | undefined;
}

/** Used in `Volume.configMap` and `VolumeProjection.configMap`. */
export interface ConfigMapVolume {
  /** The name of the ConfigMap. */
  readonly name: ObjectReference | string;
  /** The keys, and their files.
   * @default all keys, each as the file of its name */
  readonly items?: readonly KeyToPath[] | undefined;
  /** Whether pods can start without it.
   * @default false */
  readonly optional?: boolean | undefined;
}

/** Used in `ConfigMapVolume.items`, `SecretVolume.items` and `SecretProjection.items`. */
export interface KeyToPath {
  /** The key. */
  readonly key: string;
  /** The path of its file in the volume. */
  readonly path: string;
}

/** A Secret in the namespace of the deployment, on each cluster. */
export interface SecretVolume {
  /** The name of the Secret. */
  readonly secretName: ObjectReference | string;
  /** The keys, and their files.
   * @default all keys, each as the file of its name */
  readonly items?: readonly KeyToPath[] | undefined;
  /** Whether pods can start without it.
   * @default false */
  readonly optional?: boolean | undefined;
}

/** A PersistentVolumeClaim that many nodes can mount, on each cluster. */
export interface PersistentVolumeClaimVolume {
  /** The name of the claim. */
  readonly claimName: ObjectReference | string;
  /** Whether the volume is read-only.
   * @default false */
  readonly readOnly?: boolean | undefined;
}

/** A folder of an NFS server. */
export interface NfsVolume {
  /** The host. */
  readonly server: string;
  /** The path that it exports. */
  readonly path: string;
  /** Whether the volume is read-only.
   * @default false */
  readonly readOnly?: boolean | undefined;
}

/** A volume that a driver creates for each pod. */
export interface CsiVolume {
  /** The name of the driver. */
  readonly driver: string;
  /** Whether the volume is read-only.
   * @default false */
  readonly readOnly?: boolean | undefined;
  /** The file system.
   * @default that of the driver */
  readonly fsType?: string | undefined;
  /** Attributes for the driver.
   * @default - none */
  readonly volumeAttributes?: Readonly<Record<string, string>> | undefined;
  /** Credentials for the driver.
   * @default - none */
  readonly nodePublishSecretRef?: SecretReference | undefined;
}

/** Several sources in one folder. */
export interface ProjectedVolume {
  /** The sources of the files. */
  readonly sources: NonEmpty<VolumeProjection>;
}

/** Used in `ProjectedVolume.sources`. */
export interface VolumeProjection {
  /** Keys of a ConfigMap.
   * @default - none */
  readonly configMap?: ConfigMapVolume | undefined;
  /** Keys of a Secret.
   * @default - none */
  readonly secret?: SecretProjection | undefined;
  /** Fields of the pod.
   * @default - none */
  readonly downwardAPI?: DownwardApiVolume | undefined;
  /** A token of the service account of the pod.
   * @default - none */
  readonly serviceAccountToken?: ServiceAccountTokenProjection | undefined;
}

/** Keys of a Secret. */
export interface SecretProjection {
  /** The name of the Secret. */
  readonly name: ObjectReference | string;
  /** The keys, and their files.
   * @default all keys, each as the file of its name */
  readonly items?: readonly KeyToPath[] | undefined;
  /** Whether pods can start without it.
   * @default false */
  readonly optional?: boolean | undefined;
}

/** Used in `VolumeProjection.downwardAPI` and `Volume.downwardAPI`. */
export interface DownwardApiVolume {
  /** The fields, and their files. */
  readonly items: NonEmpty<DownwardApiFile>;
}

/** Used in `DownwardApiVolume.items`. */
export interface DownwardApiFile {
  /** The file in the volume. */
  readonly path: string;
  /** A field of the pod. */
  readonly fieldRef: PodFieldSelector;
}

/** A field of the pod. */
export interface PodFieldSelector {
  /** The field: metadata.labels. */
  readonly fieldPath: string;
}

/** A token of the service account of the pod. */
export interface ServiceAccountTokenProjection {
  /** The file in the volume. */
  readonly path: string;
  /** The audience of the token.
   * @default the API server */
  readonly audience?: string | undefined;
  /** @default 3600 */
  readonly expirationSeconds?: number | undefined;
}

/** A path of the node. The namespace then needs the Pod Security level privileged. */
export interface HostPathVolume {
  /** The path on the node. */
  readonly path: string;
  /** The type that the path must have.
   * @default not checked */
  readonly type?:
    | 'DirectoryOrCreate'
    | 'Directory'
    | 'FileOrCreate'
    | 'File'
    | 'Socket'
    | 'CharDevice'
    | 'BlockDevice'
    | undefined;
}

/** Used in `PodSpec.imagePullSecrets`. */
export interface ImagePullSecret {
  /** The name of the Secret, in the namespace of the deployment. */
  readonly name: ObjectReference | string;
}

/** Preferences for nodes of the pool. */
export interface Affinity {
  /** Preferred nodes of the pool. */
  readonly nodeAffinity: NodeAffinity;
}

/** Preferred nodes of the pool. */
export interface NodeAffinity {
  /** Preferred nodes. */
  readonly preferredDuringSchedulingIgnoredDuringExecution: NonEmpty<PreferredSchedulingTerm>;
}

/** Used in `NodeAffinity.preferredDuringSchedulingIgnoredDuringExecution`. */
export interface PreferredSchedulingTerm {
  /** The weight of this preference, relative to others. */
  readonly weight: number;
  /** Preferred nodes. */
  readonly preference: NodeSelectorTerm;
}

/** Preferred nodes. */
export interface NodeSelectorTerm {
  /** The labels that the node should have. */
  readonly matchExpressions: NonEmpty<NodeSelectorRequirement>;
}

/** Used in `NodeSelectorTerm.matchExpressions`. */
export interface NodeSelectorRequirement {
  /** The label of the node. */
  readonly key: string;
  /** The comparison. */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  /** For In and NotIn; one number for Gt and Lt.
   * @default - none */
  readonly values?: readonly string[] | undefined;
}

/** Used in `PodSpec.topologySpreadConstraints`. */
export interface TopologySpreadConstraint {
  /** The largest difference between two domains. */
  readonly maxSkew: number;
  /** The node label whose values are the domains. */
  readonly topologyKey: string;
  /** ScheduleAnyway: a preference, because the plan expects that each pod can run on all nodes of the pool. */
  readonly whenUnsatisfiable: 'ScheduleAnyway';
  /** The pods that are counted.
   * @default those of the engine in this replica */
  readonly labelSelector?: LabelSelector | undefined;
}

/** The security context of all containers, unless a container overrides it. */
export interface PodSecurityContext {
  /** The user.
   * @default that of the image */
  readonly runAsUser?: number | undefined;
  /** The group.
   * @default that of the image */
  readonly runAsGroup?: number | undefined;
  /** Whether Kubernetes refuses to start a container that would run as root.
   * @default - none */
  readonly runAsNonRoot?: boolean | undefined;
  /** The group that owns the volumes.
   * @default - none */
  readonly fsGroup?: number | undefined;
  /** When to change the owner of volumes.
   * @default Always, which takes long for large volumes */
  readonly fsGroupChangePolicy?: 'OnRootMismatch' | 'Always' | undefined;
  /** Further groups of every process.
   * @default - none */
  readonly supplementalGroups?: readonly number[] | undefined;
  /** The seccomp profile, which limits the system calls of its containers.
   * @default RuntimeDefault */
  readonly seccompProfile?: SeccompProfile | undefined;
}

/** Used in `PodSpec.hostAliases`. */
export interface HostAlias {
  /** The address. */
  readonly ip: string;
  /** Its names. */
  readonly hostnames: NonEmpty<string>;
}
