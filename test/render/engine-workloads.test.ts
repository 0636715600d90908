import { renderWorkload } from '../../src/render/workloads';
import type { aDeployment } from '../api/build';
import { aReplica, gangWith, withContainer } from './build';

describe('every engine has exactly one kind of workload', () => {
  const cases: Record<string, { deployment: ReturnType<typeof aDeployment>; want: string }> = {
    'a pod alone': { deployment: withContainer({}), want: 'Deployment' },
    'a gang': { deployment: gangWith({}), want: 'LeaderWorkerSet' },
  };
  test.each(Object.entries(cases))('%s', (_, { deployment, want }) => {
    const replica = aReplica(deployment);
    const [engine] = replica.engines;
    const kinds = renderWorkload(replica, engine!).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== 'ResourceClaimTemplate')).toEqual([want]);
  });
});

test('an engine that nothing renders is a bug, with every reason', () => {
  const replica = aReplica(withContainer({}));
  const engine = { ...replica.engines[0]!, members: [] };
  expect(() => renderWorkload(replica, engine)).toThrow(
    'bug: nothing renders engine main (Deployment: it is a gang; LeaderWorkerSet: it has no leader and worker)',
  );
});
