import type { Resource } from '../../../src/api/kinds';
import type { ApplyMode } from '../../../src/diff/serving-during-change';
import { toDeploymentRows } from '../../../src/report/pull-request/deployment-rows';
import { assemble } from '../../../src/fleet/fleet';
import { numberEdits } from '../../../src/report/pull-request/edit-list';
import { listLostSteps } from '../../../src/report/pull-request/lost-steps';
import { findNodesForAcceptedLost } from '../../../src/cli/plan-gate';
import { diffBlocks } from '../../../src/report/diff/diff-text';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { formatTotal } from '../../../src/report/plan/total-line';
import { aClass, aCluster, aDeployment, aMember, byPath } from '../../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';
import { comment, compare } from './unplaced-comment';

const ENGINES = [{ name: 'main', members: [aMember({ gpus: 8 })] }];
const LOST = [{ key: 'lost', effect: 'NoExecute' }];
const site = (name: string, nodeCount: number, taints: object[] = []): Resource =>
  aCluster(name, { pools: { h100: { nodeCount } }, taints });
const model = (name: string, replicas: number): Resource =>
  aDeployment(name, { replicas, allowPartial: true, engines: ENGINES });
const H100 = aClass('h100');
const before = [H100, site('eu', 2), site('us', 2), model('ml/q', 4)];
const replaced = [H100, site('eu', 2, LOST), site('us', 4), model('ml/q', 4)];
const partly = [H100, site('eu', 2, LOST), site('us', 3), model('ml/q', 4)];
const kept = [H100, site('eu', 2, LOST), site('us', 2), model('ml/q', 4)];

interface Case {
  readonly after: Resource[];
  readonly want: readonly string[];
  readonly total: string;
}

const cases: Record<string, Case> = {
  'says where the replicas go, and nothing of finalizing or of downtime': {
    after: replaced,
    want: [
      '\nDeclares `eu` lost: its 2 replicas do not serve; 2 replicas of `ml/q` move to us. ',
      '| `ml/q` | 2 → 4 | 16 → 32 | 2 moved: eu → us | ≥ 2 of 2 |',
      '"lost","effect":"NoExecute"}, new` (replicas there do not serve, and get places elsewhere)',
      'us/2   moved from eu/0: the cluster is lost',
    ],
    total: 'Total: 2 moved, 2 unchanged',
  },
  'says which have no place elsewhere, next to those that move': {
    after: partly,
    want: [
      '\nDeclares `eu` lost: its 2 replicas do not serve; 1 replica of `ml/q` moves to us, and 1 replica of `ml/q` has no place elsewhere, as accepted. ',
      '| 1 moved: eu → us; 1 does not serve: eu is lost; accepted |',
      'eu is lost: 1 replica does not serve, and has no place elsewhere: ml/q eu/1',
      'eu/1   does not serve, because cluster eu is lost',
      '1 lost)',
    ],
    total: 'Total: 1 moved, 1 on lost clusters, 2 unchanged, 1 does not fit, as accepted',
  },
  'says which have no place elsewhere where none moves': {
    after: kept,
    want: [
      '\nDeclares `eu` lost: its 2 replicas do not serve; 2 replicas of `ml/q` have no place elsewhere, as accepted. ',
      '| 2 do not serve: eu is lost; accepted |',
    ],
    total: 'Total: 2 on lost clusters, 2 unchanged, 2 do not fit, as accepted',
  },
};

const euOf = (taints: object[]): Resource => aSite('eu', { pools: { h100: { nodeCount: 2 } }, taints });
const served = (eu: Resource): Resource[] => [
  H100,
  eu,
  aSite('us', { pools: { h100: { nodeCount: 3 } } }),
  aDoor(['us']),
  aModel('ml/q', { replicas: 4, replicaLabels: { app: 'q' }, allowPartial: true, engines: ENGINES }),
  aSplit('ml/chat', [to({ app: 'q' })]),
];

test('the table of requests says who gets those of a lost cluster', () => {
  const text = comment(served(euOf([])), served(euOf(LOST)));
  expect(text).toContain('| `ml/chat` | `ml/q` on `eu` (2 → 1 replica) | 50.0 % | 25.0 % |');
  expect(text).toContain('\n`eu` is lost: while it does not answer, the others get these requests.\n');
});

test('tells idle GPUs of a lost cluster apart, in the comment and on the terminal', () => {
  const [roomy, less] = [[], LOST].map((taints) => [H100, site('eu', 2, taints), site('us', 5), model('ml/q', 4)]);
  const [was, is] = [roomy ?? [], less ?? []];
  expect(comment(was, is)).toContain('\n| idle capacity |  | 40 → 24 (16 on eu, which is lost) |');
  expect(JSON.stringify(diffBlocks(compare(was, is).diff))).toContain('idle GPUs: 40 -> 24 (16 on eu, which is lost)');
});

const NODES: Record<string, [Resource[], Resource[], string]> = {
  'names the nodes for a replica of a lost cluster, whose lack of a place is accepted': [
    before,
    partly,
    'With 1 more node the 1 missing replica of eu fits: 1 node in us / h100 ',
  ],
  'names the nodes for all replicas of a lost cluster': [
    before,
    kept,
    'With 2 more nodes all 2 missing replicas of eu fit: 2 nodes in us / h100 ',
  ],
  'asks for no nodes for replicas that had no place before': [
    [H100, site('eu', 2), site('us', 2), model('ml/q', 6)],
    [H100, site('eu', 2, LOST), site('us', 2), model('ml/q', 6)],
    'With 2 more nodes all 2 missing replicas of eu fit: 2 nodes in us / h100 ',
  ],
  'leaves the nodes to the remedies where other replicas have no place, which nothing accepts': [
    before,
    [...kept, aDeployment('ml/other', { engines: ENGINES })],
    '',
  ],
};

test.each(Object.entries(NODES))('%s', (_, [earlier, later, line]) => {
  const { diff, plan, decision } = compare(earlier, later);
  const nodes = findNodesForAcceptedLost(decision, diff);
  const shown = formatPullRequestComment(diff, plan, {
    name: 'fleet',
    verdicts: [],
    earlierWarnings: [],
    nodesForLost: nodes,
  });
  const lines = shown.split('\n').filter((one) => one.startsWith('- With '));
  expect(lines).toEqual(line === '' ? [] : [expect.stringContaining(line)]);
});

const TOTALS: Record<string, [Resource[], RegExp]> = {
  'says how many objects change once lost clusters answer': [
    replaced,
    /; objects: 4 created, 6 deleted \(6 of these 10 on eu, once it answers\)/,
  ],
  'says that all objects change then, where none is elsewhere': [
    [H100, site('eu', 2, LOST), site('us', 2), model('ml/q', 2)],
    /; objects: \S.* deleted \(all on eu, once it answers\)/,
  ],
  'names all lost clusters': [
    [H100, site('eu', 2, LOST), site('us', 2, LOST), model('ml/q', 0)],
    /; objects: \S.* deleted \(all on eu and us, once they answer\)/,
  ],
  'says nothing of clusters that answer': [
    [H100, site('eu', 2), site('us', 4), model('ml/q', 6)],
    /; objects: 4 created(?:, [^(]*)?(?:;.*)?[.]$/,
  ],
};

test.each(Object.entries(TOTALS))('the total %s', (_, [after, want]) => {
  const { diff, plan } = compare(before, after);
  expect(formatTotal(plan, diff)).toMatch(want);
});

const AGAIN = 'when `eu` answers again: ';
const APPLIES = 'Argo CD applies the change there';
const USE =
  'To use the cluster in full again, check it with `fleetwright doctor eu`, and undo edit 1 in a change of its own.';

const STEPS: Record<string, [Resource[], ApplyMode, string[]]> = {
  'Argo CD applies the change on a lost cluster when it answers again, and stops what moved': [
    partly,
    'perCluster',
    [
      `${AGAIN}the 1 replica that does not move serves again at once, before any check. ${APPLIES}, and stops the old copy of the 1 replica that moved. ${USE}`,
    ],
  ],
  'other tools may not wait for a lost cluster': [partly, 'withWaves', []],
  'where none moved, nothing stops': [
    kept,
    'perCluster',
    [`${AGAIN}the 2 replicas that do not move serve again at once, before any check. ${APPLIES}. ${USE}`],
  ],
};

test.each(Object.entries(STEPS))('%s', (_, [after, applied, want]) => {
  const { diff, plan } = compare(before, after);
  const rows = toDeploymentRows(diff, plan, applied);
  const { cite } = numberEdits(diff.declarations, () => undefined);
  const steps = listLostSteps(rows, diff, { applied, cite });
  expect(steps.map(({ when, what }) => `${when}: ${what}`)).toEqual(want);
  const located = { fleet: assemble(after), locate: byPath };
  const gate = { applied, findings: [], worse: [], acceptsRemovals: false, located };
  const shown = formatPullRequestComment(diff, plan, { name: 'fleet', verdicts: [], earlierWarnings: [], gate });
  expect(shown.split('\n').filter((line) => line.startsWith('Next, '))).toEqual(want.map((one) => `Next, ${one}`));
  // Where no object changes there, nothing is applied.
  expect(listLostSteps(rows, { ...diff, objects: [] }, { applied, cite })).toEqual([]);
});

describe('the comment on a change that declares a cluster lost', () => {
  test.each(Object.entries(cases))('%s', (_, { after, want, total }) => {
    const text = comment(before, after);
    for (const part of want) expect(text).toContain(part);
    expect(text).not.toMatch(/finalize|downtime|drain/);
    const { diff, plan } = compare(before, after);
    expect(formatTotal(plan, diff)).toMatch(new RegExp(`^${total}[;.]`));
  });
});
