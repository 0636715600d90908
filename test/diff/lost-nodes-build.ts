import type { Copies } from '../../src/api/engine-copies';
import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { formatReplicaAction } from '../../src/report/diff/change-sentences';
import { formatTotal } from '../../src/report/plan/total-line';
import { findGateFindings } from '../../src/diff/gate-findings';
import { diffStates } from '../../src/diff/fleet-diff';
import { summarizeVerdict } from '../../src/report/diff/gate-verdict';
import { formatGateFinding } from '../../src/report/diff/gate-text';
import { formatPullRequestComment } from '../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc, MACHINES } from '../api/build';
import { readCells } from '../report/pull-request/table-cells';
import { state } from './build';

export function made(cloud: keyof typeof MACHINES, machine: Doc = {}): Resource {
  const key = cloud.toLowerCase();
  const own = MACHINES[cloud] as unknown as Record<string, Doc>;
  return aClass('h100', { provisioning: { provider: cloud, [key]: { ...own[key], ...machine } } });
}

export const site = (source: keyof typeof MACHINES, pool: Doc = {}, options: Doc = {}): Resource =>
  aCluster('us', { source, pools: { h100: { nodeCount: 4, ...pool } }, ...options });

/** A cluster with fewer nodes of a pool, and with another pool. */
export const scaledDown = (source: keyof typeof MACHINES, left: number, other: number): Resource =>
  aCluster('us', {
    source,
    pools: { h100: { nodeCount: left }, new: { className: 'h100', nodeCount: other } },
  });

/** Replicas that take a node each, or whose copies take a device each. */
export const q = (options: Doc = {}, image = 'vllm/vllm-openai:v0.11.0', copies: Copies = 1): Resource => {
  const container = { name: 'engine', image, args: ['Qwen/Qwen3-8B'] };
  const members = [aMember({ gpus: copies === 1 ? 8 : 1, template: { spec: { containers: [container] } } })];
  const scaling = typeof copies === 'object' && { scaling: { on: [{ queue: 4 }] } };
  return aDeployment('ml/q', { replicas: 2, engines: [{ name: 'main', copies, ...scaling, members }], ...options });
};

/** One replica of several copies. */
export const copied = (copies: Copies): Resource => q({ replicas: 1 }, undefined, copies);

/** Two replicas that share a node, or have one each, and both have to serve. */
export const small = (): Resource =>
  aDeployment('ml/q', {
    replicas: 2,
    minAvailable: 2,
    engines: [{ name: 'main', members: [aMember({ gpus: 4 })] }],
  });

export const single = aDeployment('ml/single', { engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] });

type State = ReturnType<typeof state>;

/** The first sentence, the row of the deployment without its cost, and what the gate refuses. */
export function judge(before: readonly Resource[], after: readonly Resource[]) {
  const earlier = state('main', before);
  const planned = decide(assemble(after), byPath, earlier.decision.lock);
  return judgeStates(earlier, state('here', after, earlier.decision.lock, earlier), planned);
}

/** @param planned the later declarations decided from the earlier lock */
export function judgeStates(earlier: State, later: State, planned = later.decision) {
  const diff = diffStates(earlier, later, planned);
  const context = {
    before: earlier.decision,
    after: later.decision,
    applied: 'withWaves' as const,
    acceptRemovals: false,
  };
  const located = { fleet: later.decision.fleet, locate: byPath };
  const comment = { name: 'fleet', refused: [], verdicts: [], earlierWarnings: [] };
  const findings = findGateFindings(diff, context);
  const text = formatPullRequestComment(diff, later.decision.plan, comment);
  const cells = readCells(text, '| `ml/q`');
  return {
    sentence: text.split('\n')[2]?.replace(/\. Cost[^.]*(\.|$)/, ''),
    replicas: cells['replicas'],
    happens: cells['what happens'],
    serving: cells['serving during rollout'] ?? '',
    total: formatTotal(later.decision.plan, diff),
    details: diff.deployments.flatMap(({ changes }) => changes.map(formatReplicaAction)),
    refused: findings.map((finding) => formatGateFinding(finding, located)),
    verdict: summarizeVerdict({ diff, problems: findings.length, applied: 'withWaves', worse: [] }, () => undefined),
  };
}
