import { parseAllDocuments } from 'yaml';
import { readFileSync } from 'node:fs';
import type { ModelDeployment } from '../../../src/api/model-deployment';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { aCluster, aDeployment, aMember, type Doc } from '../../api/build';
import { gangWith, manifestsOf, ofKind, withContainer } from '../build';

function watched(monitoring: Doc = {}) {
  return aCluster('gke', { source: 'GKE', pools: { h100: 2 }, monitoring });
}

const SGLANG = {
  image: 'lmsysorg/sglang:v0.5.9',
  command: ['python3', '-m', 'sglang.launch_server'],
  args: ['--model-path=a/b'],
};
const VLLM = { image: 'vllm/vllm-openai:v0.23.0', args: ['a/b'] };

function rendered(deployment: ModelDeployment, monitoring: Doc = {}): Manifest[] {
  return manifestsOf(deployment, { cluster: watched(monitoring) });
}

function monitorsOf(deployment: ModelDeployment, monitoring: Doc = {}): Manifest[] {
  return ofKind(rendered(deployment, monitoring), 'PodMonitor');
}

interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

function rulesOf(deployment: ModelDeployment, monitoring: Doc = {}): Rule[] {
  return ofKind(rendered(deployment, monitoring), 'PrometheusRule').flatMap(({ spec }) =>
    (spec as unknown as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules),
  );
}

function ruleOf(deployment: ModelDeployment, name: string, monitoring: Doc = {}): Rule | undefined {
  return rulesOf(deployment, monitoring).find(({ record, alert }) => record === name || alert === name);
}

describe('a cluster', () => {
  test('without monitoring has no objects of it', () => {
    const kinds = manifestsOf(withContainer(VLLM)).map(({ kind }) => kind);
    expect(kinds).not.toContain('PodMonitor');
    expect(kinds).not.toContain('PrometheusRule');
  });

  const parts: Record<string, { monitoring: Doc; want: string[] }> = {
    'has monitors and rules by default': { monitoring: {}, want: ['PodMonitor', 'PrometheusRule', 'PrometheusRule'] },
    'can have monitors only': { monitoring: { rules: false }, want: ['PodMonitor'] },
    'can have rules only': { monitoring: { podMonitors: false }, want: ['PrometheusRule', 'PrometheusRule'] },
    'can have dashboards only': {
      monitoring: { podMonitors: false, rules: false, dashboards: {} },
      want: ['ConfigMap', 'ConfigMap'],
    },
  };
  test.each(Object.entries(parts))('%s', (_, { monitoring, want }) => {
    const kinds = new Set(['PodMonitor', 'PrometheusRule', 'ConfigMap']);
    const found = rendered(withContainer(VLLM), monitoring).filter(({ kind }) => kinds.has(kind));
    expect(found.map(({ kind }) => kind).sort()).toEqual(want);
  });

  test('lets the namespace of its Prometheus reach the metrics', () => {
    const policies = ofKind(rendered(withContainer(VLLM), { prometheus: { namespace: 'observe' } }), 'NetworkPolicy');
    expect(JSON.stringify(policies)).toContain('"observe"');
  });
});

describe('a PodMonitor', () => {
  test('selects serving pods of one engine, by number of the port, and names series by our labels', () => {
    const [monitor, ...others] = monitorsOf(withContainer(SGLANG), {
      prometheus: { interval: '15s', labels: { release: 'kps' } },
    });
    expect(others).toEqual([]);
    expect(monitor?.metadata).toMatchObject({ namespace: 'ml', labels: { release: 'kps' } });
    expect(monitor?.spec).toEqual({
      selector: {
        matchLabels: {
          'fleetwright.dev/deployment': 'qwen3',
          'fleetwright.dev/engine': 'main',
          'fleetwright.dev/serving': 'true',
        },
      },
      podMetricsEndpoints: [
        {
          portNumber: 30000,
          path: '/metrics',
          interval: '15s',
          relabelings: ['cluster', 'deployment', 'replica_index', 'engine'].map((targetLabel) => ({
            sourceLabels: [`__meta_kubernetes_pod_label_fleetwright_dev_${targetLabel}`],
            targetLabel,
          })),
        },
      ],
    });
  });

  test('is not made for an engine without metrics', () => {
    expect(monitorsOf(withContainer({ image: 'ollama/ollama:0.9' }))).toEqual([]);
  });

  test('of a gang selects leaders, because workers do not serve', () => {
    const [monitor] = monitorsOf(gangWith(VLLM));
    expect(monitor?.spec).toMatchObject({ selector: { matchLabels: { 'fleetwright.dev/serving': 'true' } } });
  });
});

describe('a recording rule', () => {
  const names: Record<string, { container: Doc; series: string; want: string }> = {
    'hides the names of vLLM': {
      container: VLLM,
      series: 'fleetwright:requests_waiting',
      want: 'sum by (cluster, namespace, deployment, replica_index, engine) (vllm:num_requests_waiting{namespace="ml",deployment="qwen3",engine="main"})',
    },
    'hides the names of SGLang': {
      container: SGLANG,
      series: 'fleetwright:requests_waiting',
      want: 'sum by (cluster, namespace, deployment, replica_index, engine) (sglang:num_queue_reqs{namespace="ml",deployment="qwen3",engine="main"})',
    },
    'counts pods of a Deployment that are ready': {
      container: VLLM,
      series: 'fleetwright:copies_ready',
      want: 'sum(kube_deployment_status_replicas_ready{namespace="ml",deployment="qwen3-0-main-40d02"}) or sum(up{namespace="ml",deployment="qwen3",engine="main"}) or vector(0)',
    },
  };
  test.each(Object.entries(names))('%s', (_, { container, series, want }) => {
    expect(ruleOf(withContainer(container), series)?.expr.replace(/main-[0-9a-f]{5}/, 'main-40d02')).toBe(want);
  });

  test('counts the leaders of a gang, which are a StatefulSet', () => {
    const rule = ruleOf(gangWith(VLLM), 'fleetwright:copies_ready');
    expect(rule?.expr).toContain('kube_statefulset_status_replicas_ready{');
  });

  test('has the planned number of copies', () => {
    const deployment = aDeployment('ml/qwen3', { engines: [{ name: 'main', copies: 3, members: [aMember()] }] });
    expect(ruleOf(deployment, 'fleetwright:copies_planned')?.expr).toBe('vector(3)');
  });

  test('is not made of a metric that an engine lacks', () => {
    const llama = withContainer({ image: 'ghcr.io/ggml-org/llama.cpp:server', args: ['--hf-repo', 'a/b'] });
    const names = rulesOf(llama).flatMap(({ record = [] }) => record);
    expect(names).toContain('fleetwright:requests_running');
    expect(names.filter((name) => /ttft|kv_use/.test(name))).toEqual([]);
  });
});

describe('an alert', () => {
  test('waits for as long as an engine may load', () => {
    const engine = { name: 'main', startup: { budget: '30m' }, members: [aMember()] };
    const rule = ruleOf(aDeployment('ml/qwen3', { engines: [engine] }), 'FleetwrightEngineDown');
    expect(rule?.for).toBe('35m');
  });

  test('has labels and pages of the cluster', () => {
    const alerts = { labels: { team: 'a' }, runbooks: 'https://wiki.example.com/runbooks' };
    const rule = ruleOf(withContainer(VLLM), 'FleetwrightEngineDown', { alerts });
    expect(rule?.labels).toEqual({ team: 'a', severity: 'critical' });
    expect(rule?.annotations?.['runbook_url']).toBe('https://wiki.example.com/runbooks/engine-down');
  });

  test('can be left out, with series still recorded', () => {
    const rules = rulesOf(withContainer(VLLM), { alerts: { enabled: false } });
    expect(rules.filter(({ alert }) => alert !== undefined)).toEqual([]);
    expect(rules.length).toBeGreaterThan(0);
  });
});

function maps(monitoring: Doc): Manifest[] {
  return ofKind(rendered(withContainer(VLLM), monitoring), 'ConfigMap');
}

describe('a dashboard', () => {
  test('has the label of the sidecar, next to Prometheus', () => {
    for (const { metadata } of maps({ dashboards: {} })) {
      expect(metadata.namespace).toBe('monitoring');
      expect(metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    }
  });

  test('has the label, folder and namespace that the cluster names', () => {
    const dashboards = { labels: { boards: 'yes' }, namespace: 'grafana', annotations: { grafana_folder: 'LLM' } };
    const [first] = maps({ dashboards });
    expect(first?.metadata).toMatchObject({ namespace: 'grafana', annotations: { grafana_folder: 'LLM' } });
    expect(first?.metadata.labels).toMatchObject({ boards: 'yes' });
    expect(first?.metadata.labels).not.toHaveProperty('grafana_dashboard');
  });

  test('asks for recorded series only, and for those of the DCGM exporter', () => {
    const file = readFileSync('examples/monitoring/expected/us-central/03_monitoring.yaml', 'utf8');
    const objects = parseAllDocuments(file).map((document) => document.toJS() as Doc);
    const recorded = new Set(
      objects.flatMap(({ kind, spec }) =>
        kind === 'PrometheusRule'
          ? (spec as unknown as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) =>
              rules.flatMap(({ record = [] }) => record),
            )
          : [],
      ),
    );
    const asked = objects
      .filter(({ kind }) => kind === 'ConfigMap')
      .flatMap(({ data }) => Object.values(data as Record<string, string>))
      .flatMap((text) => text.match(/fleetwright:[a-z0-9_:]+/g) ?? []);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((series) => !recorded.has(series))).toEqual([]);
  });
});
