import { RENDERERS, rendererFor } from '../../src/render/renderers';
import type { aDeployment } from '../api/build';
import { aReplica, gangWith, withContainer } from './build';

describe('every engine has exactly one renderer', () => {
  const cases: Record<string, { deployment: ReturnType<typeof aDeployment>; want: string }> = {
    'a pod alone': { deployment: withContainer({}), want: 'Deployment' },
    'a gang': { deployment: gangWith({}), want: 'LeaderWorkerSet' },
  };
  test.each(Object.entries(cases))('%s', (_, { deployment, want }) => {
    const replica = aReplica(deployment);
    const [engine] = replica.engines;
    const willing = RENDERERS.filter((renderer) => renderer.reject(engine!) === undefined);
    expect(willing.map(({ name }) => name)).toEqual([want]);
    const manifests = rendererFor(engine!).render(replica, engine!);
    expect(manifests.map(({ kind }) => kind)).toContain(want);
  });
});

test('an engine that nothing renders is a bug, with every reason', () => {
  const engine = { ...aReplica(withContainer({})).engines[0]!, members: [] };
  expect(() => rendererFor(engine)).toThrow(
    'bug: nothing renders engine main (Deployment: it is a gang; LeaderWorkerSet: it has no leader and worker)',
  );
});

const REPLICAS = [withContainer({}), gangWith({}, { cache: 'weights' })].map((one) => aReplica(one));

describe.each(RENDERERS)('renderer $name', (renderer) => {
  const mine = REPLICAS.filter(({ engines }) => renderer.reject(engines[0]!) === undefined);
  const render = () => mine.flatMap((replica) => renderer.render(replica, replica.engines[0]!));

  test('gives the same objects for the same replica', () => {
    expect(render().length).toBeGreaterThan(0);
    expect(render()).toEqual(render());
  });

  test('gives every object a name, the namespace of the deployment, and its labels', () => {
    for (const { metadata } of render()) {
      expect(metadata).toMatchObject({ namespace: 'ml', labels: { 'fleetwright.dev/deployment': 'qwen3' } });
      expect(metadata.name).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);
    }
  });

  test('gives plain data, without absent values', () => {
    expect(JSON.parse(JSON.stringify(render()))).toStrictEqual(render());
  });
});
