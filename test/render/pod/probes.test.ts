import { renderCluster } from '../../../src/render/cluster';
import { aCache, aDeployment, aMember, anEngine, type Doc } from '../../api/build';
import { aReplica, fleetOf, GKE, manifestsOf, ofKind, pods, withContainer } from '../build';

/** The container of a pod alone, of an engine and deployment with these fields. */
function containerOf(container: Doc, { engine = {}, ...spec }: Doc & { engine?: Doc } = {}): Doc {
  const members = [aMember({ template: { spec: { containers: [{ name: 'engine', image: 'vllm', ...container }] } } })];
  const deployment = aDeployment('ml/qwen3', { engines: [{ name: 'main', members, ...engine }], ...spec });
  return pods(deployment).Standalone!.spec.containers[0];
}

const SGLANG = { image: 'lmsysorg/sglang', command: ['python3', '-m', 'sglang.launch_server'] };

interface Case {
  container?: Doc;
  spec?: Doc;
  want: { ports?: unknown; startup?: unknown; readiness?: unknown };
}

describe('an engine that serves', () => {
  const usual = { httpGet: { path: '/health', port: 'http' }, periodSeconds: 10, timeoutSeconds: 5 };
  const cases: Record<string, Case> = {
    'is asked as its runtime has it': {
      want: { startup: { ...usual, failureThreshold: 360 }, readiness: { ...usual, failureThreshold: 3 } },
    },
    'listens on the port of its runtime': {
      container: SGLANG,
      want: { ports: [{ name: 'http', containerPort: 30000 }] },
    },
    'listens on the port that its arguments say': {
      container: { args: ['Qwen/Qwen3', '--port', '9000'] },
      want: { ports: [{ name: 'http', containerPort: 9000 }] },
    },
    'listens on the port that its script says': {
      container: { command: ['sh', '-c'], args: ['exec vllm serve x --port=9000'] },
      want: { ports: [{ name: 'http', containerPort: 9000 }] },
    },
    'listens on the port of an address in a variable': {
      container: { image: 'ollama/ollama', env: [{ name: 'OLLAMA_HOST', value: '0.0.0.0:9000' }] },
      want: { ports: [{ name: 'http', containerPort: 9000 }] },
    },
    'listens on the port of its runtime where a variable has an address without one': {
      container: { image: 'ollama/ollama', env: [{ name: 'OLLAMA_HOST', value: '0.0.0.0' }] },
      want: { ports: [{ name: 'http', containerPort: 11434 }] },
    },
    'listens where its health check is, if nothing is known of its runtime': {
      container: { image: 'house/llm' },
      spec: { healthCheck: { path: '/ok', port: 9000 } },
      want: {
        ports: [{ name: 'http', containerPort: 9000 }],
        readiness: { ...usual, httpGet: { path: '/ok', port: 9000 }, failureThreshold: 3 },
      },
    },
    'has as long for an answer as its runtime takes': {
      container: SGLANG,
      want: { readiness: { ...usual, timeoutSeconds: 20, failureThreshold: 3 } },
    },
    'is asked as its deployment says, field by field': {
      spec: {
        healthCheck: {
          path: '/v1/models',
          port: 8001,
          interval: '20s',
          timeout: '3s',
          initialDelay: '1m',
          healthyThreshold: 2,
          unhealthyThreshold: 5,
        },
      },
      want: {
        startup: {
          httpGet: { path: '/v1/models', port: 8001 },
          periodSeconds: 20,
          timeoutSeconds: 3,
          initialDelaySeconds: 60,
          failureThreshold: 180,
        },
        readiness: {
          httpGet: { path: '/v1/models', port: 8001 },
          periodSeconds: 20,
          timeoutSeconds: 3,
          successThreshold: 2,
          failureThreshold: 5,
        },
      },
    },
    'keeps the rest of its runtime next to one field of its deployment': {
      spec: { healthCheck: { interval: '5s' } },
      want: { readiness: { ...usual, periodSeconds: 5, failureThreshold: 3 } },
    },
    'is not asked where its deployment says so': {
      spec: { healthCheck: { enabled: false } },
      want: { startup: undefined, readiness: undefined },
    },
    'is not asked where no one knows how': {
      container: { image: 'house/llm' },
      want: { startup: undefined, readiness: undefined },
    },
    'may load as long as its engine says': {
      spec: { engine: { startup: { budget: '2h' } } },
      want: { startup: { ...usual, failureThreshold: 720 } },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { container = {}, spec = {}, want }) => {
    const { ports, startupProbe: startup, readinessProbe: readiness } = containerOf(container, spec);
    expect({ ports, startup, readiness }).toMatchObject(want);
  });
});

describe('the time to load', () => {
  const sizes: Record<string, { sizeGiB: number; want: [startup: number, progress: number] }> = {
    'of a small model is mostly compilation': { sizeGiB: 15, want: [780, 3660] },
    'of a large model is mostly reading': { sizeGiB: 500, want: [5760, 13620] },
  };
  test.each(Object.entries(sizes))('%s', (_, { sizeGiB, want }) => {
    const cache = aCache('ml/weights', { sizeGiB });
    const replica = aReplica(withContainer({}, { cache: 'weights' }), { caches: [cache] });
    const [deployment] = ofKind(renderCluster(GKE, [replica], { fleet: fleetOf() }), 'Deployment');
    const spec = deployment!.spec as Doc & { template: { spec: { containers: [Doc] } } };
    const [{ startupProbe }] = spec.template.spec.containers;
    const { failureThreshold, periodSeconds } = startupProbe as Record<string, number>;
    expect([failureThreshold! * periodSeconds!, spec['progressDeadlineSeconds']]).toEqual(want);
  });

  test('of an engine is part of the deadline of its rollout', () => {
    const deployment = aDeployment('ml/a', { engines: [anEngine('main', { startup: { budget: '10m' } })] });
    expect(ofKind(manifestsOf(deployment), 'Deployment')[0]!.spec!['progressDeadlineSeconds']).toBe(2400);
  });
});

describe('before an engine is reported to end, its pod', () => {
  const cases: Record<string, { container?: Doc; engine?: Doc; want: unknown }> = {
    'waits until proxies know': { container: SGLANG, want: { preStop: { sleep: { seconds: 15 } } } },
    'waits no longer than half of its time': {
      container: SGLANG,
      engine: { drain: { grace: '20s' } },
      want: { preStop: { sleep: { seconds: 10 } } },
    },
    'does not wait where there is no time': {
      container: SGLANG,
      engine: { drain: { grace: '0s' } },
      want: undefined,
    },
    'waits for the requests of an engine that would cut them off': {
      container: { args: ['--port=9000'] },
      want: {
        preStop: {
          exec: {
            command: [
              'sh',
              '-c',
              `sleep 15; while curl -sf -m 5 "http://localhost:9000/metrics" | grep -qE '^vllm:num_requests_(running|waiting)[{].* [1-9]'; do sleep 2; done`,
            ],
          },
        },
      },
    },
    'waits for the requests of llama.cpp, which cuts them off too': {
      container: { image: 'ghcr.io/ggml-org/llama.cpp:server-cuda', args: ['-hf', 'a/b'] },
      want: {
        preStop: {
          exec: {
            command: [
              'sh',
              '-c',
              `sleep 15; while curl -sf -m 5 "http://localhost:8080/metrics" | grep -qE '^llamacpp:requests_(processing|deferred) [1-9]'; do sleep 2; done`,
            ],
          },
        },
      },
    },
  };
  test.each(Object.entries(cases))('%s', (_, { container = {}, engine = {}, want }) => {
    expect(containerOf(container, { engine })['lifecycle']).toEqual(want);
  });

  test('as a worker waits for the requests of its leader', () => {
    const gang = aDeployment('ml/qwen3', { engines: [anEngine('main', { workers: 1 })] });
    const [leader, worker] = ['Leader', 'Worker'].map((role) =>
      JSON.stringify(pods(gang)[role]!.spec.containers[0]['lifecycle']),
    );
    expect(leader).toContain('http://localhost:8000/metrics');
    expect(worker).toContain('http://$FLEETWRIGHT_LEADER_ADDRESS:8000/metrics');
  });
});
