import type { EngineContainerSpec, HelperContainer, InitContainer } from '../../api/pod/container';
import type { PodTemplate } from '../../api/pod/pod-template';
import { getOrComputeWeak, type WeakPairMap } from '../../base/memoize';
import { shareText } from '../../manifest/format-yaml';
import type { Labels } from '../../manifest/kubernetes/labels-and-annotations';
import type { JsonObject, PodSpec } from '../../manifest/kubernetes/manifest';
import { secureContainer } from './security-context';

type TemplateSpec = PodTemplate['spec'];

/** Fields of a pod that are copied from the user. They replace generated fields. */
const COPIED_POD_FIELDS = [
  'serviceAccountName',
  'automountServiceAccountToken',
  'priorityClassName',
  'schedulerName',
  'runtimeClassName',
  'hostAliases',
] as const;

/** A generated pod spec. The container of the engine comes first. */
interface GeneratedPodSpec extends PodSpec {
  readonly initContainers?: readonly JsonObject[];
  readonly volumes: readonly JsonObject[];
}

/**
 * Merges a generated pod spec with the template of the user. Fields of the user take precedence. Lists are
 * concatenated, generated items first: generated init containers wait for files that init containers of users can
 * need.
 *
 * @param labels select the pods of the engine in the replica
 * @param env variables that the cluster gives to engines
 */
export function applyPodTemplate(
  generated: GeneratedPodSpec,
  spec: TemplateSpec,
  labels: Labels,
  env: readonly JsonObject[],
): JsonObject {
  const [declared, ...helpers] = spec.containers;
  const [engine = {}] = generated.containers;
  const complete = (): JsonObject => secureContainer(customizeEngineContainer(engine, declared, env));
  const isShared = env.length === 0;
  const main = isShared ? getOrComputeWeak(COMPLETE, engine, declared, () => shareText(complete())) : complete();
  const containers = [main, ...helpers.map(renderHelperContainer).map(secureContainer)];
  const helpersBefore = (spec.initContainers ?? []).map(renderHelperContainer);
  const initContainers = [...(generated.initContainers ?? []), ...helpersBefore].map(secureContainer);
  const mounts = [...containers, ...initContainers].flatMap(({ volumeMounts }) => listOf(volumeMounts));
  const mounted = new Set(mounts.map(({ name }) => name));
  const { initContainers: _, containers: __, volumes, ...rest } = generated;
  return {
    ...rest,
    ...schedulingOf(rest, spec, labels),
    ...pickDefined(spec, COPIED_POD_FIELDS),
    securityContext: securityContextOf(mapOf(rest['securityContext']), spec),
    ...(initContainers.length > 0 && { initContainers }),
    containers,
    // A generated volume is not mounted if a mount of the user replaced its mount.
    volumes: [...volumes.filter(({ name }) => mounted.has(name)), ...(spec.volumes ?? [])],
  };
}

/** Containers of engines with the settings of users, by both. Replicas share what they are made of. */
const COMPLETE: WeakPairMap<JsonObject, EngineContainerSpec, JsonObject> = new WeakMap();

/** Groups are merged, because staged caches belong to a generated group. */
function securityContextOf(generated: JsonObject, { securityContext = {} }: TemplateSpec): JsonObject {
  const groups = [generated['supplementalGroups'] ?? [], securityContext.supplementalGroups ?? []].flat();
  return {
    ...generated,
    ...securityContext,
    ...(groups.length > 0 && { supplementalGroups: [...new Set(groups)] }),
  };
}

/** The topology spread of the user replaces the generated packing hints. */
function schedulingOf(generated: JsonObject, spec: TemplateSpec, labels: Labels): JsonObject {
  const { affinity, topologySpreadConstraints: spread } = spec;
  return {
    ...(affinity && { affinity: { ...mapOf(generated['affinity']), ...affinity } }),
    ...(spread && {
      topologySpreadConstraints: spread.map((term) => ({ labelSelector: { matchLabels: labels }, ...term })),
    }),
  };
}

function mapOf(value: JsonObject[string]): JsonObject {
  return (value ?? {}) as JsonObject;
}

function listOf(value: JsonObject[string]): readonly JsonObject[] {
  return (value ?? []) as readonly JsonObject[];
}

function pickDefined<T, Field extends keyof T>(source: T, fields: readonly Field[]): Partial<Pick<T, Field>> {
  const defined = fields.filter((field) => source[field] !== undefined);
  return Object.fromEntries(defined.map((field) => [field, source[field]])) as Partial<Pick<T, Field>>;
}

/** Fields of the engine's container that are copied from the user. They replace generated fields. */
const COPIED_CONTAINER_FIELDS = [
  'imagePullPolicy',
  'workingDir',
  'envFrom',
  'startupProbe',
  'readinessProbe',
  'livenessProbe',
] as const;

/**
 * Merges the engine's container with the settings of the user, except image, command, arguments, variables and
 * resources.
 *
 * @param defaults variables that the container gets unless the user sets them. They come first, so that other variables
 *   can refer to them
 */
function customizeEngineContainer(
  generated: JsonObject,
  declared: EngineContainerSpec,
  defaults: readonly JsonObject[],
): JsonObject {
  const { lifecycle, securityContext, volumeMounts = [] } = declared;
  const paths = new Set<unknown>(volumeMounts.map(({ mountPath }) => mountPath));
  const kept = listOf(generated['volumeMounts']).filter(({ mountPath }) => !paths.has(mountPath));
  const variables = listOf(generated['env']);
  const missing = defaults.filter(({ name }) => !variables.some((variable) => variable['name'] === name));
  return {
    ...generated,
    ...(missing.length > 0 && { env: [...missing, ...variables] }),
    ...pickDefined(declared, COPIED_CONTAINER_FIELDS),
    ...(lifecycle && { lifecycle: { ...mapOf(generated['lifecycle']), ...lifecycle } }),
    securityContext: { ...mapOf(generated['securityContext']), ...securityContext },
    volumeMounts: [...kept, ...volumeMounts],
  };
}

function renderHelperContainer({ env, resources, ...container }: HelperContainer | InitContainer): JsonObject {
  const amounts = Object.entries(resources).filter(([, quantities]) => Object.keys(quantities).length > 0);
  return {
    ...container,
    ...(env.length > 0 && { env }),
    ...(amounts.length > 0 && { resources: Object.fromEntries(amounts) }),
  };
}
