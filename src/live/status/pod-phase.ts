import { listAt, textAt, valueAt } from '../../base/json';
import { isDiskContainer } from '../../api/pod/reserved-names';
import { WAIT_CONTAINER_NAME } from '../../render/cache/cache-pods';
import type { LiveObject } from '../../manifest/kubernetes/live-object';

/** The phases of a pod before it serves, the worst first. */
export const POD_PHASES = ['missing', 'failed', 'no-node', 'image', 'cache', 'loading', 'outdated', 'serving'] as const;

/**
 * `image`: it has a node, and its images or volumes are not there yet. `loading`: its engine does not serve yet.
 * `outdated`: it serves with another image than declared.
 */
export type PodPhaseName = (typeof POD_PHASES)[number];

/** The phase of a pod, and the reason that the cluster reports. */
export interface PodProgress {
  readonly phase: PodPhaseName;
  readonly why?: string;
}

/** Waiting reasons that do not resolve by themselves. */
const FATAL_WAITING_REASONS: ReadonlySet<string> = new Set([
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImagePull',
  'ErrImageNeverPull',
  'ImageInspectError',
  'ImagePullBackOff',
  'InvalidImageName',
  'RunContainerError',
]);

/** Determines the phase of a pod from its status: kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle. */
export function judgePod(pod: LiveObject): PodProgress {
  const status = pod['status'];
  const phase = textAt(status, ['phase']);
  if (phase === 'Failed') return toFailed(textAt(status, ['message']) || textAt(status, ['reason']));
  if (textAt(pod, ['spec', 'nodeName']) === '') return toUnscheduled(pod);
  const before = listAt(status, ['initContainerStatuses']).filter((one) => !isDone(one));
  const [first] = before.length > 0 ? before : listAt(status, ['containerStatuses']).filter(isNotReady);
  if (first !== undefined) return judgeContainer(first);
  return textAt(conditionOf(pod, 'Ready'), ['status']) === 'True' ? { phase: 'serving' } : PULLING_IMAGE;
}

const PULLING_IMAGE: PodProgress = { phase: 'image' };

function toFailed(why: string): PodProgress {
  return { phase: 'failed', ...(why !== '' && { why }) };
}

/** The gate with which Kueue holds pods (kueue.sigs.k8s.io/docs/tasks/run/plain_pods). */
const KUEUE_GATE = 'kueue.x-k8s.io/admission';

function toUnscheduled(pod: LiveObject): PodProgress {
  const isQueued = listAt(pod, ['spec', 'schedulingGates']).some((gate) => textAt(gate, ['name']) === KUEUE_GATE);
  if (isQueued) return { phase: 'no-node', why: 'Kueue holds it until its queue has quota' };
  const why = textAt(conditionOf(pod, 'PodScheduled'), ['message']) || 'the scheduler has not seen it yet';
  return { phase: 'no-node', why };
}

function conditionOf(pod: LiveObject, type: string): unknown {
  return listAt(pod, ['status', 'conditions']).find((one) => textAt(one, ['type']) === type);
}

/** Whether an init container lets the next one start: it terminated, or as a sidecar it is started and ready. */
function isDone(status: unknown): boolean {
  return (
    valueAt(status, ['state', 'terminated', 'exitCode']) === 0 ||
    (valueAt(status, ['started']) === true && valueAt(status, ['ready']) === true)
  );
}

function isNotReady(status: unknown): boolean {
  return valueAt(status, ['ready']) !== true;
}

function judgeContainer(status: unknown): PodProgress {
  const name = textAt(status, ['name']);
  const reason = textAt(status, ['state', 'waiting', 'reason']);
  const ended = valueAt(status, ['state', 'terminated']);
  if (ended !== undefined) return toFailed(`${name} ended ${formatTermination(ended)}`);
  if (FATAL_WAITING_REASONS.has(reason)) return toFailed(`${name}: ${reason}${formatWaitingDetail(status)}`);
  if (valueAt(status, ['state', 'running']) === undefined) return PULLING_IMAGE;
  return { phase: name === WAIT_CONTAINER_NAME || isDiskContainer(name) ? 'cache' : 'loading' };
}

/** The detail of a waiting container. Its last termination says more than the crash loop itself. */
function formatWaitingDetail(status: unknown): string {
  const last = valueAt(status, ['lastState', 'terminated']);
  if (last !== undefined) return `, it ended ${formatTermination(last)}`;
  const message = textAt(status, ['state', 'waiting', 'message']);
  return message === '' ? '' : `, ${message}`;
}

function formatTermination(ended: unknown): string {
  const reason = textAt(ended, ['reason']);
  return `with ${String(valueAt(ended, ['exitCode']))}${reason === '' || reason === 'Error' ? '' : ` (${reason})`}`;
}
