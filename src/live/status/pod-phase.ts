import { WAITS_FOR_CACHE } from '../../render/cache/wait';
import { listAt, type LiveObject, textAt, valueAt } from '../live-object';

/** How far a pod is on its way to serve, the worst first. */
export const PHASES = ['missing', 'failed', 'no-node', 'image', 'cache', 'loading', 'serving'] as const;

/** `image`: it has a node, and its images or volumes are not there yet. `loading`: its engine does not serve yet. */
export type Phase = (typeof PHASES)[number];

/** How far a pod is, and what the cluster says about it. */
export interface PodPhase {
  readonly phase: Phase;
  readonly why?: string;
}

/** Waits that do not end by themselves. */
const BROKEN: ReadonlySet<string> = new Set([
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
export function podPhase(pod: LiveObject): PodPhase {
  const status = pod['status'];
  const phase = textAt(status, ['phase']);
  if (phase === 'Failed') return failed(textAt(status, ['message']) || textAt(status, ['reason']));
  if (textAt(pod, ['spec', 'nodeName']) === '') return unscheduled(pod);
  const before = listAt(status, ['initContainerStatuses']).filter((one) => !isDone(one));
  const [first] = before.length > 0 ? before : listAt(status, ['containerStatuses']).filter(isNotReady);
  if (first === undefined) return conditionOf(pod, 'Ready') === 'True' ? { phase: 'serving' } : IMAGE;
  return ofContainer(first);
}

const IMAGE: PodPhase = { phase: 'image' };

function failed(why: string): PodPhase {
  return { phase: 'failed', ...(why !== '' && { why }) };
}

function unscheduled(pod: LiveObject): PodPhase {
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

function ofContainer(status: unknown): PodPhase {
  const name = textAt(status, ['name']);
  const reason = textAt(status, ['state', 'waiting', 'reason']);
  const ended = valueAt(status, ['state', 'terminated']);
  if (ended !== undefined) return failed(`${name} ended ${endText(ended)}`);
  if (BROKEN.has(reason)) return failed(`${name}: ${reason}${detail(status)}`);
  if (valueAt(status, ['state', 'running']) === undefined) return IMAGE;
  return { phase: name === WAITS_FOR_CACHE ? 'cache' : 'loading' };
}

/** How it ended last time says more of a crash loop than that it is in one. */
function detail(status: unknown): string {
  const last = valueAt(status, ['lastState', 'terminated']);
  if (last !== undefined) return `, it ended ${endText(last)}`;
  const message = textAt(status, ['state', 'waiting', 'message']);
  return message === '' ? '' : `, ${message}`;
}

function endText(ended: unknown): string {
  const reason = textAt(ended, ['reason']);
  return `with ${String(valueAt(ended, ['exitCode']))}${reason === '' || reason === 'Error' ? '' : ` (${reason})`}`;
}
