import type { ModelDeployment } from '../../src/api/model-deployment';
import { loadManifests } from '../../src/manifest/load-manifests';

const deployment = (name: string, { replicas = 1, image = 'vllm/vllm-openai:v0.11.0', group = 'fleetwright.dev' }) =>
  `apiVersion: ${group}/v1alpha1
kind: ModelDeployment
metadata: { name: ${name}, namespace: ml }
spec:
  replicas: ${replicas}
  template:
    spec:
      engines:
        - name: main
          members:
            - nodeSelector: { devices: [{ name: gpu, count: 1, selectors: [{ cel: 'true' }] }] }
              template: { spec: { containers: [{ name: engine, image: ${image}, args: [serve, m] }] } }
`;

const read = (...texts: string[]): ModelDeployment[] => {
  const files = texts.map((text, i) => ({ path: `${i}.yaml`, text }));
  const { resources, problems } = loadManifests(files);
  expect(problems).toEqual([]);
  return resources as ModelDeployment[];
};

const rows: Record<string, { other: Parameters<typeof deployment>[1]; shared: string[] }> = {
  'deployments that say the same have one spec': { other: {}, shared: ['spec', 'template'] },
  'deployments that run the same have that in common, however many replicas each has': {
    other: { replicas: 2 },
    shared: ['template'],
  },
  'deployments that run something else have nothing in common': {
    other: { image: 'vllm/vllm-openai:v1' },
    shared: [],
  },
  'the alias group is no difference': { other: { group: 'modelplane.ai' }, shared: ['spec', 'template'] },
};

test.each(Object.entries(rows))('%s', (_, { other, shared }) => {
  const texts = [deployment('a', {}), deployment('b', other)];
  const [a, b] = read(...texts);
  const same = [
    ...(a!.spec === b!.spec ? ['spec'] : []),
    ...(a!.spec.template.spec === b!.spec.template.spec ? ['template'] : []),
  ];
  expect(same).toEqual(shared);
  expect([a, b]).toEqual(texts.flatMap((text) => read(text)));
});
