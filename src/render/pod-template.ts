import type { PodTemplate } from '../api/pod-template';
import { customizedEngine, helper } from './helper-container';
import type { Labels } from './labels';
import type { JsonObject } from './manifest';
import type { PodSpec } from './pod-specs';
import { securedContainer } from './security';

type TemplateSpec = PodTemplate['spec'];

/** Fields of a pod that a user sets as they are. Where we set one too, the user's wins. */
const PASSED = [
  'serviceAccountName',
  'automountServiceAccountToken',
  'priorityClassName',
  'schedulerName',
  'runtimeClassName',
  'hostAliases',
] as const satisfies readonly (keyof TemplateSpec)[];

/** A pod spec as we make it: the engine's container first. */
export interface OwnPodSpec extends PodSpec {
  readonly initContainers?: readonly JsonObject[];
  readonly volumes: readonly JsonObject[];
}

/** What a pod template depends on besides itself. */
interface Surroundings {
  /** The labels by which the pods of the engine in the replica are known. */
  readonly labels: Labels;

  /** Variables that the cluster gives to engines. */
  readonly env: readonly JsonObject[];
}

/**
 * A pod spec with all that its template says. Fields of users win over ours; lists are ours and theirs together,
 * ours first: init containers of ours wait for what those of users need.
 */
export function withTemplate(
  ours: OwnPodSpec,
  spec: TemplateSpec,
  { labels, env }: Surroundings,
): JsonObject {
  const [own, ...helpers] = spec.containers;
  const [engine = {}] = ours.containers;
  const containers = [customizedEngine(engine, own, env), ...helpers.map(helper)].map(securedContainer);
  const before = [...(ours.initContainers ?? []), ...(spec.initContainers ?? []).map(helper)].map(
    securedContainer,
  );
  const mounted = mountedIn([...containers, ...before]);
  const { initContainers: _, containers: __, volumes, ...rest } = ours;
  return {
    ...rest,
    ...schedulingOf(rest, spec, labels),
    ...Object.fromEntries(PASSED.filter((key) => spec[key] !== undefined).map((key) => [key, spec[key]])),
    securityContext: identityOf(mapOf(rest['securityContext']), spec),
    ...(before.length > 0 && { initContainers: before }),
    containers,
    // One of ours that a user's own replaces is mounted nowhere.
    volumes: [...volumes.filter(({ name }) => mounted.has(name)), ...(spec.volumes ?? [])],
  };
}

/** Groups are ours and theirs together: files of caches belong to ours. */
function identityOf(ours: JsonObject, { securityContext = {} }: TemplateSpec): JsonObject {
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

function mountedIn(containers: readonly JsonObject[]): ReadonlySet<unknown> {
  const mounts = containers.flatMap(({ volumeMounts }) => (volumeMounts ?? []) as readonly JsonObject[]);
  return new Set(mounts.map(({ name }) => name));
}

function mapOf(value: JsonObject[string]): JsonObject {
  return (value ?? {}) as JsonObject;
}
