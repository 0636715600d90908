import { aDeployment, aMember, anEngine, type Doc } from '../api/build';
import { manifestsOf, ofKind, type Pod, pods } from './build';

const TRANSFER = '--kv-transfer-config={"kv_connector":"NixlConnector","kv_role":"kv_both"}';
const NIXL = [
  { name: 'VLLM_NIXL_SIDE_CHANNEL_HOST', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
  { name: 'VLLM_NIXL_SIDE_CHANNEL_PORT', value: '5557' },
];

/** The pods of the engine of a pair that the row describes; the other is one pod of vLLM. */
function pairOf(phase: 'Prefill' | 'Decode', container: Doc = {}, engine: Doc = {}): Record<string, Pod> {
  const containers = [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['m'], ...container }];
  const one = { name: 'one', phase, members: [aMember({ template: { spec: { containers } } })], ...engine };
  const other = anEngine('another', { phase: phase === 'Prefill' ? 'Decode' : 'Prefill' });
  const deployment = aDeployment('ml/pair', { serving: { mode: 'PrefillDecode' }, engines: [other, one] });
  return pods(deployment);
}

/** The pod alone of such an engine: builders find the last of a role. */
function podOf(phase: 'Prefill' | 'Decode', container: Doc = {}): Pod {
  return pairOf(phase, container).Standalone!;
}

describe('an engine that reads prompts', () => {
  test('hands them over by NIXL, on the port of every engine, without a sidecar', () => {
    const { spec } = podOf('Prefill');
    expect(spec.containers[0]).toMatchObject({
      args: ['m', TRANSFER],
      env: NIXL,
      ports: [{ name: 'http', containerPort: 8000 }],
    });
    expect(spec).not.toHaveProperty('initContainers');
  });

  test('says so to the endpoint picker', () => {
    expect(podOf('Prefill').metadata.labels).toMatchObject({
      'llm-d.ai/role': 'prefill',
      'llm-d.ai/inference-serving': 'true',
    });
  });

  test('serves on the port of the pair also where its runtime has another', () => {
    const sglang = { image: 'lmsysorg/sglang', command: ['python3', '-m', 'sglang.launch_server'], args: [] };
    expect(podOf('Prefill', sglang).spec.containers[0]).toMatchObject({
      args: [
        '--host=0.0.0.0',
        '--port=8000',
        '--enable-metrics',
        '--disaggregation-mode=prefill',
        '--disaggregation-transfer-backend=nixl',
      ],
      ports: [{ name: 'http', containerPort: 8000 }],
    });
  });
});

describe('an engine that writes answers', () => {
  test('listens behind the sidecar', () => {
    const [engine] = podOf('Decode').spec.containers;
    expect(engine).toMatchObject({
      args: ['m', '--port=8001', TRANSFER],
      env: NIXL,
      ports: [{ name: 'engine', containerPort: 8001 }],
      startupProbe: { httpGet: { path: '/health', port: 'engine' } },
      readinessProbe: { httpGet: { path: '/health', port: 'engine' } },
    });
    expect(JSON.stringify(engine['lifecycle'])).toContain('localhost:8001/metrics');
  });

  test('has its proxy sidecar, which outlives it, and needs no rights', () => {
    expect(podOf('Decode').spec['initContainers']).toEqual([
      {
        name: 'routing-sidecar',
        image: 'ghcr.io/llm-d/llm-d-router-disagg-sidecar:v0.9.0',
        restartPolicy: 'Always',
        args: ['--port=8000', '--vllm-port=8001', '--kv-connector=nixlv2', '--secure-proxy=false'],
        ports: [{ name: 'http', containerPort: 8000 }],
        readinessProbe: {
          httpGet: { path: '/health', port: 'http' },
          periodSeconds: 10,
          timeoutSeconds: 5,
          failureThreshold: 3,
        },
        resources: { requests: { cpu: '500m', memory: '256Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          runAsNonRoot: true,
          runAsUser: 65532,
        },
      },
    ]);
  });

  const ports: Record<string, { container: Doc; want: number }> = {
    'its arguments': { container: { args: ['m', '--port=9001'] }, want: 9001 },
    'its script': { container: { command: ['sh', '-c'], args: ['vllm serve m --port 9001'] }, want: 9001 },
  };
  test.each(Object.entries(ports))('is found by the sidecar on the port of %s', (_, { container, want }) => {
    const { spec } = podOf('Decode', container);
    expect(spec.containers[0]['ports']).toEqual([{ name: 'engine', containerPort: want }]);
    expect((spec['initContainers'] as Doc[])[0]!['args']).toContain(`--vllm-port=${want}`);
  });

  test('keeps what the user says about the transfer', () => {
    const args = ['m', '--port=8001', '--kv-transfer-config={}'];
    const env = [{ name: 'VLLM_NIXL_SIDE_CHANNEL_PORT', value: '6000' }];
    expect(podOf('Decode', { args, env }).spec.containers[0]).toMatchObject({ args, env: [NIXL[0], env[0]] });
  });

  test('in SGLang has a sidecar that speaks its way', () => {
    const { spec } = podOf('Decode', {
      image: 'lmsysorg/sglang',
      command: ['python3', '-m', 'sglang.launch_server'],
    });
    expect((spec['initContainers'] as Doc[])[0]!['args']).toContain('--kv-connector=sglang');
    expect(spec.containers[0]['args']).toContain('--disaggregation-mode=decode');
  });
});

test('every rank of a gang in a pair has what the transfer needs, and only the leader the sidecar and the labels', () => {
  const gang = anEngine('one', { workers: 1 });
  const { Leader, Worker } = pairOf('Decode', {}, { ...gang, phase: 'Decode' });
  for (const { spec } of [Leader!, Worker!]) {
    expect(spec.containers[0]['env']).toEqual(expect.arrayContaining(NIXL));
  }
  expect(Leader!.spec).toHaveProperty('initContainers');
  expect(Worker!.spec).not.toHaveProperty('initContainers');
  expect(Worker!.metadata.labels).not.toHaveProperty('llm-d.ai/role');
});

test('the Service of a pair reaches the engines that write answers', () => {
  const engines = [anEngine('p', { phase: 'Prefill' }), anEngine('d', { phase: 'Decode' })];
  const pair = aDeployment('ml/pair', { serving: { mode: 'PrefillDecode' }, engines });
  const pods = ofKind(manifestsOf(pair), 'Service').find(({ spec }) => spec!['clusterIP'] === 'None');
  expect(pods!.spec!['selector']).toMatchObject({ 'llm-d.ai/role': 'decode' });
});
