import { aCache, aCluster, type Doc } from '../api/build';
import { gangWith, manifestsOf, pods, withContainer } from '../render/build';

const LORA = [
  { name: 'sql', modelCacheRef: { name: 'sql-weights' } },
  { name: 'law', modelCacheRef: { name: 'law-weights' } },
];
const VLLM = 'vllm/vllm-openai:v0.23.0';
const OWN = aCluster('own', {
  pools: { h100: 2 },
  storage: { sharedFilesystem: { storageClassName: 'nfs' } },
});
const ADOPTED = { source: 'ExistingPVC', sizeGiB: undefined, huggingFace: undefined };

/** The pod of a deployment with these caches. */
function podOf({ container = {}, ...options }: { container?: Doc } & Doc, ...caches: Doc[]) {
  const deployment = withContainer({ image: VLLM, ...container }, options);
  const declared = caches.map(({ name, ...spec }) => aCache(`ml/${name}`, spec));
  return pods(deployment, { cluster: OWN, caches: declared })['Standalone']!.spec;
}

interface Init extends Doc {
  image: string;
  args: string[];
  volumeMounts: Doc[];
}

const initOf = (pod: Doc): Init[] | undefined => pod['initContainers'] as Init[] | undefined;

describe('a pod with a cache', () => {
  test('waits for it with the image that stages it, and as strictly', () => {
    const pod = podOf({ cache: 'weights' }, { name: 'weights' });
    const [init] = initOf(pod)!;
    expect(init).toMatchObject({
      name: 'wait-for-cache',
      image: 'kserve/storage-initializer:v0.20.0',
      securityContext: { runAsNonRoot: true, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      volumeMounts: [{ name: 'model-cache', mountPath: '/cache/model-cache', readOnly: true }],
    });
    const [mount] = (pod.containers[0]['volumeMounts'] as Doc[]).slice(-1);
    expect(mount).toEqual({ name: 'model-cache', mountPath: '/mnt/models', subPath: expect.any(String) });
    expect(init!.args).toEqual([`/cache/model-cache/${mount!['subPath']}`]);
  });

  test('is of the group that owns its files', () => {
    expect(podOf({ cache: 'weights' }, { name: 'weights' })).toHaveProperty(
      'securityContext.supplementalGroups',
      [1000],
    );
    expect(podOf({})).not.toHaveProperty('securityContext.supplementalGroups');
  });

  test('waits on every node of a gang', () => {
    const gang = pods(gangWith({}, { cache: 'weights' }), { cluster: OWN });
    expect(Object.values(gang).map(({ spec }) => initOf(spec)?.length)).toEqual([1, 1]);
  });

  test('finds it where the cache says', () => {
    const { containers } = podOf({ cache: 'weights' }, { name: 'weights', mountPath: '/models/qwen' });
    expect(containers[0]).toHaveProperty('args', ['--model=/models/qwen']);
    expect(containers[0]['volumeMounts']).toContainEqual(
      expect.objectContaining({ name: 'model-cache', mountPath: '/models/qwen' }),
    );
  });

  test.each(['Tokenizer', 'Bytes'])('gets no model argument where the cache has content %s', (content) => {
    const { containers } = podOf({ cache: 'weights' }, { name: 'weights', content });
    expect(containers[0]).not.toHaveProperty('args');
    expect(containers[0]['volumeMounts']).toContainEqual(expect.objectContaining({ mountPath: '/mnt/models' }));
  });

  test('waits for nothing where the claim exists, and sees the folder that the cache names', () => {
    const existingPVC = { claimName: 'data', path: 'models/qwen' };
    const pod = podOf({ cache: 'weights' }, { name: 'weights', ...ADOPTED, existingPVC });
    expect(initOf(pod)).toBeUndefined();
    expect(pod).not.toHaveProperty('securityContext.supplementalGroups');
    expect(pod['volumes']).toContainEqual({
      name: 'model-cache',
      persistentVolumeClaim: { claimName: 'data' },
    });
    expect(pod.containers[0]['volumeMounts']).toContainEqual({
      name: 'model-cache',
      mountPath: '/mnt/models',
      subPath: 'models/qwen',
    });
    const whole = podOf({ cache: 'w' }, { name: 'w', ...ADOPTED, existingPVC: { claimName: 'data' } });
    expect(whole.containers[0]['volumeMounts']).toContainEqual({
      name: 'model-cache',
      mountPath: '/mnt/models',
    });
  });
});

describe('adapters', () => {
  const adapters = [
    { name: 'sql-weights', content: 'LoRA' },
    { name: 'law-weights', content: 'LoRA', ...ADOPTED, existingPVC: { claimName: 'law' } },
  ];

  test('are mounted next to the model and passed to the engine, and waited for where they are staged', () => {
    const pod = podOf({ cache: 'weights', loraAdapters: LORA }, { name: 'weights' }, ...adapters);
    expect(pod.containers[0]['args']).toEqual([
      '--model=/mnt/models',
      '--enable-lora',
      '--lora-modules',
      'sql=/mnt/adapters/sql',
      'law=/mnt/adapters/law',
    ]);
    const mounts = pod.containers[0]['volumeMounts'] as Record<string, string>[];
    expect(mounts.map(({ name, mountPath }) => `${name} ${mountPath}`)).toEqual([
      'shared-memory /dev/shm',
      'model-cache /mnt/models',
      'adapter-0 /mnt/adapters/sql',
      'adapter-1 /mnt/adapters/law',
    ]);
    const [init, ...more] = initOf(pod)!;
    expect(more).toEqual([]);
    expect(init!.args).toEqual([
      expect.stringMatching(/^\/cache\/model-cache\/[0-9a-f]{10}$/),
      expect.stringMatching(/^\/cache\/adapter-0\/[0-9a-f]{10}$/),
    ]);
  });

  test('need no cache of the model', () => {
    const container = { args: ['Qwen/Qwen3-8B'] };
    const pod = podOf({ container, loraAdapters: LORA.slice(0, 1) }, ...adapters);
    expect(pod.containers[0]['args']).toEqual([
      'Qwen/Qwen3-8B',
      '--enable-lora',
      '--lora-modules',
      'sql=/mnt/adapters/sql',
    ]);
  });

  test('are passed to every node of a gang', () => {
    const gang = pods(gangWith({ image: VLLM, args: ['a/b'] }, { loraAdapters: LORA.slice(0, 1) }), {
      cluster: OWN,
    });
    for (const { spec } of Object.values(gang)) expect(spec.containers[0]['args']).toContain('--enable-lora');
  });

  test.each<[string, Doc]>([
    ['the user passes some', { args: ['a/b', '--lora-modules', 'x=/y'] }],
    ['a script starts the engine', { command: ['sh', '-c', 'vllm serve a/b'] }],
  ])('are only mounted where %s', (_, container) => {
    const pod = podOf({ container, loraAdapters: LORA.slice(0, 1) }, ...adapters);
    expect(pod.containers[0]['args']).toEqual(container['args']);
    expect(pod.containers[0]['volumeMounts']).toContainEqual(
      expect.objectContaining({ mountPath: '/mnt/adapters/sql' }),
    );
  });

  test('of one cache are two volumes', () => {
    const twice = LORA.map(({ name }) => ({ name, modelCacheRef: { name: 'sql-weights' } }));
    const { volumes } = podOf({ loraAdapters: twice }, adapters[0]!) as { volumes?: Doc[] };
    const [first, second] = volumes!.slice(-2);
    expect(first!['persistentVolumeClaim']).toEqual(second!['persistentVolumeClaim']);
    expect([first!['name'], second!['name']]).toEqual(['adapter-0', 'adapter-1']);
  });
});

test('a cache of another namespace is not mounted', () => {
  const deployment = withContainer({}, { cache: 'weights' });
  const other = aCache('web/weights', { ...ADOPTED, existingPVC: { claimName: 'other' } });
  const manifests = manifestsOf(deployment, { cluster: OWN, caches: [other, aCache('ml/weights')] });
  expect(JSON.stringify(manifests)).not.toContain('other');
});
