import type { Resource } from '../../../src/api/kinds';
import { policyFile } from '../../../src/api/policy-file';
import { findMoreNodes } from '../../../src/analyze/survive/more-nodes';
import { whatIf } from '../../../src/analyze/what-if/what-if';
import { assemble, type Fleet } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import type { ShortfallPlan } from '../../../src/plan/plan';
import { formatMoreNodesLine } from '../../../src/report/analyze/added-nodes-text';
import { formatRemedyLines, formatRemedyOf, listCheapest } from '../../../src/report/plan/remedy-text';
import type { Remedy } from '../../../src/scheduler/remedy';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, anEngine, byPath, type Doc } from '../../api/build';
import { terminalLines } from '../../../src/report/document/write-terminal';

const REGION = 'topology.kubernetes.io/region';
const TEN = aClass('ten', { price: { perHour: 10 } });
const TWENTY = aClass('twenty', { price: { perHour: 20 } });
const on = (name: string, pool: Doc, more: Doc = {}) =>
  aCluster(name, { pools: { [name === 'us' ? 'ten' : 'twenty']: pool }, labels: { [REGION]: `${name}-1` }, ...more });
const q = (replicas: number) =>
  aDeployment('ml/q', { replicas, engines: [anEngine('main', { gpus: 8 })], labels: { data: 'health' } });
const [us, eu] = [on('us', { nodeCount: 1 }), on('eu', { nodeCount: 1 })];
/** It takes all of us. */
const onUs = aDeployment('ml/a', {
  clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': 'us' } },
  engines: [anEngine('main', { gpus: 8 })],
});

function withRules(resources: Resource[], ...rules: Doc[]): Fleet {
  const parsed = policyFile.parse({ rules: rules.map((one, i) => ({ name: `rule ${i + 1}`, ...one })) });
  const policies = parsed.rules.map((rule, i) => ({ rule, where: `policy.yaml:${i + 2}:5`, place: () => '' }));
  return { ...assemble(resources), policies };
}

/** The shortfall of a fleet in which another one runs. */
function shortfallOf({ resources, rules, before = [] }: Case): ShortfallPlan {
  const { lock } = before.length > 0 ? decide(assemble(before), byPath, EMPTY_LOCK) : { lock: EMPTY_LOCK };
  const { plan } = decide(withRules(resources, ...rules), byPath, lock);
  const [found, ...others] = plan.deployments.flatMap(({ shortfall }) => shortfall ?? []);
  if (!found || others.length > 0) throw new Error('one deployment of the row lacks places');
  return found;
}

interface Case {
  resources: Resource[];
  rules: Doc[];
  before?: Resource[];
}

const more = 'cheapest: 1 more node in us / ten (8 GPUs, +$7,300 a month)';

const cases: Record<string, Case & { want: string[] }> = {
  'a remedy that no rule denies says nothing of rules': {
    resources: [TEN, us, q(2)],
    rules: [{ deviceQuota: { most: 16 } }, { budget: { perMonth: 14_600 } }],
    want: [more],
  },
  'a remedy beyond a quota says how far to raise it': {
    resources: [TEN, us, q(2)],
    rules: [{ deviceQuota: { most: 15 } }],
    want: [`${more}, and raise deviceQuota.most of rule 'rule 1' (policy.yaml:2:5) from 15 to 16`],
  },
  'a remedy beyond a quota of its namespace does too': {
    resources: [TEN, us, q(2)],
    rules: [{ deviceQuota: { namespace: 'ml', most: 8 } }, { deviceQuota: { namespace: 'other', most: 8 } }],
    want: [`${more}, and raise deviceQuota.most of rule 'rule 1' (policy.yaml:2:5) from 8 to 16`],
  },
  'a remedy beyond a budget of the fleet and one of a namespace says how far to raise both': {
    resources: [TEN, us, q(2)],
    rules: [{ budget: { perMonth: 14_599 } }, { budget: { namespace: 'ml', perMonth: 10_000 } }],
    want: [
      `${more}, and raise budget.perMonth of rule 'rule 1' (policy.yaml:2:5) from 14599 to 14600 and raise budget.perMonth of rule 'rule 2' (policy.yaml:3:5) from 10000 to 14600`,
    ],
  },
  'a budget counts the most nodes of a pool that an autoscaler sizes': {
    resources: [TEN, on('us', { nodeCount: 1, maxNodeCount: 1 }), q(2)],
    rules: [{ budget: { perMonth: 7300 } }],
    want: [
      "cheapest: raise maxNodeCount of us / ten from 1 to 2 (8 GPUs, +$7,300 a month: up to 1 node run today), and raise budget.perMonth of rule 'rule 1' (policy.yaml:2:5) from 7300 to 14600",
    ],
  },
  'of nodes of several pools, those come that no rule denies, even if others cost less': {
    resources: [TEN, TWENTY, us, eu, onUs, q(2)],
    rules: [{ allowedRegions: { regions: ['eu-1'], matchLabels: { data: 'health' } } }],
    before: [TEN, TWENTY, us, eu, onUs, q(1)],
    want: ['cheapest: 1 more node in eu / twenty (8 GPUs, +$14,600 a month)'],
  },
  'a remedy in another region says which one to allow, where none is in an allowed one': {
    resources: [TEN, us, onUs, q(1)],
    rules: [{ allowedRegions: { regions: ['eu-1'], matchLabels: { data: 'health' } } }],
    want: [`${more}, and add us-1 to allowedRegions.regions of rule 'rule 1' (policy.yaml:2:5)`],
  },
  'no region that is allowed helps a cluster that has none': {
    resources: [TEN, aCluster('us', { pools: { ten: 1 } }), onUs, q(1)],
    rules: [{ allowedRegions: { regions: ['eu-1'], matchLabels: { data: 'health' } } }],
    want: [`${more}, and change rule 'rule 1' (policy.yaml:2:5), which denies it`],
  },
  'a further replica may be in too few domains': {
    resources: [TEN, us, onUs, q(1)],
    rules: [{ failureDomains: { spreadBy: 'region', least: 2, matchLabels: { data: 'health' } } }],
    want: [`${more}, and lower failureDomains.least of rule 'rule 1' (policy.yaml:2:5) from 2 to 1`],
  },
  'a replica that lost its place moves with a remedy': {
    resources: [TEN, us, onUs, q(1)],
    rules: [{ moves: { most: 0 } }],
    before: [TEN, TWENTY, us, eu, onUs, q(1)],
    want: [`${more}, and raise moves.most of rule 'rule 1' (policy.yaml:2:5) from 0 to 1`],
  },
  'a rule that warns denies no remedy': {
    resources: [TEN, us, q(2)],
    rules: [{ deviceQuota: { most: 8 }, effect: 'Warn' }],
    want: [more],
  },
  'what is denied already says how far to raise it with the remedy': {
    resources: [TEN, us, q(2)],
    rules: [{ deviceQuota: { most: 4 } }],
    want: [`${more}, and raise deviceQuota.most of rule 'rule 1' (policy.yaml:2:5) from 4 to 16`],
  },
  'a remedy that helps several replicas is denied by what all of them use': {
    resources: [TEN, us, aDeployment('ml/q', { replicas: 4, engines: [anEngine('main', { gpus: 4 })] })],
    rules: [{ deviceQuota: { most: 12 } }],
    want: [`${more}, and raise deviceQuota.most of rule 'rule 1' (policy.yaml:2:5) from 12 to 16 (for all 2)`],
  },
};

test.each(Object.entries(cases))('%s', (_, { want, ...one }) => {
  expect(formatRemedyLines(shortfallOf(one))).toEqual(want);
});

test('nodes for all replicas of several deployments say which rules deny them', () => {
  const rules = [{ deviceQuota: { most: 8 } }, { budget: { perMonth: 21_900 } }];
  const other = aDeployment('ml/r', { engines: [anEngine('main', { gpus: 8 })] });
  const decided = decide(withRules([TEN, us, q(2), other], ...rules), byPath, EMPTY_LOCK);
  const found = findMoreNodes({ ...decided, cost: decided.plan.cost }, decided.plan.deployments);
  expect(found && formatMoreNodesLine(found)).toBe(
    "With 2 more nodes all 2 missing replicas fit: 2 nodes in us / ten (16 GPUs); +$14,600 a month, and raise deviceQuota.most of rule 'rule 1' (policy.yaml:2:5) from 8 to 24",
  );
});

test('a supposed change says which rules deny its remedies', () => {
  const decided = decide(withRules([TEN, us, q(1)], { deviceQuota: { most: 8 } }), byPath, EMPTY_LOCK);
  const step = { kind: 'scale', deployment: 'ml/q', replicas: 2 } as const;
  const [outcome] = whatIf(decided, [{ name: 'two', steps: [step] }]);
  expect(outcome?.deployments.flatMap(({ shortfall }) => shortfall?.remedies ?? [])).toMatchObject([
    { kind: 'nodes', breaks: [{ rule: 'rule 1', allow: { field: 'deviceQuota.most', from: 8, to: 16 } }] },
  ]);
});

const rule = { rule: 'quota', where: 'policy.yaml:2:5', allow: { field: 'deviceQuota.most', from: 8, to: 16 } };
const move = { deployment: 'ml/a', from: 'us', to: 'eu', fromPools: ['a'], toPools: ['a'], surgeFirst: false };
const nodes = { kind: 'nodes', cluster: 'us', pool: 'a', nodes: 1, gpus: 8 } as const;
const denied = { kind: 'packing', cluster: 'us', pool: 'a', breaks: [rule] } as const;

test('a comment names a remedy that a rule denies only where all are denied', () => {
  expect(listCheapest([nodes, denied])).toEqual([nodes]);
  expect(listCheapest([{ ...nodes, breaks: [rule] }, denied])).toHaveLength(2);
});

const lines = (...remedies: Remedy[]): string[] => terminalLines(formatRemedyLines({ remedies, missing: 1 }));

test('a remedy that rules allow is the cheapest within the rules', () => {
  expect(lines(nodes, denied)[0]).toMatch(/^cheapest within the rules: 1 more node/);
  expect(lines(denied, nodes)[0]).toMatch(/^cheapest: set packing/);
  expect(lines(nodes)[0]).toMatch(/^cheapest: 1 more node/);
});

test('the rule of a remedy that ends in a command comes before it', () => {
  const remedy = { kind: 'move', moves: [move], breaks: [rule] } as const;
  expect(formatRemedyOf(remedy, { remedies: [remedy], missing: 1 })).toBe(
    "first raise deviceQuota.most of rule 'quota' (policy.yaml:2:5) from 8 to 16, then move 1 replica of ml/a from us to eu, with downtime: fleetwright lock DIR --rebalance ml/a",
  );
});

const at = (name: string) => aCluster(name, { pools: { ten: 1 } });
const four = (id: string, replicas: number, more: Doc = {}) =>
  aDeployment(id, { replicas, engines: [anEngine('main', { gpus: 4 })], ...more });

test('replicas that move count at both places until they are finalized', () => {
  const place = [TEN, at('eu'), at('us')];
  const onlyEu = { clusterSelector: { matchLabels: { 'fleetwright.dev/cluster': 'eu' } } };
  const { remedies } = shortfallOf({
    before: [...place, four('ml/a', 2)],
    resources: [
      ...place,
      four('ml/a', 2),
      aDeployment('ml/b', { engines: [anEngine('main', { gpus: 8 })], ...onlyEu }),
    ],
    rules: [{ deviceQuota: { most: 16 } }, { deviceQuota: { most: 11 } }, { moves: { most: 0 } }],
  });
  const moving = remedies.find(({ kind }) => kind === 'move');
  expect(moving?.breaks).toEqual([
    { rule: 'rule 2', where: 'policy.yaml:3:5', allow: { field: 'deviceQuota.most', from: 11, to: 16 } },
    { rule: 'rule 3', where: 'policy.yaml:4:5', allow: { field: 'moves.most', from: 0, to: 1 } },
  ]);
});

test('all that the commands of a move place and move counts, and not only its own moves', () => {
  const place = [TEN, ...['ap', 'br', 'eu', 'us'].map(at)];
  const { remedies } = shortfallOf({
    before: [...place, four('ml/a', 4)],
    resources: [
      ...place,
      four('ml/a', 4),
      aDeployment('ml/b', { replicas: 2, engines: [anEngine('main', { gpus: 8 })] }),
    ],
    rules: [{ deviceQuota: { most: 16 } }, { moves: { most: 0 } }],
  });
  const moving = remedies.find(({ kind }) => kind === 'move');
  expect(moving).toMatchObject({ moves: [{ deployment: 'ml/a' }] });
  expect(moving?.breaks).toMatchObject([
    { allow: { field: 'deviceQuota.most', from: 16, to: 32 } },
    { allow: { field: 'moves.most', from: 0, to: 2 } },
  ]);
});
