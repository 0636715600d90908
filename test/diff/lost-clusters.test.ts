import type { Resource } from '../../src/api/kinds';
import type { ModelDeployment } from '../../src/api/model-deployment';
import { findChangeWarnings } from '../../src/diff/change-warnings';
import type { DeploymentDiff } from '../../src/diff/deployment-diff';
import { countServing } from '../../src/diff/serving-during-change';
import { supposeLost } from '../../src/diff/suppose-lost';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { aClass, aMember, byPath, type Doc } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { change, state } from './build';
import { findings } from './gate-fleet';

const H100 = aClass('h100');
const LOST = [{ key: 'lost', effect: 'NoExecute' }];
const DRAINED = [{ key: 'maintenance', effect: 'NoExecute' }];
const site = (name: string, nodeCount = 1, more: Doc = {}): Resource =>
  aSite(name, { pools: { h100: { nodeCount } }, ...more });
const [us, eu] = [site('us'), site('eu')];
const lostEu = site('eu', 1, { taints: LOST });
const door = aDoor(['us']);
const service = aSplit('ml/talk', [to({ app: 'chat' })]);

/** Replicas that each take a node. */
const chat = (replicas: number, { version = 'v0.23.0', ...more }: Doc = {}): Resource => {
  const containers = [{ name: 'engine', image: `vllm/vllm-openai:${String(version)}`, args: ['Qwen/Qwen3-8B'] }];
  const engines = [{ name: 'main', members: [aMember({ gpus: 8, template: { spec: { containers } } })] }];
  return aModel('ml/chat', { replicas, replicaLabels: { app: 'chat' }, allowPartial: true, engines, ...more });
};
const newer = (replicas: number, more: Doc = {}): Resource => chat(replicas, { version: 'v0.24.0', ...more });

interface Case {
  /** The fleet that was locked before the earlier one. Default: none, and what the gate refuses is checked. */
  readonly first?: readonly Resource[];
  readonly before: readonly Resource[];
  readonly after: readonly Resource[];

  /** What the gate refuses. Default: nothing. */
  readonly refused?: readonly unknown[];

  /** How many replicas serve, and what happens to each. */
  readonly want: readonly string[];
}

const cases: Record<string, Case> = {
  'a replica without a place elsewhere does not serve, before or after': {
    before: [us, eu, door, service, chat(2)],
    after: [us, lostEu, door, service, chat(2)],
    want: ['1 -> 1, at least 1, 8 -> 8 GPUs', 'lost eu/0'],
  },
  'one that gets another place served no one before, and does after': {
    before: [us, eu, door, service, chat(2)],
    after: [site('us', 2), lostEu, door, service, chat(2)],
    want: ['1 -> 2, at least 1, 8 -> 16 GPUs', 'move us/1 from eu/0'],
  },
  'a deployment that was there alone is not refused for its loss': {
    before: [us, eu, door, service, chat(1, { on: ['eu'] })],
    after: [us, lostEu, door, service, chat(1, { on: ['eu'] })],
    want: ['0 -> 0, at least 0, 0 -> 0 GPUs', 'lost eu/0'],
  },
  'nor is one whose replica finds another place': {
    before: [eu, aDoor(['eu']), service, chat(1)],
    after: [us, lostEu, door, service, chat(1)],
    want: ['0 -> 1, at least 0, 0 -> 8 GPUs', 'move us/0 from eu/0'],
  },
  'nor one whose clients are on the lost cluster': {
    before: [us, eu, chat(2)],
    after: [site('us', 2), lostEu, chat(2)],
    want: ['1 -> 2, at least 1, 8 -> 16 GPUs', 'move us/1 from eu/0'],
  },
  'nor one that then has fewer than minAvailable': {
    before: [us, eu, door, service, chat(2, { minAvailable: 2 })],
    after: [us, lostEu, door, service, chat(2, { minAvailable: 2 })],
    want: ['1 -> 1, at least 1, 8 -> 8 GPUs', 'lost eu/0'],
  },
  'what the change stops in addition is refused, with all requests that fail': {
    before: [us, eu, door, service, chat(2)],
    after: [us, lostEu, door, service, newer(2)],
    refused: [
      expect.stringMatching(/^ml\/chat has no serving replica .* All requests for the service ml\/talk fail\. /),
    ],
    want: ['1 -> 1, at least 0, 8 -> 8 GPUs', 'lost eu/0', 'roll us/0'],
  },
  'so is the removal of the replica that is left': {
    before: [us, eu, door, service, chat(2)],
    after: [us, lostEu, door, service, chat(0)],
    refused: [expect.stringContaining('ml/chat')],
    want: ['1 -> 0, at least 0, 8 -> 0 GPUs', 'remove eu/0', 'remove us/0'],
  },
  'one that drains next to it is replaced first, because it serves': {
    before: [us, eu, door, chat(2)],
    after: [site('us', 1, { taints: DRAINED }), lostEu, site('west'), door, chat(2)],
    want: ['1 -> 1, at least 1, 8 -> 8 GPUs and 8 draining', 'lost eu/0', 'move west/0 from us/0'],
  },
  'a replica that was lost before is none that changes, or serves during a rollout': {
    first: [us, eu, door, service, chat(2)],
    before: [us, lostEu, door, service, chat(2)],
    after: [us, lostEu, door, service, newer(2)],
    want: ['1 -> 1, at least 0, 8 -> 8 GPUs', 'roll us/0'],
  },
  'one that was lost before moves, once there is room for it': {
    first: [us, eu, door, service, chat(2)],
    before: [us, lostEu, door, service, chat(2)],
    after: [site('us', 2), lostEu, door, service, chat(2)],
    want: ['1 -> 2, at least 1, 8 -> 16 GPUs', 'move us/1 from eu/0'],
  },
  'one that is lost no more counts after the change only': {
    first: [us, eu, door, service, chat(2)],
    before: [us, lostEu, door, service, chat(2)],
    after: [us, eu, door, service, chat(2)],
    want: ['1 -> 2, at least 1, 8 -> 16 GPUs', 'place eu/0'],
  },
};

test.each(Object.entries(cases))('%s', (_, { first, before, after, refused = [], want }) => {
  if (!first) expect(findings(before, after)).toEqual(refused);
  const from = first && state('first', [H100, ...first]).decision.lock;
  const { diff } = change(state('main', [H100, ...before], from), [H100, ...after]);
  const outcomes = diff.deployments.flatMap(({ serving, changes, accelerators }) => [
    `${serving.before} -> ${serving.after}, at least ${serving.withWaves}, ${formatGpus(accelerators)}`,
    ...changes.map(({ action, cluster, index, from: old }) => {
      return `${action} ${cluster}/${index}${old ? ` from ${old.cluster}/${old.index}` : ''}`;
    }),
  ]);
  expect(outcomes).toEqual(want);
});

function formatGpus({ before, after, draining }: DeploymentDiff['accelerators']): string {
  return `${before} -> ${after} GPUs${draining === undefined ? '' : ` and ${draining} draining`}`;
}

test('a replica of a lost cluster is none that serves while nodes are drained', () => {
  const pools = { main: 'h100' };
  const serving = countServing(
    chat(2) as ModelDeployment,
    [
      { action: 'roll', cluster: 'us', index: 0, pools, nodes: 'replace', mayStay: true, ifDrained: 'restarts' },
      { action: 'lost', cluster: 'eu', index: 0, pools },
    ],
    { before: 1, after: 1 },
  );
  expect(serving.withWaves).toBe(0);
});

test('a gateway that leaves a lost cluster, and replicas there, are no redundancy that a change takes', () => {
  const doors = aDoor(['us', 'eu']);
  const former = state('main', [H100, us, eu, doors, service, chat(2)]);
  const { later, diff } = change(former, [H100, us, lostEu, door, service, chat(2)]);
  const states = { before: supposeLost(former, later.decision.model).decision, after: later.decision };
  const found = findChangeWarnings(diff, { ...states, mustExist: [], at: '' });
  expect(found.filter(({ code }) => code === 'lost-redundancy')).toEqual([]);
});

test('what a lost cluster would cost in replicas is idle', () => {
  const { lock } = state('main', [H100, us, eu, door, service, chat(2)]).decision;
  const { cost } = decide(assemble([H100, us, lostEu, door, service, chat(2)]), byPath, lock).plan;
  const costed = cost.deployments.flatMap(({ replicas }) =>
    replicas.map(({ cluster, index }) => `${cluster}/${index}`),
  );
  expect(costed).toEqual(['us/0']);
});

test('a pause keeps no replica on a lost cluster', () => {
  const pausedEu = site('eu', 1, { taints: LOST, paused: true });
  const { lock } = state('main', [H100, eu, chat(1)]).decision;
  const { schedule } = decide(assemble([H100, us, pausedEu, chat(1)]), byPath, lock);
  expect(schedule.placements.map(({ cluster, index }) => `${cluster}/${index}`)).toEqual(['us/0']);
});
