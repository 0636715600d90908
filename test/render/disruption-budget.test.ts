import { renderDisruptionBudget } from '../../src/render/replica-objects';
import { aDeployment, anEngine } from '../api/build';
import { aReplica, gangWith, withContainer } from './build';

const one = withContainer({});
const twoCopies = aDeployment('ml/qwen3', { engines: [anEngine('a'), anEngine('b', { copies: 2 })] });

describe('a deployment on a cluster has a budget', () => {
  const cases: Record<string, { of: ReturnType<typeof aReplica>; want: number }> = {
    'not where one pod serves': { of: aReplica(one), want: 0 },
    'not where one gang serves': { of: aReplica(gangWith({})), want: 0 },
    'where several replicas do': { of: aReplica(one, { here: 2 }), want: 1 },
    'where an engine has several copies': { of: aReplica(twoCopies), want: 1 },
  };
  test.each(Object.entries(cases))('%s', (_, { of, want }) => {
    expect(renderDisruptionBudget(of)).toHaveLength(want);
  });

  test('of one pod at a time, over the pods of all engines of all replicas', () => {
    const [budget, ...others] = renderDisruptionBudget(aReplica(one, { here: 2 }));
    expect(others).toEqual([]);
    expect(budget).toMatchObject({
      apiVersion: 'policy/v1',
      metadata: { name: 'qwen3-8e6c5', namespace: 'ml' },
      spec: {
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
        selector: {
          matchLabels: { 'fleetwright.dev/deployment': 'qwen3' },
          matchExpressions: [{ key: 'fleetwright.dev/engine', operator: 'Exists' }],
        },
      },
    });
  });

  test('that replicas share: budgets that overlap make evictions fail', () => {
    const [first, second] = [0, 1].map((index) => renderDisruptionBudget(aReplica(one, { here: 2, index })));
    expect(first).toEqual(second);
  });
});
