import type { Resource } from '../../../src/api/kinds';
import { errorAt } from '../../../src/base/diagnostic';
import { diffStates, type FleetDiff } from '../../../src/diff/fleet-diff';
import { findGateFindings, type GateFinding } from '../../../src/diff/gate-findings';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import type { ShortfallPlan } from '../../../src/plan/plan';
import { CITE_IN_FULL } from '../../../src/report/diff/change-sentences';
import { findUnplaced, type UnplacedFinding } from '../../../src/report/diff/unplaced-findings';
import { describeUnplaced } from '../../../src/report/diff/unplaced-sentences';
import { toHomelessError } from '../../../src/report/plan/homeless-text';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment, aMember, byPath, type Doc, gpus } from '../../api/build';
import { state } from '../../diff/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';

/** The lines with problems of the comment on a change, its heading, and all of it. */
function review(before: Resource[], after: Resource[]): { problems: string[]; heading: string; text: string } {
  const earlier = state('main', before);
  const later = state('here', after, earlier.decision.lock, earlier);
  const planned = decide(assemble(after), byPath, earlier.decision.lock);
  const diff = diffStates(earlier, later, planned);
  const applied = 'withWaves' as const;
  const findings = findGateFindings(diff, {
    before: earlier.decision,
    after: later.decision,
    applied,
    acceptRemovals: false,
  });
  const located = { fleet: later.decision.fleet, locate: byPath };
  const text = formatPullRequestComment(diff, later.decision.plan, {
    name: 'fleet',
    verdicts: [],
    earlierWarnings: [],
    gate: { applied, worse: [], findings, located },
  });
  const [heading = '', , ...lines] = text.replaceAll('\\', '').split('\n');
  const end = lines.findIndex((line) => line.startsWith('|'));
  return { text, heading, problems: lines.slice(0, end).filter(isProblem) };
}

const H100 = aClass('h100');
const H200 = aClass('h200', { devices: [gpus(8, { memory: '141Gi' })] });
const nodes = (nodeCount: number, more: Doc = {}) => aCluster('us', { pools: { h100: { nodeCount } }, ...more });
const q = (spec: Doc & { readonly gpus?: number; readonly memory?: string } = {}): Resource => {
  const { gpus = 8, memory, ...more } = spec;
  const devices = [{ name: 'gpu', count: gpus, ...(memory !== undefined && { where: { memory } }) }];
  const member = memory === undefined ? aMember({ gpus }) : aMember({ nodeSelector: { devices } });
  return aDeployment('ml/q', { ...more, engines: [{ name: 'main', members: [member] }] });
};

const image = (tag: string, replicas: number, spec: Doc = {}): Resource => {
  const template = { spec: { containers: [{ name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['a/b'] }] } };
  return aDeployment('ml/q', {
    ...spec,
    replicas,
    engines: [{ name: 'main', members: [aMember({ gpus: 8, template })] }],
  });
};

function isProblem(line: string): boolean {
  return line.startsWith('- :x: ') || line.startsWith('  ');
}

const other = (name: string): Resource => aCluster(name, { pools: { h100: { nodeCount: 1 } } });

const DRAINED = [{ key: 'maintenance', value: 'dec', effect: 'NoExecute' }];
const site = (count: number) => aSite('us', { pools: { h100: { nodeCount: count } } });

const fits = (memory: string): Resource => {
  const devices = [{ name: 'gpu', count: 8, where: { memory } }];
  const engines = [{ name: 'main', members: [aMember({ nodeSelector: { devices } })] }];
  return aModel('ml/chat', { replicas: 2, replicaLabels: { track: 'stable' }, engines });
};

describe('replicas without a place', () => {
  test('that lose a removed cluster are one problem with their outage, which says what keeps them', () => {
    const causes = [{ id: 'InferenceCluster eu', action: 'removed', where: 'eu.yaml:1:1' }];
    const lost = { action: 'roll', nodes: 'replace', cluster: 'eu', index: 0, pools: { main: 'h100' }, causes };
    const change = { deployment: 'ml/q', changes: [lost], serving: { before: 1, after: 1 } };
    const diff = { deployments: [change], declarations: [] } as unknown as FleetDiff;
    const reason = { filter: 'selector', requirement: { key: 'region', operator: 'In', values: ['eu'] }, labels: {} };
    const shortfall = { missing: 1, remedies: [], rejections: [{ cluster: 'us', reason }] } as unknown as ShortfallPlan;
    const homeless = { deployment: 'ml/q', replicas: 1, shortfall, lost: ['cluster eu'], losesHardware: false };
    const error = toHomelessError(errorAt('unplaced', 'q.yaml:1:1', '', ''), {
      ...homeless,
      services: ['ml/chat'],
      command: 'fleet',
      removes: true,
    });
    const outage = { kind: 'outage', change } as unknown as GateFinding;
    const found = findUnplaced({
      diff,
      plan: { deployments: [], policies: [] },
      problems: [error],
      findings: [outage],
    });
    expect(found.map(({ findings }) => findings)).toEqual([[outage]]);
    const texts = found.map((one) => describeUnplaced(one, { ...CITE_IN_FULL, diff }));
    expect(texts.map(({ what, hint }) => `${what}. ${hint}.`)).toEqual([
      "The only replica of ml/q stops for good; because InferenceCluster eu is gone (eu.yaml:1:1). Keep cluster eu, where its replicas run, declare another cluster that its 'clusterSelector' matches, change 'clusterSelector', or remove ModelDeployment ml/q and ModelService ml/chat too, if ml/q is to end.",
    ]);
    expect(error.hint).toMatch(/'fleetwright lock fleet --accept-unplaced --accept-removals'$/);
  });

  test('that stop, and the outage of the same deployment for the same edit, are one problem', () => {
    const { heading, problems } = review([H100, nodes(2), q({ replicas: 2 })], [H100, nodes(0), q({ replicas: 2 })]);
    expect(heading).toContain('refused, 1 problem');
    expect(problems[0]).toBe('- :x: **Both replicas of ml/q lose their places (edit 1).**');
  });

  test('name the services that nothing answers any more', () => {
    const model = aModel('ml/chat', { replicas: 1, replicaLabels: { track: 'stable' } });
    const rest = [aDoor(['us']), aSplit('ml/chat', [to({ track: 'stable' })]), model];
    const { problems } = review([H100, site(1), ...rest], [H100, site(0), ...rest]);
    expect(problems[0]).toBe(
      '- :x: **The only replica of ml/chat loses its place (edit 1): nothing answers ml/chat.**',
    );
    expect(problems.filter((line) => line.startsWith('- :x:'))).toHaveLength(1);
  });

  test('say which replicas are left', () => {
    const { problems } = review([H100, nodes(3), q({ replicas: 3 })], [H100, nodes(1), q({ replicas: 3 })]);
    expect(problems[0]).toBe(
      '- :x: **2 of 3 replicas of ml/q lose their places (edit 1).** 1 replica is left, on us, and gets the requests of all.',
    );
  });

  test('say what clients see while those that are left restart', () => {
    const eu = aSite('eu', { pools: { h200: { nodeCount: 1 } } });
    const rest = [H100, H200, eu, site(1), aDoor(['us']), aSplit('ml/chat', [to({ track: 'stable' })])];
    const { problems, text } = review([...rest, fits('>= 80Gi')], [...rest, fits('>= 90Gi')]);
    expect(problems[0]).toBe(
      '- :x: **1 of 2 replicas of ml/chat loses its place (edit 1), and no other serves while the change is applied.** All requests for the service ml/chat fail.',
    );
    expect(text).toContain(', with **downtime**: none serves while the change is applied (');
  });

  test('leave an outage by another edit a problem of its own', () => {
    const { heading, problems } = review([H100, nodes(1), image('v1', 1)], [H100, nodes(1), image('v2', 2)]);
    expect(heading).toContain('refused, 2 problems');
    expect(problems.filter((line) => line.startsWith('- :x:'))).toEqual([
      '- :x: **1 of 2 replicas of ml/q fits nowhere (edit 1).**',
      expect.stringContaining('has no serving replica for up to 63 minutes while the change is applied (edit 2)'),
    ]);
  });

  test('ask for nothing but to undo an edit, where the change that helps puts back what it changes', () => {
    const rest = [H100, nodes(1)];
    const { problems } = review(
      [...rest, q({ gpus: 1, memory: '>= 80Gi' })],
      [...rest, q({ gpus: 1, memory: '>= 90Gi' })],
    );
    expect(problems).toEqual([
      '- :x: **The only replica of ml/q loses its place (edit 1).**',
      '  Undo edit 1: the replica then fits.',
      '  Why: us / h100: memory 80Gi is less than 90Gi.',
    ]);
  });

  test('name each other cluster with its reason, those with the same together', () => {
    const filler = aDeployment('ml/z', { replicas: 2, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] });
    const rest = [
      H100,
      H200,
      other('eu'),
      other('asia'),
      aCluster('dc', { pools: { h200: { nodeCount: 0 } } }),
      filler,
    ];
    const { problems } = review([...rest, nodes(1), q()], [...rest, nodes(0), q()]);
    expect(problems.at(-1)?.trim()).toBe(
      'Why: dc / h200, us / h100: needs 8 gpu on one node; the pool has no nodes; asia, eu: all matching devices are in use.',
    );
  });

  test.each<[string, Resource, string]>([
    [
      'a toleration is not offered where the cluster has no room either',
      nodes(0, { taints: [{ ...DRAINED[0], effect: 'NoSchedule' }] }),
      'Undo edits 1 and 2. More nodes alone do not help: change what the deployment asks for, or declare another cluster that can run it.',
    ],
  ])('%s', (_, after, want) => {
    const { problems } = review([H100, nodes(1), q()], [H100, after, q()]);
    expect(problems[1]?.trim()).toBe(want);
  });

  test.each<[string, number, number, string]>([
    ['the nodes that an edit takes away are no purchase', 2, 1, 'Undo edit 1 (keep 2 nodes).'],
    ['of more nodes than are needed, some go', 4, 1, 'Keep 2 nodes in us / h100 instead of 1 (edit 1).'],
  ])('%s', (_, before, after, want) => {
    const { problems } = review([H100, nodes(before), q({ replicas: 2 })], [H100, nodes(after), q({ replicas: 2 })]);
    expect(problems[1]?.trim()).toBe(want);
  });
});

const onCluster = (name: string): Doc => ({ clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': name } } });
const taking = (id: string, gpus: number, spec: Doc = {}): Resource =>
  aDeployment(id, { ...spec, engines: [{ name: 'main', members: [aMember({ gpus })] }] });

/** Copies of one device on the cluster b, and what takes devices there and on a. */
const crowded = (max: number, small: Doc = {}): Resource[] => {
  const scaling = { on: [{ prometheus: { query: 'sum(queue{$(labels)})', threshold: 1 } }] };
  const engines = [{ name: 'main', copies: { min: 1, max }, scaling, members: [aMember({ gpus: 1 })] }];
  const monitoring = { prometheus: { serverAddress: 'http://prometheus:9090' } };
  return [
    H100,
    ...['a', 'b'].map((name) => aCluster(name, { pools: { h100: { nodeCount: 1 } }, monitoring })),
    taking('ml/w', 6, onCluster('a')),
    taking('ml/x', 2),
    taking('ml/y', 1, { priority: 1, ...small }),
    aDeployment('ml/z', { ...onCluster('b'), engines }),
  ];
};

test.each<[string, number, Doc, string]>([
  [
    'as many copies as fit come first, and moves that stop the only replica of another deployment are left out',
    5,
    {},
    "- Lower copies.max of engine main from 7 to 6, for which b / h100 has room ($0).\n  - Add 1 more node in b / h100 (8 GPUs), that is 'nodeCount: 2' instead of 1.",
  ],
  [
    'moves that stop a replica are offered where its deployment accepts that, after what costs as much and stops none',
    5,
    { rollout: 'Recreate' },
    '- Lower copies.max of engine main from 7 to 6, for which b / h100 has room ($0).\n  - First move 1 replica of ml/x from b to a without downtime, 1 replica of ml/y from a to b with downtime, in a change of its own ($0). The move takes 4 steps (below).',
  ],
  ['as many copies as before are an edit to undo', 6, {}, 'Undo edit 1: the replica then fits.'],
])('of copies beyond the room, %s', (_, before, small, want) => {
  const { text } = review(crowded(before, small), crowded(7, small));
  expect(text.replaceAll('\\', '')).toContain(want);
  expect(text).toContain(`which fits nowhere with 1 to 7 copies instead of 1 to ${before}.`);
  const stops = 'replicas of ml/y stop before they serve at their new places';
  const present = [stops, 'How to move replicas first'].map((one) => text.includes(one));
  expect(present).toEqual(want.includes('move') ? [true, true] : [false, false]);
});

test.each<[string, Resource[], Doc, string[]]>([
  [
    'can be removed or tolerated, and no nodes help',
    [],
    {},
    ['Undo edit 1.', 'Tolerate the taint (it then runs on us).', 'Declare another cluster that can run it.'],
  ],
  [
    'leaves no other cluster to declare where the selector names it',
    [other('eu')],
    onCluster('us'),
    ['Undo edit 1.', 'Tolerate the taint (it then runs on us).'],
  ],
])('a taint that drains the only cluster %s', (_, others, spec, want) => {
  const rest = [H100, ...others, q(spec)];
  const { text } = review([...rest, nodes(1)], [...rest, nodes(1, { taints: DRAINED })]);
  const [, list = ''] = /Do one of these:\n((?: {2}- .*\n)+)/.exec(text.replaceAll('\\', '')) ?? [];
  expect(list.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(4)]))).toEqual(want);
});

test('of more than three choices, the others are folded', () => {
  const [before, after] = ['v0.23.0', 'v0.24.0'].map((tag) =>
    image(tag, 3, { minAvailable: 2, rollout: { parallel: 2 } }),
  );
  const { text } = review([H100, nodes(6), before!], [H100, nodes(6), after!]);
  const [, list = '', folded = ''] =
    /Do one of these:\n((?: {2}- .*\n)+)\n {2}<details>\n([^]*?) {2}<\/details>/.exec(text) ?? [];
  expect(list.split('\n').filter((line) => line.startsWith('  - '))).toHaveLength(3);
  expect(folded).toBe(
    "  <summary>Or one of 1 more</summary>\n\n  - Lower 'minAvailable' to 1 \\(cost unchanged\\).\n\n",
  );
});

const nameEdits = (causes: readonly { where: string }[]): string => `edit ${causes.map(({ where }) => where).join()}`;

test.each([
  ['the edits that drain them come first', 'b.yaml', 'first merge edit a.yaml, in'],
  ['one edit that does all has no part that comes first', 'a.yaml', 'first merge what drains replicas of us, in'],
])('replicas without a place that wait for those which only the change drains: %s', (_, where, first) => {
  const cause = { id: 'ModelDeployment ml/p', action: 'changed', where: 'a.yaml' };
  const from = { cluster: 'us' };
  const moved = { action: 'move', cluster: 'eu', pools: {}, from, surgeFirst: true, causes: [cause] };
  const stays = { action: 'roll', cluster: 'us', causes: [{ ...cause, where: 'c.yaml' }] };
  const deployments = [{ deployment: 'ml/p', changes: [moved, stays] }];
  const diff = { deployments, declarations: [] } as unknown as FleetDiff;
  const remedies = [{ kind: 'finalize', cluster: 'us', drainsFirst: true }];
  const shortfall = { missing: 1, rejections: [], remedies };
  const one = { id: 'ml/q', missing: 1, of: 1, stopped: 0, left: [], causes: [{ ...cause, where }], shortfall };
  const finding = { deployments: [one], findings: [] } as unknown as UnplacedFinding;
  expect(describeUnplaced(finding, { ...CITE_IN_FULL, nameEdits, diff }).hint).toBe(
    `Cheapest: ${first} a change of its own; when the moved replicas serve: fleetwright lock DIR --finalize; then make the rest of this change`,
  );
});

test('replicas that wait for a place leave no step for later', () => {
  const eu = aCluster('eu', { pools: { h100: { nodeCount: 1 } } });
  const other = aDeployment('ml/other', { engines: [{ name: 'main', members: [aMember({ gpus: 4 })] }] });
  const rest = [H100, eu, nodes(1), other];
  const { text } = review([...rest, q({ gpus: 4, replicas: 3 })], [...rest, q({ replicas: 3 })]);
  expect(text).toContain('; old one kept: the changed one fits nowhere;');
  expect(text).toContain(
    ' 2 replicas are left, on eu and us \\(1 of them until replaced\\), and get the requests of all.',
  );
  expect(text).not.toContain('Next, when');
});
