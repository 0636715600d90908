import { listAt, textAt, valueAt } from '../../base/json';
import { WAIT_CONTAINER_NAME } from '../../render/cache/wait-for-cache';
import type { LiveObject } from '../live-object';

/** How far a pod is on its way to serve, the worst first. */
export const POD_PHASES = ['missing', 'failed', 'no-node', 'image', 'cache', 'loading', 'serving'] as const;

/** `image`: it has a node, and its images or volumes are not there yet. `loading`: its engine does not serve yet. */
export type PodPhaseName = (typeof POD_PHASES)[number];

/** How far a pod is, and what the cluster says about it. */
export interface PodProgress {
  readonly phase: PodPhaseName;
  readonly why?: string;
}

/** Waits that do not end by themselves. */
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

/** How far a pod is, by its status: kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle. */
export function judgePod(pod: LiveObject): PodProgress {
  const status = pod['status'];
  const phase = textAt(status, ['phase']);
  if (phase === 'Failed') return toFailed(textAt(status, ['message']) || textAt(status, ['reason']));
  if (textAt(pod, ['spec', 'nodeName']) === '') return toUnscheduled(pod);
  const before = listAt(status, ['initContainerStatuses']).filter((one) => !isDone(one));
  const [first] = before.length > 0 ? before : listAt(status, ['containerStatuses']).filter(isNotReady);
  if (first === undefined) return conditionOf(pod, 'Ready') === 'True' ? { phase: 'serving' } : PULLING_IMAGE;
  return judgeContainer(first);
}

const PULLING_IMAGE: PodProgress = { phase: 'image' };

function toFailed(why: string): PodProgress {
  return { phase: 'failed', ...(why !== '' && { why }) };
}

function toUnscheduled(pod: LiveObject): PodProgress {
  const condition = listAt(pod, ['status', 'conditions']).find(
    (one) => textAt(one, ['type']) === 'PodScheduled',
  );
  return { phase: 'no-node', why: textAt(condition, ['message']) || 'the scheduler has not looked at it' };
}

function conditionOf(pod: LiveObject, type: string): string {
  const condition = listAt(pod, ['status', 'conditions']).find((one) => textAt(one, ['type']) === type);
  return textAt(condition, ['status']);
}

/** Init containers end before the next starts, but for sidecars, which go on. */
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
  return { phase: name === WAIT_CONTAINER_NAME ? 'cache' : 'loading' };
}

/** How it ended last time says more of a crash loop than that it is in one. */
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
