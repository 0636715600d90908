import { describeEngines } from '../../../src/analyze/explain/engine-views';
import { cacheReferencesOf } from '../../../src/api/cache/cache-references';
import type { ModelDeployment } from '../../../src/api/model-deployment';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { formatEngines } from '../../../src/report/explain/engine-explanation';
import { aCache, aDeployment, aMember, anEngine, type Doc } from '../../api/build';
import { EMPTY, fleetOf, gangWith, withContainer } from '../../render/build';

const ROOT = '    runs as root, because the files of the image of vLLM belong to root';
const UNKNOWN = '    runs as the user of its image, which may be root. If it is not, set runAsNonRoot';

const cases: Record<string, { deployment: ModelDeployment; want: string[] }> = {
  'an engine by its image': {
    deployment: withContainer({ image: 'vllm/vllm-openai:v0.23.0', args: ['m'] }),
    want: ['  engine main: vLLM, by its image vllm/vllm-openai:v0.23.0; port 8000, ready when /health succeeds', ROOT],
  },
  'an engine by its command, with what is added to it': {
    deployment: withContainer(
      { image: 'house/llm', command: ['python3', '-m', 'sglang.launch_server'] },
      { cache: 'w' },
    ),
    want: [
      "  engine main: SGLang, by its command 'sglang.launch_server'; port 30000, ready when /health succeeds",
      UNKNOWN,
      '    added for Standalone: --model-path=/mnt/models --host=0.0.0.0 --enable-metrics',
    ],
  },
  'the bounds of copies, and the signals between them': {
    deployment: aDeployment('ml/a', {
      engines: [
        anEngine('main', {
          runtime: 'vLLM',
          copies: { min: 1, max: 4 },
          scaling: { on: [{ queue: 4 }, { prometheus: { query: 'sum(q{$(labels)})', threshold: 2 } }] },
        }),
      ],
    }),
    want: [
      '  engine main: vLLM, as declared; port 8000, ready when /health succeeds; 1 to 4 copies by queue 4, a query of Prometheus at 2',
      ROOT,
    ],
  },
  'an engine of a pair, with its variables by name': {
    deployment: aDeployment('ml/a', {
      serving: { mode: 'PrefillDecode' },
      engines: [anEngine('p', { phase: 'Prefill', runtime: 'vLLM' }), anEngine('d', { phase: 'Decode' })],
    }),
    want: [
      '  engine p: vLLM, as declared; port 8000, ready when /health succeeds',
      ROOT,
      '    added for Standalone: --kv-transfer-config={"kv_connector":"NixlConnector","kv_role":"kv_both"} $VLLM_NIXL_SIDE_CHANNEL_HOST $VLLM_NIXL_SIDE_CHANNEL_PORT',
      '  engine d: vLLM, by its image vllm/vllm-openai:v0.11.0; port 8000, ready when /health succeeds',
      ROOT,
      '    added for Standalone: --port=8001 --kv-transfer-config={"kv_connector":"NixlConnector","kv_role":"kv_both"} $VLLM_NIXL_SIDE_CHANNEL_HOST $VLLM_NIXL_SIDE_CHANNEL_PORT',
    ],
  },
  'an engine that nothing distinguishes': {
    deployment: withContainer({ image: 'house/llm' }),
    want: [
      '  engine main: Custom, because the runtime of image house/llm is unknown; port 8000, not checked for readiness',
      UNKNOWN,
    ],
  },
};

test.each(Object.entries(cases))('explain shows %s', (_, { deployment, want }) => {
  const fleet = fleetOf(...cacheReferencesOf(deployment).map(({ name }) => aCache(`ml/${name}`)));
  expect(terminalLines(formatEngines(describeEngines(deployment, fleet)))).toEqual(want);
});

describe('explain says whom an engine runs as:', () => {
  const llama = 'ghcr.io/ggml-org/llama.cpp:server';
  const users: Record<string, { container: Doc; want: string }> = {
    'the user of its image': {
      container: { image: 'nvcr.io/nim/meta/llama:1' },
      want: '    runs as user 1000, as the image of NVIDIA NIM does',
    },
    'root, which its image could do without': {
      container: { image: llama },
      want: '    runs as root, as the image of llama.cpp does. For another user, set runAsUser and mount a writable folder',
    },
    'whom its user says': {
      container: { image: llama, securityContext: { runAsUser: 2000 } },
      want: '    runs as user 2000, as declared',
    },
    'root, if its user says so': {
      container: { image: 'nvcr.io/nim/meta/llama:1', securityContext: { runAsUser: 0 } },
      want: '    runs as root, as declared',
    },
    'not root, if its user says no more': {
      container: { image: llama, securityContext: { runAsNonRoot: true } },
      want: '    runs as the user of its image, never as root, as declared',
    },
  };
  test.each(Object.entries(users))('%s', (_, { container, want }) => {
    const lines = terminalLines(formatEngines(describeEngines(withContainer(container), EMPTY)));
    expect(lines.filter((line) => line.includes('runs as'))).toEqual([want]);
  });

  test('the user of the whole pod, and each member apart where they differ', () => {
    const [leader, worker] = ['Leader', 'Worker'].map((role) =>
      aMember({
        role,
        template: {
          spec: {
            containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0' }],
            ...(role === 'Worker' && { securityContext: { runAsUser: 2000 } }),
          },
        },
      }),
    );
    const gang = aDeployment('ml/q', { engines: [{ name: 'main', members: [leader, worker] }] });
    const lines = terminalLines(formatEngines(describeEngines(gang, EMPTY)));
    expect(lines.filter((line) => line.includes('runs as'))).toEqual([
      ROOT.replace('runs', 'Leader runs'),
      '    Worker runs as user 2000, as declared',
    ]);
  });

  test('members that are alike together', () => {
    const [{ users }] = describeEngines(gangWith({ image: 'vllm' }), EMPTY) as [ReturnType<typeof describeEngines>[0]];
    expect(users).toEqual([{ roles: ['Leader', 'Worker'], user: 0, by: 'image', needed: true }]);
  });
});

describe('the block size for the endpoint picker', () => {
  const sizes: Record<string, { container: object; want: number | undefined }> = {
    'is that of the runtime': { container: { image: 'vllm', args: ['m'] }, want: 16 },
    'is that of the arguments': { container: { image: 'vllm', args: ['m', '--block-size', '32'] }, want: 32 },
    'is that of a script, however it is quoted': {
      container: {
        image: 'lmsysorg/sglang',
        command: ['bash', '-c'],
        args: ['set -e\nexec python3 -m sglang.launch_server --model-path m \\\n  --page-size "32" --host 0.0.0.0'],
      },
      want: 32,
    },
    'is that of the runtime where only the container knows it': {
      container: { image: 'vllm', command: ['sh', '-c'], args: ['vllm serve m --block-size $B'] },
      want: 16,
    },
    'is none where the runtime has no such cache': { container: { image: 'ollama/ollama' }, want: undefined },
  };
  test.each(Object.entries(sizes))('%s', (_, { container, want }) => {
    expect(describeEngines(withContainer(container as Record<string, unknown>), EMPTY)[0]!.blockSize).toBe(want);
  });
});

test('what is added is reported for each member', () => {
  const [{ added }] = describeEngines(gangWith({ image: 'vllm' }, { cache: 'w' }), fleetOf(aCache('ml/w'))) as [
    ReturnType<typeof describeEngines>[0],
  ];
  expect(added.map(({ role, args }) => [role, args])).toEqual([
    ['Leader', ['--model=/mnt/models']],
    ['Worker', ['--model=/mnt/models']],
  ]);
});
