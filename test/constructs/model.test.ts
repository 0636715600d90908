import { App } from 'cdk8s';
import { Fleet, InferenceClass, InferenceCluster, ModelDeployment } from '../../constructs/index';
import { objectsOf, placing } from './build';

function fleetWith(model: (h200: InferenceClass) => ConstructorParameters<typeof ModelDeployment>[2]['model']): Fleet {
  const fleet = new Fleet(new App(), 'main');
  const h200 = new InferenceClass(fleet, 'h200', { from: 'aws/p5en.48xlarge' });
  new InferenceCluster(fleet, 'us', {
    cluster: { source: 'Existing', existing: { context: 'us' } },
    nodePools: [{ name: 'h200', className: h200, nodeCount: 1 }],
  });
  new ModelDeployment(fleet, 'chat', { namespace: 'ml', replicas: 1, model: model(h200) });
  return fleet;
}

test('a model takes the place of engines in a program, on classes by construct or name', () => {
  for (const byName of [true, false]) {
    const fleet = fleetWith((h200) => ({
      repository: 'Qwen/Qwen3-32B',
      context: 32_768,
      hardware: [byName ? 'h200' : h200],
    }));
    const placed = fleet.place({ lock: 'ephemeral' });
    const objects = [...placed.charts.values()].flatMap(objectsOf);
    expect(JSON.stringify(objects)).toContain('"--model=Qwen/Qwen3-32B","--max-model-len=32768"');
  }
});

test('a model that no row has is refused at its prop', () => {
  const [first = ''] = placing(fleetWith(() => ({ repository: 'Qwen/Qwen3-33B' })));
  expect(first).toMatch(/^main\/chat model\.repository: the model catalog has no row 'Qwen\/Qwen3-33B'\./);
});
