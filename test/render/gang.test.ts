import { aDeployment, aMember, anEngine, type Doc } from '../api/build';
import { pods } from './build';

interface Gang {
  leader?: Doc;
  worker?: Doc;
  workers?: number;
  spec?: Doc;
}

/** The containers of a gang that asks for its bootstrap. */
function containers({ leader = {}, worker = {}, workers = 1, spec = {} }: Gang): {
  leader: Doc;
  worker: Doc;
} {
  const member = (role: string, fields: Doc): Doc =>
    aMember({
      role,
      ...(role === 'Worker' && { worker: { nodes: workers } }),
      template: { spec: { containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', ...fields }] } },
    });
  const members = [member('Leader', leader), member('Worker', worker)];
  const engine = { name: 'main', bootstrap: 'Auto', members };
  const { Leader, Worker } = pods(aDeployment('ml/qwen3', { engines: [engine], ...spec }));
  return { leader: Leader!.spec.containers[0], worker: Worker!.spec.containers[0] };
}

const MODEL = 'Qwen/Qwen3-Coder-480B-A35B-Instruct';
const FIND = (nodes: number) => [
  '--distributed-executor-backend=mp',
  `--nnodes=${nodes}`,
  '--node-rank=$(FLEETWRIGHT_RANK)',
  '--master-addr=$(FLEETWRIGHT_LEADER_ADDRESS)',
];
const SGLANG = { image: 'lmsysorg/sglang', command: ['python3', '-m', 'sglang.launch_server'] };
const LMDEPLOY = { image: 'openmmlab/lmdeploy', command: ['lmdeploy', 'serve', 'api_server'] };

describe('the nodes of a gang find each other', () => {
  const cases: Record<string, Gang & { want: { leader: unknown; worker: unknown } }> = {
    'by arguments that are added to those of the user': {
      leader: { args: [MODEL, '-tp=8'] },
      worker: { args: [MODEL, '-tp=8'] },
      want: { leader: [MODEL, '-tp=8', ...FIND(2)], worker: [MODEL, '-tp=8', ...FIND(2), '--headless'] },
    },
    'with the arguments of the leader where the worker has none': {
      leader: { args: [MODEL, '-tp=8'] },
      workers: 3,
      want: { leader: [MODEL, '-tp=8', ...FIND(4)], worker: [MODEL, '-tp=8', ...FIND(4), '--headless'] },
    },
    'as the user has it, where they say so': {
      leader: { args: [MODEL, '--nnodes=5', '--master_addr=10.0.0.1'] },
      worker: { args: [MODEL, '--node-rank=1', '--headless'] },
      want: {
        leader: [MODEL, '--nnodes=5', '--master_addr=10.0.0.1', FIND(2)[0], FIND(2)[2]],
        worker: [MODEL, '--node-rank=1', '--headless', FIND(2)[0], FIND(2)[1], FIND(2)[3]],
      },
    },
    'with the cache as the model of every rank': {
      leader: { args: ['-tp=8'] },
      spec: { cache: 'weights' },
      want: {
        leader: ['-tp=8', '--model=/mnt/models', ...FIND(2)],
        worker: ['-tp=8', '--model=/mnt/models', ...FIND(2), '--headless'],
      },
    },
    'in SGLang by the address of the first': {
      leader: { ...SGLANG, args: ['--model-path=x', '--tp=16'] },
      worker: { image: 'lmsysorg/sglang' },
      want: {
        leader: [
          '--model-path=x',
          '--tp=16',
          '--host=0.0.0.0',
          '--enable-metrics',
          '--nnodes=2',
          '--node-rank=$(FLEETWRIGHT_RANK)',
          '--dist-init-addr=$(FLEETWRIGHT_LEADER_ADDRESS):20000',
        ],
        worker: [
          '--model-path=x',
          '--tp=16',
          '--nnodes=2',
          '--node-rank=$(FLEETWRIGHT_RANK)',
          '--dist-init-addr=$(FLEETWRIGHT_LEADER_ADDRESS):20000',
        ],
      },
    },
    'in LMDeploy as in SGLang': {
      leader: { ...LMDEPLOY, args: ['x'] },
      worker: { image: 'openmmlab/lmdeploy' },
      want: {
        leader: [
          'x',
          '--nnodes=2',
          '--node-rank=$(FLEETWRIGHT_RANK)',
          '--dist-init-addr=$(FLEETWRIGHT_LEADER_ADDRESS):20000',
        ],
        worker: [
          'x',
          '--nnodes=2',
          '--node-rank=$(FLEETWRIGHT_RANK)',
          '--dist-init-addr=$(FLEETWRIGHT_LEADER_ADDRESS):20000',
        ],
      },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { want, ...gang }) => {
    const { leader, worker } = containers(gang);
    expect({ leader: leader['args'], worker: worker['args'] }).toEqual(want);
  });

  test('on the address of the pod, unless the user says otherwise', () => {
    const own = { env: [{ name: 'VLLM_HOST_IP', value: '10.0.0.1' }] };
    const { leader, worker } = containers({ leader: { args: [MODEL], ...own } });
    expect(hostIp(leader)).toEqual(own.env);
    expect(hostIp(worker)).toEqual([{ name: 'VLLM_HOST_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }]);
  });

  test('with the command of the leader where the worker has none', () => {
    const { worker } = containers({ leader: { command: ['vllm', 'serve'], args: [MODEL] } });
    expect(worker['command']).toEqual(['vllm', 'serve']);
  });

  test('through Ray where the user asks for it: the leader starts it, workers join once it answers', () => {
    const args = [MODEL, '--tensor-parallel-size=8', '--distributed-executor-backend=ray'];
    const { leader, worker } = containers({ leader: { args } });
    expect(leader).toMatchObject({
      command: ['sh', '-c', 'ray start --head --port=6379 && exec vllm serve "$@"', 'sh'],
      args,
    });
    const address = '"$FLEETWRIGHT_LEADER_ADDRESS:6379"';
    expect(worker['command']).toEqual([
      'sh',
      '-c',
      `until ray health-check --address ${address}; do sleep 5; done; exec ray start --block --address=${address}`,
      'sh',
    ]);
    expect(worker).not.toHaveProperty('args');
  });

  test('by nothing of ours where the user does not ask for it', () => {
    const { Leader, Worker } = pods(aDeployment('ml/a', { engines: [anEngine('main', { workers: 1 })] }));
    for (const { spec } of [Leader!, Worker!]) expect(spec.containers[0]['args']).toEqual(['Qwen/Qwen3-8B']);
  });
});

function hostIp({ env }: Doc): unknown[] {
  return (env as { name: string }[]).filter(({ name }) => name === 'VLLM_HOST_IP');
}
