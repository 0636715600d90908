import { listAt, textAt, valueAt } from '../../base/json';
import { sortedBy } from '../../base/order';
import { DYNAMO } from '../../catalog/backends';
import type { LiveObject } from '../../manifest/kubernetes/live-object';

/** Event reasons of objects that controllers cannot create, such as pods beyond a quota, and volumes. */
export const CREATION_FAILURE_REASONS = ['FailedCreate', 'FailedBinding', 'ProvisioningFailed'] as const;

const REASONS: ReadonlySet<string> = new Set(CREATION_FAILURE_REASONS);

/** The kinds that create the pods or the volume of an object: itself, or objects named after it with a suffix. */
const CREATOR_KINDS: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['Deployment', 'ReplicaSet'],
  Job: ['Job'],
  LeaderWorkerSet: ['LeaderWorkerSet', 'StatefulSet'],
  // What KServe makes of it is named after it.
  LLMInferenceService: ['LLMInferenceService', 'Deployment', 'ReplicaSet', 'LeaderWorkerSet', 'StatefulSet'],
  // Its parts are named after it, too.
  DynamoGraphDeployment: [
    'DynamoGraphDeployment',
    'DynamoComponentDeployment',
    'Deployment',
    'ReplicaSet',
    'PodCliqueSet',
    'PodClique',
  ],
  PersistentVolumeClaim: ['PersistentVolumeClaim'],
};

/** Finds why the cluster does not create the pods or the volume of an object. */
export type FailureFinder = (owner: LiveObject) => string | undefined;

/** Creates a finder from the events of a cluster. Conditions say what holds now, so they take precedence. */
export function createFailureFinder(events: readonly LiveObject[]): FailureFinder {
  const failures = sortedBy(
    events.filter((event) => REASONS.has(textAt(event, ['reason']))),
    (event) => `${timeOf(event)} ${event.metadata.namespace} ${event.metadata.name}`,
  ).toReversed();
  return (owner) => {
    const failure = findCondition(owner, 'ReplicaFailure', 'True');
    if (failure !== undefined) return formatReason(failure);
    const event = failures.find((one) => isAbout(valueAt(one, ['involvedObject']), owner));
    if (event !== undefined) return `${formatReason(event)}${formatTime(event)}`;
    const [stalled] = STALLED.flatMap((type) => findCondition(owner, type, 'False') ?? []);
    return stalled === undefined ? undefined : formatReason(stalled);
  };
}

/** The conditions that say why an object makes no progress: of Deployments, of services of KServe, and of graphs of Dynamo. */
const STALLED = ['Progressing', 'PresetsCombined', 'Ready', 'Available', 'DynamoComponentReady'];

function findCondition(owner: LiveObject, type: string, status: string): unknown {
  return listAt(owner, ['status', 'conditions']).find(
    (one) => textAt(one, ['type']) === type && textAt(one, ['status']) === status,
  );
}

function formatReason(source: unknown): string {
  const parts = [textAt(source, ['reason']), textAt(source, ['message'])];
  return parts.filter((part) => part !== '').join(': ');
}

/** Names of ReplicaSets end in a digest, those of StatefulSets of gangs in a number. KServe adds its own suffix before. */
const SUFFIX = /^(-kserve(-mn)?(-prefill)?)?(-[a-z0-9]+)?$/;

/** Dynamo adds the name of a component, and its controllers digests and numbers. The name of a graph ends in a digest. */
const GRAPH_SUFFIX = /^(-[a-z0-9]+)*$/;

function isAbout(about: unknown, { kind, metadata: { namespace, name } }: LiveObject): boolean {
  if (CREATOR_KINDS[kind]?.includes(textAt(about, ['kind'])) !== true) return false;
  if (textAt(about, ['namespace']) !== (namespace ?? '')) return false;
  const creator = textAt(about, ['name']);
  const suffix = kind === DYNAMO.kind ? GRAPH_SUFFIX : SUFFIX;
  return creator.startsWith(name) && suffix.test(creator.slice(name.length));
}

function formatTime(event: LiveObject): string {
  const time = timeOf(event);
  return time === '' ? '' : ` (at ${time})`;
}

/** When an event was last seen. Events of the two APIs have different fields. */
function timeOf(event: LiveObject): string {
  const times = [['series', 'lastObservedTime'], ['lastTimestamp'], ['eventTime'], ['metadata', 'creationTimestamp']];
  return times.map((path) => textAt(event, path)).find((time) => time !== '') ?? '';
}
