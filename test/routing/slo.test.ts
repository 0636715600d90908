import type { Resource } from '../../src/api/kinds';
import { formatDiagnostic } from '../../src/base/diagnostic';
import { aCluster, type Doc } from '../api/build';
import { aDoor, aModel, aSite, aSplit, decided, TLS, to, wrong } from './build';

const WATCHED = { monitoring: {} };
const door = aDoor(['east']);

function engine(image: string, args: string[] = ['--model=a/b']): Doc {
  const container = { name: 'engine', image, args };
  const devices = [{ name: 'gpu', selectors: [{ cel: 'device.driver == "gpu.nvidia.com"' }] }];
  return { name: 'main', members: [{ nodeSelector: { devices }, template: { spec: { containers: [container] } } }] };
}

const VLLM = engine('vllm/vllm-openai:v0.23.0');

/** A fleet with one service and one deployment of an engine. */
function fleet({ slo, main = VLLM, site = WATCHED }: { slo: Doc; main?: Doc; site?: Doc }) {
  const model = aModel('ml/llama', { replicaLabels: { app: 'chat' }, engines: [main] });
  return [aSite('east', site), door, model, aSplit('ml/chat', [to({ app: 'chat' })], { slo })] as const;
}

const AT = 'ModelService ml/chat spec.slo';
const SUBJECT = 'which engine main of ModelDeployment ml/llama runs,';

const rows: Record<string, { given: Parameters<typeof fleet>[0]; want: string[] }> = {
  'a bound that is a bucket is fine': { given: { slo: { ttft: { p95: '500ms', p99: '2.5s' } } }, want: [] },
  'seconds and milliseconds are the same bound': { given: { slo: { ttft: { p95: '0.5s' } } }, want: [] },
  'a bound between two buckets names both': {
    given: { slo: { ttft: { p95: '600ms' } } },
    want: [
      `${AT}.ttft.p95: 600ms is not a bucket of vllm:time_to_first_token_seconds, so that vLLM, ${SUBJECT} does not count requests within it. Use 500ms or 750ms.`,
    ],
  },
  'a bound above all buckets names the last': {
    given: { slo: { interTokenLatency: { p90: '100s' } } },
    want: [expect.stringContaining('Use 80s.') as never],
  },
  'an engine without the metric is named': {
    given: {
      slo: { ttft: { p95: '500ms' } },
      main: engine('ghcr.io/ggml-org/llama.cpp:server-cuda', ['--hf-repo', 'a/b']),
    },
    want: [`${AT}.ttft.p95: llama.cpp, ${SUBJECT} has no metric for it. Remove ttft, or select other deployments.`],
  },
  'an SLO needs a cluster with rules': {
    given: { slo: { availability: 99.5 }, site: {} },
    want: [
      `${AT}: it needs rules of Prometheus, and no cluster has monitoring. Set 'monitoring: {}' on the clusters that Prometheus runs on, or remove slo.`,
    ],
  },
  'rules that are off are no rules': {
    given: { slo: { availability: 99.5 }, site: { monitoring: { rules: false } } },
    want: [expect.stringContaining('no cluster has monitoring') as never],
  },
};

describe('an SLO', () => {
  test.each(Object.entries(rows))('%s', (_, { given, want }) => {
    expect(wrong(...fleet(given))).toEqual(want);
  });

  test('availability needs a gateway', () => {
    const [site, , model, service] = fleet({ slo: { availability: 99.5 } });
    expect(wrong(site, model, service)).toEqual([
      `${AT}.availability: gateways count errors, and no gateway has routes for the service. Declare an InferenceGateway, or remove availability.`,
    ]);
  });

  describe('of a service without routes makes no rules, which is a warning that says what to declare', () => {
    const slo = { ttft: { p95: '500ms' } };
    const [site, gateway, model, service] = fleet({ slo });
    const bare = aCluster('east', { pools: { h100: 1 }, ...WATCHED });
    const WHY = 'the SLO makes no rules and no alerts, because the service has no routes';
    const alias = { ...bare, group: 'modelplane.ai' as const };
    const cases: Record<string, { given: Resource[]; want: string[] }> = {
      'a gateway': { given: [site, model, service], want: [`${AT}: ${WHY}. Declare an InferenceGateway.`] },
      'a gateway, and certificates of clusters': {
        given: [bare, model, service],
        want: [`${AT}: ${WHY}. Declare an InferenceGateway, and spec.gateway.tls of InferenceCluster east.`],
      },
      'certificates of clusters of modelplane.ai': {
        given: [alias, gateway, model, service],
        want: [
          `${AT}: ${WHY}. Set spec.gateway.tls to an issuer or a certificate, and their authority, on InferenceCluster east.`,
        ],
      },
      'nothing where it has routes': { given: [site, gateway, model, service], want: [] },
    };
    test.each(Object.entries(cases))('%s', (_, { given, want }) => {
      const found = decided(...given).plan.warnings.filter(({ code }) => code === 'unrouted-slo');
      expect(found.map(formatDiagnostic)).toEqual(want);
    });
  });

  test('requests on clusters without rules do not count, which is a warning', () => {
    const other = aCluster('west', {
      pools: { h100: 1 },
      gateway: { hostname: 'edge.west.example.com', tls: TLS },
    });
    const [site, gateway, model, service] = fleet({ slo: { ttft: { p95: '500ms' } } });
    const both = {
      ...model,
      spec: { ...model.spec, replicas: 2, placement: { ...model.spec.placement, policy: 'Spread' as const } },
    };
    const { plan } = decided(site, other, gateway, both, service);
    expect(plan.warnings.map(({ code, message }) => `${code}: ${message}`)).toContain(
      'unmeasured-requests: latencies of requests to InferenceCluster west do not count: nothing measures them',
    );
  });
});
