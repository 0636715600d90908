import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import type { ModelDeployment } from '../../../src/api/model-deployment';
import { assemble } from '../../../src/fleet/fleet';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { decide } from '../../../src/plan/decide';
import { dynamo } from '../../../src/render/dynamo/dynamo';
import { createRendererSelector } from '../../../src/render/renderers';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aClass, byPath, type Doc, MACHINES } from '../../api/build';
import { aReplica, manifestsOf, ofKind, pods, withContainer } from '../build';
import { type Schema, violations } from '../openapi';
import {
  aGang,
  aGraph,
  aWorker,
  aWorkerMember,
  type Component,
  componentsOf,
  dynamoCluster,
  GANG_GRAPH,
  GRAPH,
  graphOf,
  GRAPHS,
  mainOf,
  ON,
  PHASES,
} from './build';
import { daily } from '../../daily';

const shapeOf = (graph: Manifest) =>
  componentsOf(graph).map(({ name, type, replicas, multinode }) => [name, type, replicas, multinode?.nodeCount ?? 1]);

const shapes: Record<string, { deployment: ModelDeployment; want: unknown[] }> = {
  'a worker alone gets a frontend': {
    deployment: GRAPH,
    want: [
      ['worker', 'worker', 1, 1],
      ['frontend', 'frontend', 1, 1],
    ],
  },
  'phases are the types of components': {
    deployment: PHASES,
    want: [
      ['prefill', 'prefill', 2, 1],
      ['decode', 'decode', 1, 1],
      ['frontend', 'frontend', 1, 1],
    ],
  },
  'a gang is a component of as many nodes': {
    deployment: GANG_GRAPH,
    want: [
      ['worker', 'worker', 1, 2],
      ['frontend', 'frontend', 1, 1],
    ],
  },
  'a frontend without members is one in the image of the worker': {
    deployment: aGraph([aWorker(), { name: 'entry', runtime: 'Dynamo', phase: 'Frontend', copies: 2 }]),
    want: [
      ['worker', 'worker', 1, 1],
      ['entry', 'frontend', 2, 1],
    ],
  },
};

test.each(Object.entries(shapes))('the components of a graph: %s', (_, { deployment, want }) => {
  expect(shapeOf(graphOf(deployment))).toEqual(want);
});

describe('the containers of a graph', () => {
  test('are called as the operator expects, the name of the port of workers too', () => {
    const main = mainOf(graphOf(GRAPH), 'worker');
    expect(main).toMatchObject({ name: 'main', ports: [{ name: 'system', containerPort: 9090 }] });
    expect(main['startupProbe']).toMatchObject({ httpGet: { path: '/live', port: 'system' } });
    expect(main['readinessProbe']).toMatchObject({ httpGet: { path: '/health', port: 'system' } });
  });

  test('of the frontend have the probes of the operator, whose handlers differ', () => {
    const main = mainOf(graphOf(GRAPH), 'frontend');
    expect(main).toMatchObject({ command: ['python3', '-m', 'dynamo.frontend'], ports: [{ name: 'http' }] });
    expect(Object.keys(main).filter((key) => key.endsWith('Probe'))).toEqual([]);
  });

  test('of a gang get no arguments or variables of a bootstrap', () => {
    const main = mainOf(graphOf(GANG_GRAPH), 'worker');
    expect(main['args']).toEqual(['--model=Qwen/Qwen3-235B', '--tensor-parallel-size=16']);
    expect(JSON.stringify(main)).not.toMatch(/LWS_|FLEETWRIGHT_/);
  });

  test('name the model of a cache', () => {
    const cached = aGraph([aWorker('worker', { args: [] })], { cache: 'weights' });
    expect(mainOf(graphOf(cached), 'worker')['args']).toEqual(['--model=/mnt/models']);
    expect(mainOf(graphOf(cached), 'frontend')['args']).toBeUndefined();
  });
});

const tokenOf = (deployment: ModelDeployment) =>
  componentsOf(graphOf(deployment))[0]!.podTemplate.spec['automountServiceAccountToken'];

test('pods of a graph reach the API server, by which they find each other, unless their template says otherwise', () => {
  const own = aWorkerMember(['--model=Qwen/Qwen3-8B']);
  const template = own['template'] as { spec: Doc };
  const denied = { ...own, template: { spec: { ...template.spec, automountServiceAccountToken: false } } };
  expect(tokenOf(GRAPH)).toBeUndefined();
  expect(tokenOf(aGraph([aWorker('worker', { members: [denied] })]))).toBe(false);
});

test('shared memory is a volume of the pod, and not a second one of the operator', () => {
  for (const { sharedMemorySize, podTemplate } of componentsOf(graphOf(GRAPH))) {
    expect(sharedMemorySize).toBe('0');
    expect(JSON.stringify(podTemplate.spec.containers[0])).toContain('/dev/shm');
  }
});

const KAI = dynamoCluster('1.6', { scheduler: { type: 'KAI', queue: 'research' } });
const annotations: Record<string, { of: Manifest; graph: Doc; children?: Doc | undefined }> = {
  'Deployments run graphs of single pods, as declared': {
    of: graphOf(aGraph([aWorker()], { rollout: { surge: 1 } })),
    graph: { 'nvidia.com/enable-grove': 'false' },
    children: {
      'nvidia.com/deployment-rolling-update-max-surge': '1',
      'nvidia.com/deployment-rolling-update-max-unavailable': '0',
    },
  },
  'Recreate is a strategy of theirs': {
    of: graphOf(aGraph([aWorker()], { rollout: 'Recreate' })),
    graph: { 'nvidia.com/enable-grove': 'false' },
    children: { 'nvidia.com/deployment-strategy': 'Recreate' },
  },
  'Grove runs gangs': { of: graphOf(GANG_GRAPH), graph: {} },
  'Grove runs what KAI places, in its queue': {
    of: graphOf(GRAPH, KAI),
    graph: { 'nvidia.com/kai-scheduler-queue': 'research' },
  },
  'two monitors do not scrape the same pods': {
    of: graphOf(GRAPH, dynamoCluster('1.6', { monitoring: {} })),
    graph: { 'nvidia.com/enable-grove': 'false', 'nvidia.com/enable-metrics': 'false' },
    children: expect.anything(),
  },
};

test.each(Object.entries(annotations))('annotations say how a graph runs: %s', (_, { of, graph, children }) => {
  const own = Object.entries(of.metadata.annotations ?? {}).filter(([key]) => key.startsWith('nvidia.com/'));
  expect(Object.fromEntries(own)).toEqual(graph);
  expect(of.spec?.['annotations']).toEqual(children);
});

test('Prometheus scrapes frontends and workers of one pod, and of a gang the leader', () => {
  const cluster = dynamoCluster('1.6', { monitoring: { podMonitors: true } });
  const keptOf = (deployment: ModelDeployment) =>
    ofKind(manifestsOf(deployment, { cluster }), 'PodMonitor').map(({ metadata, spec }) => {
      const endpoints = spec?.['podMetricsEndpoints'] as { relabelings: { action?: string }[] }[];
      return [metadata.name, endpoints[0]!.relabelings.filter(({ action }) => action === 'keep')];
    });
  const leaders = { sourceLabels: ['__meta_kubernetes_pod_label_grove_io_podclique'], regex: '.+-ldr', action: 'keep' };
  const frontend = [expect.stringContaining('frontend'), []];
  expect(keptOf(GRAPH)).toEqual([frontend, [expect.stringContaining('worker'), []]]);
  expect(keptOf(GANG_GRAPH)).toEqual([frontend, [expect.stringContaining('worker'), [leaders]]]);
});

test('the framework is that of the workers', () => {
  const sglang = { command: ['python3', '-m', 'dynamo.sglang'] };
  const worker = aWorker('worker', { members: [aWorkerMember(['--model-path=Qwen/Qwen3-8B'], { container: sglang })] });
  expect(graphOf(GRAPH).spec?.['backendFramework']).toBe('vllm');
  expect(graphOf(aGraph([worker])).spec?.['backendFramework']).toBe('sglang');
});

const nameOf = (engines: Doc[]) => graphOf(aGraph(engines)).metadata.name;

test('a graph of other components is another object, and one with other copies is not', () => {
  expect(nameOf([aWorker('worker', { copies: 3 })])).toBe(graphOf(GRAPH).metadata.name);
  expect(nameOf([aGang()])).not.toBe(graphOf(GRAPH).metadata.name);
  expect(nameOf([aGang('worker', { nodes: 3 })])).not.toBe(nameOf([aGang()]));
  const long = aGraph([aGang('vllm-decode')]).metadata;
  const { name } = graphOf({ ...aGraph([aGang('vllm-decode')]), metadata: { ...long, name: 'x'.repeat(60) } }).metadata;
  expect(`${name}-0-vllm-decode-vllm-decode-wkr`.length).toBeLessThanOrEqual(47);
});

test.each(GRAPHS.map((deployment) => [deployment.metadata.name, deployment] as const))(
  'the Service of %s leads to the frontend alone',
  (_, deployment) => {
    const [service] = ofKind(manifestsOf(deployment, { cluster: ON }), 'Service');
    const wanted = Object.entries(service!.spec?.['selector'] as Record<string, string>);
    const reached = componentsOf(graphOf(deployment)).filter(({ podTemplate: { metadata } }) =>
      wanted.every(([key, value]) => metadata.labels[key] === value),
    );
    expect(reached.map(({ type }) => type)).toEqual(['frontend']);
    expect(service!.spec?.['ports']).toEqual([{ name: 'http', port: 8000, targetPort: 'http' }]);
  },
);

test('it renders graphs alone: other engines and other clusters have their renderers', () => {
  const select = createRendererSelector([]);
  expect(select(aReplica(GRAPH, { cluster: ON })).name).toBe('Dynamo');
  expect(select({ ...aReplica(GRAPH, { cluster: ON }), backend: 'Native' }).name).toBe('Native');
  expect(dynamo.reject(aReplica(withContainer({}), { cluster: ON }))).toMatch(/^Dynamo runs its own workers only/);
  expect(Object.keys(pods(withContainer({})))).toHaveLength(1);
});

const FILE = join(__dirname, '../../crds/dynamographdeployments.nvidia.com.yaml');
const SCHEMA: Schema = parse(readFileSync(FILE, 'utf8')).spec.versions[0].schema.openAPIV3Schema;

test.each(GRAPHS.map((deployment) => [deployment.metadata.name, deployment] as const))(
  'the fields of %s are those that the documentation of Dynamo lists',
  (_, deployment) => {
    expect(violations(graphOf(deployment), SCHEMA)).toEqual([]);
  },
);

/** A worker of any form that Dynamo has. */
const anyWorker = fc
  .record({
    nodes: fc.integer({ min: 1, max: 3 }),
    copies: fc.integer({ min: 1, max: 3 }),
    gpus: fc.constantFrom(1, 2, 4),
  })
  .map(({ nodes, copies, gpus }) => (name: string, more: Doc = {}): Doc => {
    return nodes === 1 ? aWorker(name, { copies, gpus, ...more }) : aGang(name, { nodes, copies, gpus, ...more });
  });

const anyGraph = fc
  .record({
    first: anyWorker,
    second: anyWorker,
    pair: fc.boolean(),
    surge: fc.integer({ min: 0, max: 1 }),
    frontends: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ first, second, pair, surge, frontends }) => {
    const workers = pair
      ? [first('prefill', { phase: 'Prefill' }), second('decode', { phase: 'Decode' })]
      : [first('worker')];
    const single = workers.every(({ members }) => (members as Doc[]).length === 1);
    const frontend = { name: 'frontend', runtime: 'Dynamo', phase: 'Frontend', copies: frontends };
    return aGraph([...workers, frontend], { rollout: { surge: single ? surge : 0 } });
  });

const CLASS = aClass('h100', { provisioning: { ...MACHINES.GKE } });
const LARGE = dynamoCluster('1.6', {
  nodePools: [{ name: 'h100', className: 'h100', nodeCount: 64, zones: ['us-central1-a'] }],
});

/** The devices that a pod of a component claims, by the templates among the objects. */
function devicesOf({ podTemplate: { spec } }: Component, objects: readonly Manifest[]): number {
  const names = new Set((spec.resourceClaims ?? []).map(({ resourceClaimTemplateName }) => resourceClaimTemplateName));
  return ofKind(objects, 'ResourceClaimTemplate')
    .filter(({ metadata }) => names.has(metadata.name))
    .flatMap(({ spec: own }) => (own as { spec: { devices: { requests: Doc[] } } }).spec.devices.requests)
    .reduce((sum, { exactly }) => sum + (exactly as { count: number }).count, 0);
}

/** The pods of a component, member by member: by the rules of the operator, all of a gang have one template. */
function podsOf(component: Component, graph: Manifest, objects: readonly Manifest[]): number[][] {
  const declared = graph.spec?.['annotations'] as Record<string, string> | undefined;
  const surge = Number(declared?.['nvidia.com/deployment-rolling-update-max-surge'] ?? 0);
  const devices = devicesOf(component, objects);
  const { replicas, multinode } = component;
  const workers = (multinode?.nodeCount ?? 1) - 1;
  const leader = [replicas, surge, devices];
  return workers === 0 ? [leader] : [leader, [replicas * workers, surge * workers, devices]];
}

test('the pods that Dynamo makes take exactly what the plan charged, member by member', () => {
  fc.assert(
    fc.property(anyGraph, (deployment) => {
      const { replicas, model } = decide(assemble([CLASS, LARGE, deployment]), byPath, EMPTY_LOCK);
      const objects = dynamo.render(replicas[0]!);
      const [graph] = ofKind(objects, 'DynamoGraphDeployment') as [Manifest];
      const charged = model.deployments[0]!.demand.engines.flatMap(({ members }) =>
        members.map(({ pods: all, surge, pod }) => [all - surge, surge, pod.requests[0]?.alternatives[0]?.count ?? 0]),
      );
      const taken = componentsOf(graph).flatMap((one) => podsOf(one, graph, objects));
      expect(taken.map(String).sort()).toEqual(charged.map(String).sort());
    }),
    { numRuns: daily(30) },
  );
});
