import { aDeployment, type Doc } from '../../api/build';
import { gangWith, pick, pods, withContainer } from '../build';

const USER_ENV = [
  { name: 'A', value: '1' },
  { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } },
  { name: 'C', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
  { name: 'D' },
];

const BOOTSTRAP = [
  { name: 'FLEETWRIGHT_LEADER_ADDRESS', value: '$(LWS_LEADER_ADDRESS)' },
  { name: 'FLEETWRIGHT_RANK', value: '$(LWS_WORKER_INDEX)' },
  { name: 'FLEETWRIGHT_GROUP_SIZE', value: '$(LWS_GROUP_SIZE)' },
];

const ALIAS_BOOTSTRAP = [
  { name: 'MODELPLANE_LEADER_ADDRESS', value: '$(LWS_LEADER_ADDRESS)' },
  { name: 'MODELPLANE_RANK', value: '$(LWS_WORKER_INDEX)' },
];

const CACHED = { cache: 'weights' };
const INJECTED = '--model=/mnt/models';

const check = { httpGet: { path: '/health', port: 'http' }, periodSeconds: 10, timeoutSeconds: 5 };

interface Case {
  deployment: Parameters<typeof pods>[0];
  role: 'Standalone' | 'Leader' | 'Worker';
  /** Fields of the container. Undefined: the field is absent. */
  want: Doc;
}

describe('the container of an engine', () => {
  const cases: Record<string, Case> = {
    'has what the user wrote, and nothing in place of what they left out': {
      deployment: withContainer({}),
      role: 'Standalone',
      want: { name: 'engine', image: 'vllm', command: undefined, args: undefined, env: undefined },
    },
    'keeps command, arguments and variables in their order': {
      deployment: withContainer({ command: ['sh', '-c'], args: ['b', 'a'], env: USER_ENV }),
      role: 'Standalone',
      want: { command: ['sh', '-c'], args: ['b', 'a'], env: USER_ENV },
    },
    'keeps an empty command and empty arguments': {
      deployment: withContainer({ command: [], args: [] }),
      role: 'Standalone',
      want: { command: [], args: [] },
    },
    'of a pod alone serves': {
      deployment: withContainer({}),
      role: 'Standalone',
      want: {
        ports: [{ name: 'http', containerPort: 8000 }],
        startupProbe: { ...check, failureThreshold: 360 },
        readinessProbe: { ...check, failureThreshold: 3 },
      },
    },
    'of a leader serves': {
      deployment: gangWith({}),
      role: 'Leader',
      want: {
        ports: [{ name: 'http', containerPort: 8000 }],
        startupProbe: { ...check, failureThreshold: 360 },
        readinessProbe: { ...check, failureThreshold: 3 },
      },
    },
    'of a worker does not serve': {
      deployment: gangWith({}),
      role: 'Worker',
      want: { ports: undefined, startupProbe: undefined, readinessProbe: undefined },
    },
    'is never killed for being slow': {
      deployment: withContainer({}),
      role: 'Standalone',
      want: { livenessProbe: undefined },
    },
    'takes the devices of the pod, whatever the number of requests': {
      deployment: aDeployment('ml/qwen3', {
        engines: [{ name: 'main', members: [{ ...claiming('gpu', 'nic') }] }],
      }),
      role: 'Standalone',
      want: { resources: { claims: [{ name: 'devices' }] } },
    },
    'may not gain privileges': {
      deployment: withContainer({}),
      role: 'Standalone',
      want: { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
    },
    'of a gang learns about its group before its own variables': {
      deployment: gangWith({ env: USER_ENV }),
      role: 'Leader',
      want: { env: [...BOOTSTRAP, ...USER_ENV] },
    },
    'of a worker learns the same': {
      deployment: gangWith({}),
      role: 'Worker',
      want: { env: BOOTSTRAP },
    },
    'of a gang of the alias group also has the names that its arguments use': {
      deployment: gangWith({}, { group: 'modelplane.ai' }),
      role: 'Worker',
      want: { env: [...BOOTSTRAP, ...ALIAS_BOOTSTRAP] },
    },
    'of a pod alone needs no bootstrap in either group': {
      deployment: withContainer({ env: [{ name: 'A', value: '1' }] }, { group: 'modelplane.ai' }),
      role: 'Standalone',
      want: { env: [{ name: 'A', value: '1' }] },
    },
    "keeps the user's variable of a name that is ours": {
      deployment: gangWith({ env: [{ name: 'FLEETWRIGHT_RANK', value: '7' }] }),
      role: 'Leader',
      want: { env: [BOOTSTRAP[0], BOOTSTRAP[2], { name: 'FLEETWRIGHT_RANK', value: '7' }] },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { deployment, role, want }) => {
    expect(pick(pods(deployment)[role]!.spec.containers[0], want)).toEqual(want);
  });
});

describe('the model argument', () => {
  const cases: Record<string, Case> = {
    'is added after the others where there is a cache': {
      deployment: withContainer({ args: ['--port=8000'] }, CACHED),
      role: 'Standalone',
      want: { args: ['--port=8000', INJECTED] },
    },
    'is added where there are no arguments': {
      deployment: withContainer({}, CACHED),
      role: 'Standalone',
      want: { args: [INJECTED] },
    },
    'is added where the command is empty, which is none': {
      deployment: withContainer({ command: [] }, CACHED),
      role: 'Standalone',
      want: { args: [INJECTED] },
    },
    'is added for a leader': { deployment: gangWith({}, CACHED), role: 'Leader', want: { args: [INJECTED] } },
    'is added for a worker, which loads the same weights': {
      deployment: gangWith({}, CACHED),
      role: 'Worker',
      want: { args: [INJECTED] },
    },
    'is not added without a cache': {
      deployment: withContainer({ args: ['--port=8000'] }),
      role: 'Standalone',
      want: { args: ['--port=8000'] },
    },
    'is added to a command that starts the engine': {
      deployment: withContainer({ command: ['vllm', 'serve'], args: ['--port=8000'] }, CACHED),
      role: 'Standalone',
      want: { args: ['--port=8000', INJECTED] },
    },
    'is not added to a command of which no one knows how it reads arguments': {
      deployment: withContainer({ command: ['/start.sh'] }, CACHED),
      role: 'Standalone',
      want: { args: undefined },
    },
    'is not added to a script': {
      deployment: withContainer({ command: ['sh', '-c'], args: ['vllm serve'] }, CACHED),
      role: 'Standalone',
      want: { args: ['vllm serve'] },
    },
    'is not added where the user names a model by its place': {
      deployment: withContainer({ args: ['Qwen/Qwen3-8B', '--port=8000'] }, CACHED),
      role: 'Standalone',
      want: { args: ['Qwen/Qwen3-8B', '--port=8000'] },
    },
    'is not added where a file may name a model': {
      deployment: withContainer({ args: ['--config=/etc/vllm.yaml'] }, CACHED),
      role: 'Standalone',
      want: { args: ['--config=/etc/vllm.yaml'] },
    },
    'is written as the runtime has it': {
      deployment: withContainer(
        { image: 'lmsysorg/sglang', command: ['python3', '-m', 'sglang.launch_server'] },
        CACHED,
      ),
      role: 'Standalone',
      want: { args: ['--model-path=/mnt/models', '--host=0.0.0.0', '--enable-metrics'] },
    },
    'is in its place where the runtime has no flag for it': {
      deployment: withContainer({ command: ['trtllm-serve'], args: ['--tp_size=8'] }, CACHED),
      role: 'Standalone',
      want: { args: ['--tp_size=8', '/mnt/models', '--host=0.0.0.0'] },
    },
    'is a variable where the runtime reads one': {
      deployment: withContainer({ image: 'nvcr.io/nim/nvidia/llm-nim:2.0.1' }, CACHED),
      role: 'Standalone',
      want: { args: undefined, env: [{ name: 'NIM_MODEL_PATH', value: '/mnt/models' }] },
    },
    'is not added where the runtime serves no directory': {
      deployment: withContainer({ image: 'ollama/ollama' }, CACHED),
      role: 'Standalone',
      want: { args: undefined },
    },
    'is not added where the runtime serves a file': {
      deployment: withContainer({ image: 'ghcr.io/ggml-org/llama.cpp:server-cuda' }, CACHED),
      role: 'Standalone',
      want: { args: ['--metrics'] },
    },
    'is not added where nothing reports the runtime': {
      deployment: withContainer({ image: 'house/llm' }, CACHED),
      role: 'Standalone',
      want: { args: undefined },
    },
    'is added under the alias group where nothing reports the runtime': {
      deployment: withContainer({ image: 'house/llm' }, { ...CACHED, group: 'modelplane.ai' }),
      role: 'Standalone',
      want: { args: [INJECTED] },
    },
    'is not added where the user names a model': {
      deployment: withContainer({ args: ['--model=Qwen/Qwen3-8B'] }, CACHED),
      role: 'Standalone',
      want: { args: ['--model=Qwen/Qwen3-8B'] },
    },
    'is not added where the user names a model in two arguments': {
      deployment: withContainer({ args: ['--model', 'Qwen/Qwen3-8B'] }, CACHED),
      role: 'Standalone',
      want: { args: ['--model', 'Qwen/Qwen3-8B'] },
    },
    'is added next to an argument that only begins like it': {
      deployment: withContainer({ args: ['--model-impl=vllm'] }, CACHED),
      role: 'Standalone',
      want: { args: ['--model-impl=vllm', INJECTED] },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { deployment, role, want }) => {
    expect(pick(pods(deployment)[role]!.spec.containers[0], want)).toEqual(want);
  });
});

function claiming(...names: string[]): Doc {
  const devices = names.map((name) => ({ name, selectors: [{ cel: 'true' }] }));
  return {
    nodeSelector: { devices },
    template: { spec: { containers: [{ name: 'engine', image: 'vllm' }] } },
  };
}
