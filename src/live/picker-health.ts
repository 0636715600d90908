import { listAt, textAt, valueAt } from '../base/json';
import { formatNamespacedName, type LiveObject } from '../manifest/kubernetes/live-object';

/** Whether a picker answers, and why not. */
export interface PickerHealth {
  readonly state: 'ready' | 'down' | 'missing';

  /** Why it does not answer, as its pods or its controller report it. */
  readonly why?: string;
}

/**
 * Determines whether an endpoint picker answers. While it does not, gateways choose pods themselves: requests go through,
 * and nothing shows that no cached prefix is used and no prefill engine gets a request.
 *
 * @param deployment the Deployment of the picker, if it exists
 * @param pods pods of the cluster
 */
export function judgePicker(deployment: LiveObject | undefined, pods: readonly LiveObject[]): PickerHealth {
  if (!deployment) return { state: 'missing' };
  const ready = valueAt(deployment, ['status', 'availableReplicas']);
  if (typeof ready === 'number' && ready > 0) return { state: 'ready' };
  const reasons = pods.filter((pod) => isOf(pod, deployment)).flatMap(waitingReasonsOf);
  const [why] = [...reasons, ...unmetConditionsOf(deployment)];
  return { state: 'down', ...(why !== undefined && { why }) };
}

const INSTANCE = 'app.kubernetes.io/instance';

function isOf({ metadata }: LiveObject, deployment: LiveObject): boolean {
  const wanted = textAt(deployment, ['spec', 'selector', 'matchLabels', INSTANCE]);
  return (
    wanted !== '' && metadata.labels?.[INSTANCE] === wanted && metadata.namespace === deployment.metadata.namespace
  );
}

/** Why containers of a pod do not run, and why no node takes it. */
function waitingReasonsOf(pod: LiveObject): string[] {
  const waiting = listAt(pod, ['status', 'containerStatuses']).map((one) =>
    textAt(one, ['state', 'waiting', 'reason']),
  );
  const unscheduled = listAt(pod, ['status', 'conditions'])
    .filter((one) => textAt(one, ['type']) === 'PodScheduled' && textAt(one, ['status']) === 'False')
    .map((one) => textAt(one, ['message']));
  return [...waiting, ...unscheduled].filter((reason) => reason !== '');
}

function unmetConditionsOf(deployment: LiveObject): string[] {
  const conditions = listAt(deployment, ['status', 'conditions']);
  const failed = conditions.filter((one) => textAt(one, ['type']) === 'ReplicaFailure');
  const unavailable = conditions.filter(
    (one) => textAt(one, ['type']) === 'Available' && textAt(one, ['status']) === 'False',
  );
  return [...failed, ...unavailable].map((one) => textAt(one, ['message'])).filter((message) => message !== '');
}

/** What happens while a picker does not answer, as a clause. */
export function describePickerLoss({ state, why }: PickerHealth, picker: Pick<LiveObject, 'metadata'>): string {
  const id = `endpoint picker ${formatNamespacedName(picker)}`;
  const how = state === 'missing' ? 'does not exist' : `does not answer${why === undefined ? '' : ` (${why})`}`;
  return `${id} ${how}: requests bypass it, so cached prefixes are not used, and prefill engines get no requests`;
}
