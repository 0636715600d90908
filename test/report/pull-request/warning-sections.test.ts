import type { ModelService } from '../../../src/api/model-service';
import { warningAt } from '../../../src/base/diagnostic';
import type { DiagnosticCode } from '../../../src/base/diagnostic-codes';
import { findGateFindings, type GateFinding } from '../../../src/diff/gate-findings';
import { assemble } from '../../../src/fleet/fleet';
import { formatPullRequestComment } from '../../../src/report/pull-request/comment';
import { aClass, aCluster, aDeployment, aMember } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';
import { compare } from './unplaced-comment';

const fleet = (replicas: number) => [
  aClass('h100'),
  aCluster('us', { pools: { h100: { nodeCount: 1 } } }),
  aDeployment('ml/q', { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] }),
];

/** A comment on more replicas than fit, with a warning: what is above the folded sections, and these. */
function warned(
  code: DiagnosticCode,
  message: string,
  replicas = 2,
  at = 'a.yaml:1:1',
): { head: string; folded: string } {
  const { plan } = state('here', fleet(replicas)).decision;
  const warnings = [warningAt(code, at, message, 'Details')];
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [] };
  const text = formatPullRequestComment(diff(fleet(1), fleet(replicas)), { ...plan, warnings }, context);
  const [head = '', ...folds] = text.split('<details>');
  return { head, folded: folds.join('') };
}

test.each<[string, DiagnosticCode, string]>([
  ['a share that loses its replicas', 'share-down', 'ml/chat: 5 % lose their replicas (ml/q on us)'],
  ['a number of replicas below minAvailable', 'too-few-placed', '1 of 2 replicas of ml/q has a place'],
  ['room that a replica without a place takes', 'room-lost', 'no room for another replica'],
])('%s follows from the refusal, and is folded', (_, code, message) => {
  const { head, folded } = warned(code, message);
  expect(head).not.toContain(message);
  expect(folded).toContain('Warnings of what follows from the refusals: 1<');
  expect(folded).toContain(message);
});

test.each([
  ['is open where its cluster drains', 'NoExecute' as const, true],
  ['follows from the refusal where nothing drains', undefined, false],
])('fewer clusters that a replica without a place leaves: the warning %s', (_, effect, isOpen) => {
  const taints = effect ? [{ key: 'upgrade', effect }] : [];
  const [h100, , model] = fleet(2);
  const after = [h100!, aCluster('us', { pools: { h100: { nodeCount: 1 } }, taints }), model!];
  const { diff: change, plan } = compare(fleet(1), after);
  const warnings = [warningAt('lost-redundancy', 'a.yaml:1:1', 'ml/q ends on us only', 'Details')];
  const context = { name: 'fleet', verdicts: [], earlierWarnings: [] };
  const text = formatPullRequestComment(change, { ...plan, warnings }, context);
  expect(text.split('<details>')[0]?.includes('ml/q ends on us only')).toBe(isOpen);
});

test.each<[string, DiagnosticCode, string]>([
  ['of another deployment whose name begins alike', 'share-down', 'ml/chat: 5 % lose their replicas (ml/q-2 on us)'],
  ['of another kind', 'unchecked-memory', 'memory of ml/q is not checked'],
])('a warning %s stays', (_, code, message) => {
  expect(warned(code, message).head.replaceAll('\\', '')).toContain(message);
});

test.each<[string, DiagnosticCode, 'before' | 'behind']>([
  ['of requests that may get no answer comes before', 'fewer-replicas', 'before'],
  ['of a cluster without a serving replica comes before', 'cluster-down', 'before'],
  ['of routes that other clusters still use comes before', 'stale-routes', 'before'],
  ['of lower limits comes before', 'limit-lowered', 'before'],
  ['of engines that do not start comes before', 'gated-model', 'before'],
  ['of something else comes behind', 'unchecked-memory', 'behind'],
])('a warning %s the tables', (_, code, want) => {
  const { head } = warned(code, 'ml/other gets something else');
  const [warning, table] = [head.indexOf('ml/other'), head.indexOf('| deployment |')];
  expect([warning > 0, table > 0]).toEqual([true, true]);
  expect(warning < table ? 'before' : 'behind').toBe(want);
});

test('lost room is one short line, with its details below', () => {
  const { head, folded } = warned('room-lost', 'no room for another replica of ml/q', 1);
  expect(head).toContain('\n- :warning: No room for another replica of ml/q.\n');
  expect(folded).toContain('a.yaml:1:1: no room for another replica of ml/q. Details.');
});

test('a warning that no edit causes does not begin with the name of the fleet', () => {
  const { head } = warned('unchecked-memory', 'no replica serves', 1, 'fleet');
  expect(head).toContain('\n- :warning: No replica serves. Details.\n');
});

test('lost room names the edit that takes it', () => {
  const at = 'ModelDeployment ml/q spec.replicas';
  const { head } = warned('room-lost', 'no room for another replica of ml/q', 0, at);
  expect(head).toContain('\n- :warning: No room for another replica of ml/q (edit 1).\n'.replace(/[()]/g, '\\$&'));
});

test('where a replica stops for a time, what is left of its deployment afterwards does not follow from that', () => {
  const [was, is] = ['v0.23.0', 'v0.24.0'].map((tag) => {
    const containers = [{ name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['Qwen/Qwen3-8B'] }];
    const members = [aMember({ gpus: 8, template: { spec: { containers } } })];
    return [...fleet(1).slice(0, 2), aDeployment('ml/q', { replicas: 1, engines: [{ name: 'main', members }] })];
  });
  const before = state('main', was ?? []);
  const after = state('here', is ?? [], before.decision.lock, before);
  const changed = diff(was ?? [], is ?? []);
  const applied = 'withWaves';
  const states = { before: before.decision, after: after.decision, applied, acceptRemovals: false } as const;
  const located = { fleet: after.decision.fleet, locate: () => 'a.yaml:1:1' };
  const message = 'ml/q has 1 replica, on us: nothing serves it while us is down';
  const text = formatPullRequestComment(
    changed,
    { ...after.decision.plan, warnings: [warningAt('lost-redundancy', 'a.yaml:1:1', message, 'Details')] },
    {
      name: 'fleet',
      verdicts: [],
      earlierWarnings: [],
      gate: { applied, worse: [], findings: findGateFindings(changed, states), located },
    },
  );
  expect(text).toContain('**ml/q has no serving replica');
  expect(text.split('<details>')[0]).toContain(message);
});

test('lost room names all edits that take it', () => {
  const places = ['ModelDeployment ml/q spec.replicas', 'InferenceCluster us spec.nodePools.0.nodeCount'] as const;
  const [was, is] = [fleet(2), [fleet(2)[0]!, aCluster('us', { pools: { h100: { nodeCount: 2 } } }), fleet(1)[2]!]];
  const { plan } = state('here', is).decision;
  const room = {
    ...warningAt('room-lost', places[0], 'no room for another replica of ml/q', 'Details'),
    alsoAt: [places[1]],
  };
  const text = formatPullRequestComment(
    diff(was, is),
    { ...plan, warnings: [room] },
    { name: 'fleet', verdicts: [], earlierWarnings: [] },
  );
  expect(text).toContain('No room for another replica of ml/q \\(edits 1 and 2\\).');
});

test('what the gate refuses is not repeated as a warning', () => {
  const base = fleet(1);
  const { plan } = state('here', base).decision;
  const warnings = [warningAt('unserved-entry', 'a.yaml:1:1', 'the entry selects nothing', 'Correct the label')];
  const service = aSplit('ml/chat', [to({ track: 'stable' })]);
  const entry = { entry: 0, others: true, share: 0.5, heirs: [], lost: [] };
  const lost: GateFinding = { kind: 'entry-lost', service, ...entry };
  const gone: GateFinding = { kind: 'model-gone', service, model: 'chat' };
  const text = (findings: GateFinding[]) =>
    formatPullRequestComment(
      diff(base, base),
      { ...plan, warnings },
      {
        name: 'fleet',
        verdicts: [],
        earlierWarnings: [],
        gate: {
          applied: 'withWaves',
          worse: [],
          findings,
          located: { fleet: assemble(base), locate: () => 'a.yaml:1:1' },
        },
      },
    );
  expect(text([])).toContain(':warning: a.yaml:1:1: the entry selects nothing');
  expect(text([lost])).not.toContain(':warning: a.yaml:1:1: the entry selects nothing');
  expect(text([gone])).toContain(':warning: a.yaml:1:1: the entry selects nothing');
});

/** A service with two entries. */
function split(track: string): ModelService {
  return aSplit('ml/chat', [to({ track }), to({ track: 'next' })]);
}

test('a warning of what gets the requests of an entry that selects nothing any more follows from the refusal', () => {
  const places = [
    aClass('h100'),
    aSite('us'),
    aDoor(['us']),
    ...['stable', 'next'].map((track) => aModel(`ml/${track}`, { replicaLabels: { track } })),
  ];
  const [before, after] = [
    [...places, split('stable')],
    [...places, split('stabel')],
  ];
  const message = 'ml/next gets 100 % of the requests';
  const warnings = [warningAt('fewer-replicas', 'a.yaml:1:1', message, 'Add replicas')];
  const entry = { entry: 0, others: true, share: 0.5, heirs: ['ml/next'], lost: [] };
  const headOf = (findings: GateFinding[]): string => {
    const located = { fleet: assemble(after), locate: () => 'b.yaml:1:1' };
    const gate = { applied: 'withWaves', worse: [], findings, located } as const;
    const context = { name: 'fleet', verdicts: [], earlierWarnings: [], gate };
    const { plan } = state('here', after).decision;
    const text = formatPullRequestComment(diff(before, after), { ...plan, warnings }, context);
    return text.split('<details>')[0] ?? '';
  };
  expect(headOf([])).toContain(message);
  expect(headOf([{ kind: 'entry-lost', service: split('stabel'), ...entry }])).not.toContain(message);
});
