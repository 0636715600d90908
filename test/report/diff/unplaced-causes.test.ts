import type { Resource } from '../../../src/api/kinds';
import { aClass, aCluster, aDeployment, aMember, type Doc } from '../../api/build';
import { comment } from '../pull-request/unplaced-comment';

const H100 = aClass('h100');
const [LOST, DRAINED] = ['lost', 'maintenance'].map((key) => [{ key, effect: 'NoExecute' }]);
const TOLERATION = { tolerations: [{ key: 'lost', operator: 'Exists' }] };
const site = (name: string, nodeCount: number, more: Doc = {}): Resource =>
  aCluster(name, { pools: { h100: { nodeCount } }, ...more });
const model = (name: string, replicas: number, more: Doc = {}): Resource =>
  aDeployment(name, { replicas, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }], ...more });

interface Case {
  readonly before: readonly Resource[];
  readonly after: readonly Resource[];

  /** Each problem, and what to do about it that undoes an edit. */
  readonly want: readonly string[];
}

const fleet = (eu: Resource, ...models: Resource[]): Resource[] => [H100, site('us', 1), eu, ...models];

const cases: Record<string, Case> = {
  'the loss of a cluster, which no one undoes': {
    before: fleet(site('eu', 1), model('ml/q', 2)),
    after: fleet(site('eu', 1, { taints: LOST }), model('ml/q', 2)),
    want: ['1 of 2 replicas of ml/q fits nowhere (edit 1).'],
  },
  'the loss, and not a toleration of its taint or a priority': {
    before: fleet(site('eu', 1), model('ml/q', 2)),
    after: fleet(site('eu', 1, { taints: LOST }), model('ml/q', 2, { ...TOLERATION, priority: 1 })),
    want: ['1 of 2 replicas of ml/q fits nowhere (edit 1).'],
  },
  'the loss of the only cluster, which no one undoes either': {
    before: [H100, site('eu', 1), model('ml/q', 1)],
    after: [H100, site('eu', 1, { taints: LOST }), model('ml/q', 1)],
    want: ['The only replica of ml/q fits nowhere (edit 1).'],
  },
  'the loss, where nodes for all problems are named': {
    before: [H100, site('us', 2), site('eu', 2), model('ml/p', 2), model('ml/q', 2)],
    after: [H100, site('us', 2), site('eu', 2, { taints: LOST }), model('ml/p', 2), model('ml/q', 2)],
    want: ['1 of 2 replicas of ml/p and 1 of 2 replicas of ml/q fit nowhere (edit 1).'],
  },
  'the taint that drains a cluster, to be undone, and not a toleration of another one': {
    before: [H100, site('eu', 1), model('ml/q', 1)],
    after: [H100, site('eu', 1, { taints: DRAINED }), model('ml/q', 1, TOLERATION)],
    want: ['The only replica of ml/q fits nowhere (edit 1).', 'Undo edit 1.'],
  },
  'the number of replicas too, where it is raised': {
    before: fleet(site('eu', 1), model('ml/q', 2)),
    after: fleet(site('eu', 1, { taints: LOST }), model('ml/q', 3)),
    want: ['2 of 3 replicas of ml/q fit nowhere (edits 1 and 2).'],
  },
  'the loss too, where replicas of the lost cluster take the room of further ones': {
    before: [H100, site('us', 2), site('eu', 1), model('ml/q', 2)],
    after: [H100, site('us', 2), site('eu', 1, { taints: LOST }), model('ml/q', 3)],
    want: ['1 of 3 replicas of ml/q fits nowhere (edits 1 and 2).'],
  },
  'not the number of replicas where it is lowered': {
    before: fleet(site('eu', 2), model('ml/q', 3)),
    after: fleet(site('eu', 2, { taints: LOST }), model('ml/q', 2)),
    want: ['1 of 2 replicas of ml/q fits nowhere (edit 1).'],
  },
};

describe('replicas without a place name as the cause', () => {
  test.each(Object.entries(cases))('%s', (_, { before, after, want }) => {
    const lines = comment([...before], [...after])
      .replaceAll('\\', '')
      .split('\n');
    const problems = lines.flatMap((line) => /^- :x: \*\*(.*)\*\*$/.exec(line)?.[1] ?? []);
    const undone = lines.flatMap((line) => /\b[Uu]ndo edits? .*/.exec(line)?.[0] ?? []);
    expect([...problems, ...undone]).toEqual(want);
  });
});
