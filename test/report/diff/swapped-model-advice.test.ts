import type { Resource } from '../../../src/api/kinds';
import { errorAt } from '../../../src/base/diagnostic';
import { findGateFindings } from '../../../src/diff/gate-findings';
import { CITE_IN_FULL } from '../../../src/report/diff/change-sentences';
import { formatRefusalText } from '../../../src/report/diff/gate-text';
import { collectRefusals, countProblems, describeJoint, describeRefusals } from '../../../src/report/diff/refusals';
import { aClass, aCluster, aMember, byPath, type Doc } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aModel } from '../../routing/build';

const serving = (model: string, id = 'ml/q', spec: Doc = {}, name = 'rank'): Resource => {
  const containers = [
    { name: 'engine', image: 'vllm/vllm-openai:v0.11.0', args: [model, `--served-model-name=${name}`] },
  ];
  return aModel(id, {
    engines: [{ name: 'main', members: [aMember({ gpus: 8, template: { spec: { containers } } })] }],
    ...spec,
  });
};
const nodes = (nodeCount: number): Resource[] => [
  aClass('h100', { price: { perHour: 10, currency: 'USD' } }),
  aCluster('us', { pools: { h100: { nodeCount } } }),
];

/** What solves all problems of a change, and the sentences on each of them. */
function review(before: Resource[], after: Resource[], fails = false) {
  const [earlier, change] = [state('main', before), diff(before, after)];
  const { decision } = state('here', after, earlier.decision.lock, earlier);
  const context = { before: earlier.decision, after: decision, applied: 'withWaves', acceptRemovals: false } as const;
  const findings = findGateFindings(change, context);
  const problems = fails ? [errorAt('bad-value', 'a.yaml:1:1', 'wrong', '')] : [];
  const refusals = collectRefusals({ diff: change, plan: decision.plan, findings, problems });
  const located = { fleet: decision.fleet, locate: byPath };
  const count = countProblems(refusals, located, { removal: false, denied: 0 });
  return {
    joint: describeJoint(refusals, count, { cite: CITE_IN_FULL, diff: change }),
    texts: describeRefusals(refusals, located, { diff: change }).map(formatRefusalText),
  };
}

test.each<[string, Resource[], Resource[], string | undefined]>([
  [
    'a deployment of its own for the new model solves a swap and the downtime for it, at the price of as many replicas',
    [...nodes(4), serving('a/b')],
    [...nodes(4), serving('a/c')],
    'Solves both problems: deploy a/c next to ml/q, under a name of its own (cost unchanged)',
  ],
  [
    'has no price where nothing is known to have room',
    [...nodes(1), serving('a/b')],
    [...nodes(1), serving('a/c')],
    'Solves both problems: deploy a/c next to ml/q, under a name of its own, for which there has to be room',
  ],
  [
    'does not solve what happens to other deployments',
    [...nodes(4), serving('a/b'), serving('a/b', 'ml/p', {}, 'p')],
    [...nodes(4), serving('a/c'), serving('a/c', 'ml/p', {}, 'p')],
    undefined,
  ],
  [
    'does not solve that a cluster goes',
    [...nodes(1), serving('a/b'), aCluster('eu', { pools: { h100: { nodeCount: 1 } } })],
    [...nodes(1), serving('a/c')],
    undefined,
  ],
  [
    'is not offered where only the model is refused',
    [...nodes(4), serving('a/b', 'ml/q', { replicas: 2 })],
    [...nodes(4), serving('a/c', 'ml/q', { replicas: 2 })],
    undefined,
  ],
])('%s', (_, before, after, want) => {
  expect(review(before, after).joint).toBe(want);
});

test('a deployment of its own does not solve errors', () => {
  expect(review([...nodes(4), serving('a/b')], [...nodes(4), serving('a/c')], true).joint).toBeUndefined();
});

test('what solves the problems one by one says that clients have to accept the other model', () => {
  const { texts } = review([...nodes(4), serving('a/b')], [...nodes(4), serving('a/c')]);
  expect(texts).toEqual([
    expect.stringMatching(/These help only if clients of 'rank' may get a\/c$/),
    expect.stringMatching(
      /\. For this problem alone: if clients of 'rank' may get a\/c, add --accept-removals to plan --gate$/,
    ),
  ]);
});
