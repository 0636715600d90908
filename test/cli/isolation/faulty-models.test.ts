import { deployment, SHARED } from './fleet';
import { Workspace } from '../cli';

const MODEL = `apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: q, namespace: a }
spec:
  replicas: 1
  model: { repository: Qwen/Qwen3-8B, context: 8192, hardware: [h100] }
`;

/** A node of eight GPUs, of which the model takes one. */
const ONE_NODE = SHARED.replace(
  /---\napiVersion: \S+\nkind: InferenceCluster\nmetadata: { name: eu }[^]*?(?=---)/,
  '',
).replaceAll('nodeCount: 2', 'nodeCount: 1');

let space: Workspace;
beforeEach(() => {
  space = new Workspace().write({ 'fleet/shared.yaml': ONE_NODE, 'fleet/a.yaml': MODEL });
  expect(space.run('lock ./fleet')).toMatchObject({ code: 0 });
});
afterEach(() => {
  space.remove();
});

const FAULTS: Record<string, [file: string, want: string]> = {
  'a cache that does not exist': [
    `${MODEL}  template: { spec: { modelCacheRef: { name: modell } } }\n`,
    "there is no ModelCache 'modell'",
  ],
  'a model that no catalog has': [MODEL.replace('Qwen3-8B', 'Qwen3-8C'), 'Qwen3-8B'],
};

describe.each(Object.entries(FAULTS))('a model with %s, which no commit has without errors', (_, [text, problem]) => {
  test.each([
    [2, 'fits next to its replica', 'Total: 1 placed'],
    [8, 'does not fit, since its replica keeps its GPU', '1 of 8 devices is in use'],
  ])('another deployment of %d GPUs %s', (count, __, want) => {
    space.write({
      'fleet/a.yaml': text,
      'fleet/b.yaml': deployment('b/r', { count: String(count), args: count === 8 ? ', -tp=8' : '' }),
    });
    const ran = space.run('plan ./fleet');
    expect(ran.err).toContain(problem);
    expect(ran.out).toContain(want);
  });
});
