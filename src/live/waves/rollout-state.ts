import { DYNAMO } from '../../catalog/backends';
import { isMap, listAt, textAt, valueAt } from '../../base/json';
import { clipText, idText, pluralize } from '../../base/text';
import type { LiveObject } from '../../manifest/kubernetes/live-object';
import { createFailureFinder } from '../status/creation-failures';
import { driftOf } from '../status/drift';
import { judgePod, POD_PHASES, type PodProgress } from '../status/pod-phase';

/** What a cluster shows of the workloads of a deployment. */
export interface ObservedWorkloads {
  /** Deployments, LeaderWorkerSets, graphs of Dynamo and services of KServe, with what KServe makes of these. */
  readonly workloads: readonly LiveObject[];

  /** ReplicaSets and StatefulSets. Absent where they may not be listed, as `pods`. */
  readonly sets?: readonly LiveObject[];
  readonly pods?: readonly LiveObject[];

  /** Warnings about pods and about what creates them. */
  readonly events: readonly LiveObject[];
}

/** How far the rollout of a workload is. */
export interface RolloutState {
  /** `failed`: it does not become ready as it is. `abandoned`: its controller gave up. */
  readonly state: 'missing' | 'rolling' | 'failed' | 'abandoned' | 'ready';

  /** `0 of 1 pod ready; pod q-0-x: engine: ImagePullBackOff`. */
  readonly text: string;
}

/** The facts of a workload of any kind. */
interface Facts {
  /** Pods, or groups, that are wanted, and those that the status counts. */
  readonly wanted: number;
  readonly counts: readonly number[];

  /** Whether the controller has seen the last change. */
  readonly isObserved: boolean;
  readonly podsWanted: number;

  /** The pods of the workload, and those of them that have its current template. Absent where they are not known. */
  readonly pods?: readonly LiveObject[];
  readonly current?: readonly LiveObject[];
}

const FACTS_BY_KIND: Readonly<Record<string, (object: LiveObject, observed: ObservedWorkloads) => Facts>> = {
  Deployment: readDeployment,
  LeaderWorkerSet: readLeaderWorkerSet,
  LLMInferenceService: readInferenceService,
  DynamoGraphDeployment: readGraph,
};

/**
 * Judges the rollout of a workload by its spec, its status and its pods alone, never by an earlier state: the
 * controller has seen the last change, every pod has the current template and is ready, and no other pod is left.
 */
export function judgeRollout(object: LiveObject | undefined, observed: ObservedWorkloads): RolloutState {
  const facts = object && FACTS_BY_KIND[object.kind]?.(object, observed);
  if (!facts) return { state: 'missing', text: 'it does not exist' };
  const { isObserved, wanted, counts, podsWanted, pods, current } = facts;
  const ready = current?.filter(isServing).length ?? Math.min(...counts);
  const text = `${ready} of ${pluralize(podsWanted, 'pod')} ready`;
  const isCounted = isObserved && counts.every((count) => count === wanted);
  const hasPods = pods === undefined || (ready === podsWanted && pods.length === podsWanted);
  return isCounted && hasPods ? { state: 'ready', text } : explainUnready(object, { ...facts, text }, observed);
}

/** Says why a workload is not ready, by the pod that is least far. */
function explainUnready(
  object: LiveObject,
  { text, isObserved, podsWanted, current }: Facts & { readonly text: string },
  observed: ObservedWorkloads,
): RolloutState {
  const abandoned = findProgressFailure(object);
  const worst = findWorst(current ?? []);
  const why = [
    ...(isObserved ? [] : ['its controller has not seen the last change']),
    ...(abandoned === undefined ? [] : [abandoned]),
    ...(current && current.length < podsWanted ? explainMissing(object, observed) : []),
    ...(worst ? [explainPod(worst, observed)] : []),
  ];
  const started = worst?.progress.phase === 'failed' ? 'failed' : 'rolling';
  return { state: abandoned === undefined ? started : 'abandoned', text: [text, ...why].join('; ') };
}

function readDeployment(object: LiveObject, { sets, pods }: ObservedWorkloads): Facts {
  const wanted = numberAt(object, ['spec', 'replicas'], 1);
  const status = ['updatedReplicas', 'availableReplicas', 'replicas'];
  const facts = {
    wanted,
    counts: status.map((name) => numberAt(object, ['status', name], 0)),
    isObserved: isGenerationObserved(object),
    podsWanted: wanted,
  };
  if (!sets || !pods) return facts;
  const own = sets.filter((set) => isOwnedBy(set, object));
  const template = formatTemplate(object);
  const current = own.filter((set) => formatTemplate(set) === template);
  const active = pods.filter(isActive);
  const podsOf = (owners: readonly LiveObject[]): LiveObject[] =>
    active.filter((pod) => owners.some((set) => isOwnedBy(pod, set)));
  return { ...facts, pods: podsOf(own), current: podsOf(current) };
}

const GROUP_NAME = 'leaderworkerset.sigs.k8s.io/name';
const GROUP_REVISION = 'leaderworkerset.sigs.k8s.io/template-revision-hash';

/** Facts: pkg/controllers/leaderworkerset_controller.go of kubernetes-sigs/lws. */
function readLeaderWorkerSet(object: LiveObject, { sets, pods }: ObservedWorkloads): Facts {
  const wanted = numberAt(object, ['spec', 'replicas'], 1);
  const status = ['updatedReplicas', 'readyReplicas', 'replicas'];
  const isOfGroup = ({ metadata }: LiveObject): boolean => metadata.labels?.[GROUP_NAME] === object.metadata.name;
  const own = sets?.filter(isOfGroup) ?? [];
  const leaders = own.find(({ metadata }) => metadata.name === object.metadata.name);
  const facts = {
    wanted,
    counts: status.map((name) => numberAt(object, ['status', name], 0)),
    // Versions before 0.9 do not say which generation they have seen.
    isObserved:
      valueAt(object, ['status', 'observedGeneration']) === undefined
        ? hasLeaderTemplate(object, leaders)
        : isGenerationObserved(object),
    podsWanted: wanted * numberAt(object, ['spec', 'leaderWorkerTemplate', 'size'], 1),
  };
  if (!sets || !pods) return facts;
  const revision = leaders?.metadata.labels?.[GROUP_REVISION];
  const mine = pods.filter((pod) => isActive(pod) && isOfGroup(pod));
  const current = mine.filter(({ metadata }) => metadata.labels?.[GROUP_REVISION] === revision);
  return { ...facts, pods: mine, current: revision === undefined ? [] : current };
}

/**
 * A service of KServe is as far as the Deployments and LeaderWorkerSets that it makes. Its own conditions stay true while
 * these replace pods. Facts: pkg/controller/v1alpha2/llmisvc of kserve/kserve.
 */
function readInferenceService(object: LiveObject, observed: ObservedWorkloads): Facts {
  const made = observed.workloads.filter((one) => one.kind !== object.kind && isOwnedBy(one, object));
  const facts = made.flatMap((one) => FACTS_BY_KIND[one.kind]?.(one, observed) ?? []);
  const expected = valueAt(object, ['spec', 'prefill']) === undefined ? 1 : 2;
  const all = (part: 'pods' | 'current'): readonly LiveObject[] | undefined =>
    facts.every((one) => one[part] !== undefined) ? facts.flatMap((one) => one[part] ?? []) : undefined;
  const [pods, current] = [all('pods'), all('current')];
  return {
    wanted: sum(facts.map(({ wanted }) => wanted)),
    counts: [0, 1, 2].map((i) => sum(facts.map(({ counts }) => counts[i] ?? 0))),
    isObserved: isGenerationObserved(object) && made.length === expected && facts.every(({ isObserved }) => isObserved),
    podsWanted: sum(facts.map(({ podsWanted }) => podsWanted)),
    ...(pods && { pods }),
    ...(current && { current }),
  };
}

/**
 * A graph of Dynamo is ready when its operator says so of the last change, no update of its workers runs, and each pod
 * that it wants serves. Pods do not say which template they have. Facts: the status in dgd-reference.mdx and the phases in
 * rolling-update.md of ai-dynamo/dynamo.
 */
function readGraph(object: LiveObject, { pods }: ObservedWorkloads): Facts {
  const wanted = sum(
    listAt(object, ['spec', 'components']).map(
      (one) => numberAt(one, ['replicas'], 1) * numberAt(one, ['multinode', 'nodeCount'], 1),
    ),
  );
  const isReady = textAt(object, ['status', 'state']) === DYNAMO.readyState && !isGraphUpdating(object);
  const mine = pods?.filter((pod) => isActive(pod) && pod.metadata.labels?.[GRAPH_LABEL] === object.metadata.name);
  return {
    wanted,
    counts: [isReady ? wanted : 0],
    isObserved: isGenerationObserved(object),
    podsWanted: wanted,
    ...(mine && { pods: mine, current: mine }),
  };
}

const GRAPH_LABEL = 'nvidia.com/dynamo-graph-deployment-name';

function isGraphUpdating(object: LiveObject): boolean {
  return ['Pending', 'InProgress'].includes(textAt(object, ['status', 'rollingUpdate', 'phase']));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Whether the set of leaders has the pod template of leaders, with what its controller adds. */
function hasLeaderTemplate(object: LiveObject, leaders: LiveObject | undefined): boolean {
  const { leaderTemplate, workerTemplate } = (valueAt(object, ['spec', 'leaderWorkerTemplate']) ?? {}) as {
    readonly [name: string]: LiveObject['spec'];
  };
  if (!leaders) return false;
  const spec = { template: leaderTemplate ?? workerTemplate };
  return !driftOf({ ...leaders, metadata: { ...leaders.metadata, labels: {} }, spec }, leaders);
}

function isGenerationObserved(object: LiveObject): boolean {
  return numberAt(object, ['status', 'observedGeneration'], 0) >= numberAt(object, ['metadata', 'generation'], 0);
}

/** The pod template as text, without the label that distinguishes the pods of templates. */
function formatTemplate(object: LiveObject): string {
  return JSON.stringify(valueAt(object, ['spec', 'template']), (key, value: unknown) =>
    key === 'pod-template-hash' ? undefined : value,
  );
}

function isOwnedBy(object: LiveObject, owner: LiveObject): boolean {
  const uid = textAt(owner, ['metadata', 'uid']);
  return listAt(object, ['metadata', 'ownerReferences']).some((one) => textAt(one, ['uid']) === uid);
}

/** Pods that have ended do not count for their controllers. */
function isActive(pod: LiveObject): boolean {
  const phase = textAt(pod, ['status', 'phase']);
  return pod.metadata['deletionTimestamp'] === undefined && phase !== 'Failed' && phase !== 'Succeeded';
}

function isServing(pod: LiveObject): boolean {
  return judgePod(pod).phase === 'serving';
}

/**
 * Whether an update of a workload that ran before has not completed, by what its controller recorded. The first rollout
 * of a workload is no update, and pods that are lost after an update do not make it incomplete.
 */
export function isUpdateUnderWay(object: LiveObject): boolean {
  return UPDATE_SIGNS_BY_KIND[object.kind]?.(object) ?? false;
}

const UPDATE_SIGNS_BY_KIND: Readonly<Record<string, (object: LiveObject) => boolean>> = {
  Deployment: isDeploymentUpdating,
  LeaderWorkerSet: areGroupsUpdating,
  // Its status does not say whether what it makes is up to date.
  LLMInferenceService: (object) => numberAt(object, ['metadata', 'generation'], 1) > 1 && !isGenerationObserved(object),
  DynamoGraphDeployment: (object) =>
    isGraphUpdating(object) || (numberAt(object, ['metadata', 'generation'], 1) > 1 && !isGenerationObserved(object)),
};

/** Facts: pkg/controller/deployment/progress.go of Kubernetes: a complete rollout keeps its reason when pods fail. */
function isDeploymentUpdating(object: LiveObject): boolean {
  const revision = Number(valueAt(object, ['metadata', 'annotations', 'deployment.kubernetes.io/revision']) ?? 0);
  if (!isGenerationObserved(object)) return revision > 0;
  const reason = textAt(findCondition(object, 'Progressing'), ['reason']);
  return revision > 1 && reason !== '' && reason !== 'NewReplicaSetAvailable';
}

/** Facts: `updateConditions` in pkg/controllers/leaderworkerset_controller.go of kubernetes-sigs/lws. */
function areGroupsUpdating(object: LiveObject): boolean {
  const update = findCondition(object, 'UpdateInProgress');
  const available = findCondition(object, 'Available');
  // Groups become unavailable with an update, and again when pods are lost later.
  return (
    update !== undefined &&
    textAt(available, ['status']) !== 'True' &&
    textAt(update, ['lastTransitionTime']) >= textAt(available, ['lastTransitionTime'])
  );
}

function findCondition(object: LiveObject, type: string): unknown {
  return listAt(object, ['status', 'conditions']).find((one) => textAt(one, ['type']) === type);
}

/** Reasons for which the controller of KServe does not try again before something changes. */
const FINAL_REASONS: ReadonlySet<string> = new Set(['ConfigNotFound', 'InvalidRenderedConfig']);

function findProgressFailure(object: LiveObject): string | undefined {
  const presets = findCondition(object, 'PresetsCombined');
  if (FINAL_REASONS.has(textAt(presets, ['reason']))) return clipText(textAt(presets, ['message']));
  const progress = findCondition(object, 'Progressing');
  const isStalled = textAt(progress, ['reason']) === 'ProgressDeadlineExceeded';
  return isStalled && isGenerationObserved(object) ? clipText(textAt(progress, ['message'])) : undefined;
}

interface JudgedPod {
  readonly pod: LiveObject;
  readonly progress: PodProgress;
}

/** The pod that is least far. */
function findWorst(pods: readonly LiveObject[]): JudgedPod | undefined {
  const judged = pods.map((pod) => ({ pod, progress: judgePod(pod) }));
  const found = POD_PHASES.map((phase) => judged.find(({ progress }) => progress.phase === phase));
  const worst = found.find((one) => one !== undefined);
  return worst?.progress.phase === 'serving' ? undefined : worst;
}

const PHASE_WORDS: Readonly<Record<PodProgress['phase'], string>> = {
  missing: 'it does not exist',
  failed: 'it failed',
  'no-node': 'it has no node',
  image: 'its images and volumes are prepared',
  cache: 'it waits for its cache',
  loading: 'it loads its model',
  outdated: 'it has another image',
  serving: 'it is ready',
};

function explainPod({ pod, progress: { phase, why } }: JudgedPod, { events }: ObservedWorkloads): string {
  const said = events.findLast(
    (event) =>
      textAt(event, ['involvedObject', 'kind']) === 'Pod' &&
      textAt(event, ['involvedObject', 'name']) === pod.metadata.name,
  );
  // While a model loads, every probe that fails is an event.
  const event = said && phase !== 'loading' ? `${textAt(said, ['reason'])}: ${textAt(said, ['message'])}` : '';
  return `pod ${pod.metadata.name}: ${clipText(why ?? (event || PHASE_WORDS[phase]))}`;
}

function explainMissing(object: LiveObject, { events }: ObservedWorkloads): string[] {
  const failure = createFailureFinder(events)(object);
  return failure === undefined ? [] : [clipText(failure)];
}

function numberAt(object: unknown, path: readonly string[], otherwise: number): number {
  const found = isMap(object) ? valueAt(object, path) : undefined;
  return typeof found === 'number' ? found : otherwise;
}

/** `Deployment ml/q-0`. */
export function formatWorkload({ kind, metadata: { namespace, name } }: WorkloadRef): string {
  return `${kind} ${idText(namespace, name)}`;
}

/** The identity of a workload on its cluster. */
export interface WorkloadRef {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string; readonly name: string };
}
