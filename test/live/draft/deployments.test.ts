import type { Json } from '../doctor/build';
import { drafted } from './build';

/** A service of KServe in namespace `ml`. */
const service = (name: string, spec: object, labels: object = {}): Json => ({
  metadata: { name, namespace: 'ml', labels },
  spec,
});
const QWEN = { uri: 'hf://Qwen/Qwen3-8B', name: 'qwen' };
const main = (container: object, pod: object = {}) => ({
  template: { containers: [{ name: 'main', ...container }], ...pod },
});

/** The deployments of a draft, and the notes on them. */
function draft(...services: Json[]) {
  const { documents, notes } = drafted({ services });
  return {
    documents: documents.filter(({ kind }) => kind === 'ModelDeployment'),
    notes: notes.filter((note) => note.startsWith('deployment')),
  };
}

/** The container of the engine, its devices and the replicas of the only deployment. */
function engineOf(spec: object) {
  const { documents, notes } = draft(service('chat', spec));
  const deployment = documents[0]?.['spec'] as { replicas: number; template: { spec: { engines: Json[] } } };
  const [member] = deployment.template.spec.engines[0]!['members'] as {
    nodeSelector: { devices: Json[] };
    template: { spec: { containers: Json[] } };
  }[];
  const [container] = member!.template.spec.containers;
  const { name: _, ...device } = member!.nodeSelector.devices[0]!;
  return { replicas: deployment.replicas, container, device, notes };
}

const REMINDER =
  'deployments: the LLMInferenceServices still hold their devices. Delete each when its deployment serves';

test('a service that relies on a preset of KServe becomes vLLM with its model, name, ranks and arguments', () => {
  const spec = { model: QWEN, replicas: 3, parallelism: { tensor: 2 }, ...main({ args: ['--max-model-len=8192'] }) };
  expect(engineOf(spec)).toEqual({
    replicas: 3,
    container: {
      name: 'engine',
      image: 'vllm/vllm-openai:v0.23.0',
      args: ['Qwen/Qwen3-8B', '--served-model-name=qwen', '--tensor-parallel-size=2', '--max-model-len=8192'],
    },
    device: { count: 2, selectors: [{ cel: 'device.driver == "gpu.nvidia.com"' }] },
    notes: [
      'deployment ml/chat: its image is that of a preset of KServe; vllm/vllm-openai:v0.23.0 is a guess',
      'deployment ml/chat: it requests no extended resource; 2 of gpu.nvidia.com is a guess',
      REMINDER,
    ],
  });
});

test('a command of its own is carried over with its arguments, image, requests and references to Secrets', () => {
  const token = { name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hf', key: 'token' } } };
  const container = {
    image: 'lmsysorg/sglang:v0.5.5',
    command: ['python3', '-m', 'sglang.launch_server'],
    args: ['--model-path=/mnt/models'],
    env: [token],
    resources: { limits: { 'amd.com/gpu': '4' }, requests: { cpu: '8', memory: '64Gi' } },
  };
  expect(engineOf({ model: QWEN, ...main(container) })).toMatchObject({
    replicas: 1,
    container: {
      image: container.image,
      command: container.command,
      args: container.args,
      env: [token],
      resources: { requests: { cpu: '8', memory: '64Gi' } },
    },
    device: { count: 4, selectors: [{ cel: 'device.driver == "gpu.amd.com"' }] },
    notes: [
      'deployment ml/chat: its model is at hf://Qwen/Qwen3-8B, which KServe mounts at /mnt/models: use a ModelCache, or name the repository',
      REMINDER,
    ],
  });
});

test('values of variables, which may be secrets, and what else is left out are named', () => {
  const container = { env: [{ name: 'KEY', value: 'SECRET' }], volumeMounts: [] };
  const { notes } = engineOf({ model: QWEN, scaling: {}, ...main(container, { tolerations: [] }) });
  expect(notes).toContain(
    'deployment ml/chat: left out: variables KEY; container fields volumeMounts; pod fields tolerations; fields scaling',
  );
  expect(drafted({ services: [service('chat', { model: QWEN, ...main(container) })] }).text).not.toContain('SECRET');
});

test.each(['worker', 'prefill'])('a service with %s is named, and not drafted', (field) => {
  expect(draft(service('big', { model: QWEN, [field]: {} }))).toEqual({
    documents: [],
    notes: [`deployment ml/big: not drafted, because it has '${field}': declare it by hand`],
  });
});

test('a service whose draft would not load is named with what is wrong', () => {
  const { documents, notes } = draft(service('chat', { model: QWEN, replicas: -1 }));
  expect(documents).toEqual([]);
  expect(notes).toEqual([expect.stringMatching(/^deployment ml\/chat: not drafted: /)]);
});

test('services that Fleetwright applied are not drafted again, and the others are sorted', () => {
  const own = service('own', { model: QWEN }, { 'app.kubernetes.io/managed-by': 'fleetwright' });
  const { documents } = draft(own, service('b', { model: QWEN }), service('a', { model: QWEN }));
  expect(documents.map(({ metadata }) => (metadata as { name: string }).name)).toEqual(['a', 'b']);
});
