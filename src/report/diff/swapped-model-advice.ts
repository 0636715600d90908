import { joinSentences } from '../../base/text';
import type { DeploymentDiff } from '../../diff/deployment-diff';
import type { GateFinding } from '../../diff/gate-findings';
import { formatAddedCost } from '../../diff/added-cost';
import { describeFinding, type Located } from './finding-descriptions';
import { ACCEPT_REMOVALS } from './choices';

type ModelSwapped = Extract<GateFinding, { kind: 'model-swapped' }>;

/** A deployment that gets another model under a name, and of which too few replicas serve while its pods restart. */
export interface DisruptiveSwap {
  readonly swap: ModelSwapped;

  /** That of the restart. */
  readonly change: DeploymentDiff;
}

/** Finds the deployment that all findings are about, where a second one for the new model settles them. */
export function findDisruptiveSwap(findings: readonly GateFinding[]): DisruptiveSwap | undefined {
  const [swap, ...otherSwaps] = findings.filter((one) => one.kind === 'model-swapped');
  const restarts = findings.filter((one) => one.kind === 'outage' || one.kind === 'too-few-serving');
  const [restart] = restarts;
  if (!swap || !restart || otherSwaps.length > 0 || findings.length > restarts.length + 1) return undefined;
  const isOwn = restarts.every(({ change }) => change.deployment === swap.change.deployment && restartsForOwn(change));
  return isOwn ? { swap, change: restart.change } : undefined;
}

/** Whether replicas restart in place, and only for edits of their deployment and its caches. */
function restartsForOwn({ deployment, changes }: DeploymentDiff): boolean {
  return changes.every(({ action, nodes, causes }) => {
    const isOwn = causes.every(({ id }) => id === `ModelDeployment ${deployment}` || id.startsWith('ModelCache '));
    return action === 'roll' && nodes === undefined && isOwn;
  });
}

/** `deploy a/new next to ml/q, under a name of its own ($0 to +$730 a month)` */
export function describeSecondDeployment({ swap, change }: DisruptiveSwap): string {
  const room = hasRoom(change) ? ` (${formatAddedCost(change.extra?.cost)})` : ', for which there has to be room';
  return `deploy ${swap.model.after} next to ${change.deployment}, under a name of its own${room}`;
}

/** Whether as many further replicas of the same shape have room as things are. */
function hasRoom({ extra, serving, changes }: DeploymentDiff): boolean {
  if (extra?.added !== serving.before || changes.some(({ reason }) => reason !== undefined)) return false;
  const { nodes, newPool, quotas, breaks } = extra;
  return [nodes, newPool, quotas, breaks].every((one) => one === undefined);
}

/** What to do about each finding instead: it is enough only if clients may get the other model. */
export function limitToClients(
  { swap }: DisruptiveSwap,
  findings: readonly GateFinding[],
  located: Located,
): NonNullable<Located['settled']> {
  const clients = `if clients of '${swap.model.name}' may get ${swap.model.after}`;
  return new Map(
    findings.map((finding) => {
      const { choices, hint, earlier } = describeFinding(finding, located);
      const limited =
        finding === swap
          ? `${clients}, ${ACCEPT_REMOVALS}`
          : joinSentences([hint, `${choices ? 'These help' : 'This helps'} only ${clients}`]);
      return [finding, { choices, hint: limited, earlier }] as const;
    }),
  );
}
