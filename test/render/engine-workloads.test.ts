import { selectWorkloadRenderer, WORKLOAD_RENDERERS } from '../../src/render/workloads';
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
    const willing = WORKLOAD_RENDERERS.filter((workload) => workload.reject(engine!) === undefined);
    expect(willing.map(({ name }) => name)).toEqual([want]);
    const manifests = selectWorkloadRenderer(engine!).render(replica, engine!);
    expect(manifests.map(({ kind }) => kind)).toContain(want);
  });
});

test('an engine that nothing renders is a bug, with every reason', () => {
  const engine = { ...aReplica(withContainer({})).engines[0]!, members: [] };
  expect(() => selectWorkloadRenderer(engine)).toThrow(
    'bug: nothing renders engine main (Deployment: it is a gang; LeaderWorkerSet: it has no leader and worker)',
  );
});
