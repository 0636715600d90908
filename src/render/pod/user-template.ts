import type { EngineContainerSpec, HelperContainer, InitContainer } from '../../api/pod/container';
import type { PodTemplate } from '../../api/pod/pod-template';
import type { Labels } from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, PodSpec } from '../../manifest/kubernetes/manifest';
import { secureContainer } from './security-context';

type TemplateSpec = PodTemplate['spec'];

/** Fields of a pod that a user sets as they are. Where we set one too, the user's wins. */
const COPIED_POD_FIELDS = [
  'serviceAccountName',
  'automountServiceAccountToken',
  'priorityClassName',
  'schedulerName',
  'runtimeClassName',
  'hostAliases',
] as const satisfies readonly (keyof TemplateSpec)[];

/** A pod spec as we make it: the engine's container first. */
export interface GeneratedPodSpec extends PodSpec {
  readonly initContainers?: readonly JsonObject[];
  readonly volumes: readonly JsonObject[];
}

/** What a pod template depends on besides itself. */
interface TemplateContext {
  /** The labels by which the pods of the engine in the replica are known. */
  readonly labels: Labels;

  /** Variables that the cluster gives to engines. */
  readonly env: readonly JsonObject[];
}

/**
 * A pod spec with all that its template says. Fields of users win over ours; lists are ours and theirs together,
 * ours first: init containers of ours wait for what those of users need.
 */
export function applyPodTemplate(
  ours: GeneratedPodSpec,
  spec: TemplateSpec,
  { labels, env }: TemplateContext,
): JsonObject {
  const [own, ...helpers] = spec.containers;
  const [engine = {}] = ours.containers;
  const containers = [customizeEngineContainer(engine, own, env), ...helpers.map(renderHelperContainer)].map(
    secureContainer,
  );
  const before = [
    ...(ours.initContainers ?? []),
    ...(spec.initContainers ?? []).map(renderHelperContainer),
  ].map(secureContainer);
  const mounted = mountedVolumesOf([...containers, ...before]);
  const { initContainers: _, containers: __, volumes, ...rest } = ours;
  return {
    ...rest,
    ...schedulingOf(rest, spec, labels),
    ...Object.fromEntries(
      COPIED_POD_FIELDS.filter((key) => spec[key] !== undefined).map((key) => [key, spec[key]]),
    ),
    securityContext: securityContextOf(mapOf(rest['securityContext']), spec),
    ...(before.length > 0 && { initContainers: before }),
    containers,
    // One of ours that a user's own replaces is mounted nowhere.
    volumes: [...volumes.filter(({ name }) => mounted.has(name)), ...(spec.volumes ?? [])],
  };
}

/** Groups are ours and theirs together: files of caches belong to ours. */
function securityContextOf(ours: JsonObject, { securityContext = {} }: TemplateSpec): JsonObject {
  const groups = [ours['supplementalGroups'] ?? [], securityContext.supplementalGroups ?? []].flat();
  return {
    ...ours,
    ...securityContext,
    ...(groups.length > 0 && { supplementalGroups: [...new Set(groups)] }),
  };
}

/** What users prefer of nodes stands beside what we do; how they spread pods replaces how we pack them. */
function schedulingOf(ours: JsonObject, spec: TemplateSpec, labels: Labels): JsonObject {
  const { affinity, topologySpreadConstraints: spread } = spec;
  return {
    ...(affinity && { affinity: { ...mapOf(ours['affinity']), ...affinity } }),
    ...(spread && {
      topologySpreadConstraints: spread.map((one) => ({ labelSelector: { matchLabels: labels }, ...one })),
    }),
  };
}

function mountedVolumesOf(containers: readonly JsonObject[]): ReadonlySet<unknown> {
  const mounts = containers.flatMap(({ volumeMounts }) => (volumeMounts ?? []) as readonly JsonObject[]);
  return new Set(mounts.map(({ name }) => name));
}

function mapOf(value: JsonObject[string]): JsonObject {
  return (value ?? {}) as JsonObject;
}

/** Fields of the engine's container that a user sets as they are. Where we set one too, the user's wins. */
const COPIED_CONTAINER_FIELDS = [
  'imagePullPolicy',
  'workingDir',
  'envFrom',
  'startupProbe',
  'readinessProbe',
  'livenessProbe',
] as const satisfies readonly (keyof EngineContainerSpec)[];

/**
 * The engine's container with what its user says beyond image, command, arguments, variables and resources.
 *
 * @param given variables that it has unless its user sets them. They stand first: others may refer to them
 */
export function customizeEngineContainer(
  ours: JsonObject,
  own: EngineContainerSpec,
  given: readonly JsonObject[],
): JsonObject {
  const { lifecycle, securityContext, volumeMounts = [] } = own;
  const taken = new Set<unknown>(volumeMounts.map(({ mountPath }) => mountPath));
  const kept = ((ours['volumeMounts'] ?? []) as readonly JsonObject[]).filter(
    ({ mountPath }) => !taken.has(mountPath),
  );
  const set = (ours['env'] ?? []) as readonly JsonObject[];
  const missing = given.filter(({ name }) => !set.some((variable) => variable['name'] === name));
  return {
    ...ours,
    ...(missing.length > 0 && { env: [...missing, ...set] }),
    ...Object.fromEntries(
      COPIED_CONTAINER_FIELDS.filter((key) => own[key] !== undefined).map((key) => [key, own[key]]),
    ),
    ...(lifecycle && { lifecycle: { ...(ours['lifecycle'] as JsonObject | undefined), ...lifecycle } }),
    securityContext: { ...(ours['securityContext'] as JsonObject | undefined), ...securityContext },
    volumeMounts: [...kept, ...volumeMounts],
  };
}

/** A container of the user's beside the engine, or before it, as it was written: what is empty is left out. */
export function renderHelperContainer({
  env,
  resources,
  ...container
}: HelperContainer | InitContainer): JsonObject {
  const amounts = Object.entries(resources).filter(([, some]) => Object.keys(some).length > 0);
  return {
    ...container,
    ...(env.length > 0 && { env }),
    ...(amounts.length > 0 && { resources: Object.fromEntries(amounts) }),
  };
}
