import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Client, type Doc, type KubeObject, ok } from '../../kubernetes/harness/client';
import { startControlPlane } from '../../kubernetes/harness/control-plane';
import { findCrds, installCrds } from '../../kubernetes/harness/crds';
import { Kubelet } from '../../kubernetes/harness/kubelet';
import { deviceClassesOf, nodesOf } from '../../kubernetes/harness/nodes';
import { freePorts } from '../../kubernetes/harness/ports';
import { Program } from '../../kubernetes/harness/program';
import { collection, learnKinds, pathOf } from '../../kubernetes/harness/resources';
import { atEnd } from '../../kubernetes/harness/shutdown';
import { until } from '../../kubernetes/harness/until';
import type { Watch } from '../../kubernetes/harness/watch';
import { plan } from '../../kubernetes/promises/plan';
import { openNamespace } from '../../kubernetes/promises/site';
import { GroupController } from '../../kubernetes/waves/group-controller';
import {
  CLUSTER_LABEL,
  DEPLOYMENT_LABEL,
  ENGINE_LABEL,
  REPLICA_INDEX_LABEL,
  SERVING_POD_LABEL,
} from '../../../src/api/labels';
import { groupBy } from '../../../src/base/order';
import { loadManifests } from '../../../src/manifest/load-manifests';
import { kedaPrograms, makeCertificates, startKeda } from '../harness/keda';
import { prometheusProgram } from '../harness/prometheus';
import { Engines } from './engines';
import { BOUNDS, type DeploymentName, fleetText } from './fleet';

/** A cluster with KEDA and Prometheus, where engines answer Prometheus. */
export interface Site {
  readonly engines: Engines;
  readonly client: Client;

  /** All pods. */
  readonly watch: Watch;

  /** The address of Prometheus. */
  readonly prometheus: string;

  /** Renders the fleet. */
  manifests(image: string): KubeObject[];

  /** Applies objects as Argo CD does: server-side, with strict validation. */
  apply(objects: readonly KubeObject[]): Promise<void>;

  /** The copies of a deployment. One of which some pods exist is a fraction. */
  copies(name: DeploymentName): Copies;
  stop(): Promise<void>;
  readonly failure: Promise<never>;
}

/** Copies whose pods are on nodes, all, and pods that serve: one of each copy. */
interface Copies {
  readonly bound: number;
  readonly all: number;
  readonly serving: number;
}

/** Does something with a cluster, unless one of its programs ends before. */
export async function withSite<T>(act: (site: Site) => Promise<T>): Promise<T> {
  const site = await openSite();
  try {
    return await Promise.race([site.failure, act(site)]);
  } finally {
    await site.stop();
  }
}

/** Starts everything, and waits until KEDA answers for metrics. */
async function openSite(): Promise<Site> {
  const programs = { keda: await kedaPrograms(), prometheus: await prometheusProgram('prometheus') };
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-scaling-'));
  const forget = atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const plane = await startControlPlane();
  const [port = 0, ...ports] = await freePorts(5);
  const engines = new Engines();
  const enginesPort = await engines.listen();
  const { client } = plane;
  const prometheus = `http://127.0.0.1:${port}`;
  const manifests = (image: string): KubeObject[] => rendered(fleetText({ prometheus, image })) as KubeObject[];
  await installKinds(client);
  await furnish(client, fleetText({ prometheus, image: 'v0.23.0' }));
  const authority = readFileSync(makeCertificates(folder), 'utf8');
  await trustClients(client, authority);
  const running = [
    startPrometheus(programs.prometheus, { folder, port, manifests: manifests('v0.23.0') }),
    ...startKeda({ programs: programs.keda, kubeconfig: plane.kubeconfig, folder, ports }),
  ];
  const failure = Promise.race([plane.failure, ...running.map(neverEnding)]);
  const kubelet = new Kubelet(client);
  const gangs = new GroupController(client);
  kubelet.pods.onChange(() => publish(kubelet, engines, { folder, enginesPort }));
  const stop = async (): Promise<void> => {
    kubelet.stop();
    gangs.stop();
    engines.close();
    await Promise.all(running.map((program) => program.stop()));
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
    forget();
  };
  try {
    await kubelet.start();
    gangs.start();
    await Promise.race([failure, serveMetrics(client, ports[2] ?? 0)]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    engines,
    client,
    manifests,
    apply: async (objects) => {
      for (const object of objects) {
        ok(await client.apply(pathOf(object), object, '&fieldValidation=Strict'), pathOf(object));
      }
    },
    watch: kubelet.pods,
    prometheus,
    copies: (name) => {
      const own = podsOf(kubelet, name);
      const { size } = BOUNDS[name];
      const serving = own.filter(({ metadata }) => metadata.labels?.[SERVING_POD_LABEL]).length;
      return { bound: own.filter(({ spec }) => spec?.['nodeName']).length / size, all: own.length / size, serving };
    },
    failure,
    stop,
  };
}

async function neverEnding({ ended }: Program): Promise<never> {
  await ended;
  return new Promise<never>(() => {});
}

function rendered(text: string) {
  const { clusters } = plan(loadManifests([{ path: 'fleet.yaml', text }]).resources);
  return clusters.flatMap(({ manifests }) => manifests);
}

/** The kinds of KEDA, of the operator of Prometheus, and of gangs. */
async function installKinds(client: Client): Promise<void> {
  const crds = await findCrds();
  const wanted = /^ {2}name: ["']?\S+\.(?:keda\.sh|monitoring\.coreos\.com|leaderworkerset\.x-k8s\.io)["']?$/m;
  await installCrds(
    client,
    crds.filter(({ text }) => wanted.test(text)),
  );
  await learnKinds(client);
}

async function furnish(client: Client, text: string): Promise<void> {
  const { fleet } = plan(loadManifests([{ path: 'fleet.yaml', text }]).resources);
  const nodes = fleet.clusters.flatMap((cluster) => nodesOf(fleet, cluster, 'node'));
  for (const object of [...deviceClassesOf(fleet), ...nodes])
    ok(await client.post(collection(object), object), object.kind ?? '');
  for (const name of ['ml', 'keda', 'monitoring', 'fleetwright-system']) await openNamespace(client, name);
}

interface PrometheusSettings {
  readonly folder: string;
  readonly port: number;
  readonly manifests: readonly KubeObject[];
}

/** Starts Prometheus with the emitted rules, as its operator gives them. */
function startPrometheus(program: string, { folder, port, manifests }: PrometheusSettings): Program {
  const groups = manifests
    .filter(({ kind }) => kind === 'PrometheusRule')
    .flatMap(({ spec }) => (spec?.['groups'] ?? []) as Doc[]);
  mkdirSync(join(folder, 'targets'));
  writeFileSync(join(folder, 'rules.yaml'), stringify({ groups }));
  writeFileSync(
    join(folder, 'prometheus.yaml'),
    stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['rules.yaml'],
      scrape_configs: [
        { job_name: 'engines', file_sd_configs: [{ files: ['targets/*.json'], refresh_interval: '1s' }] },
      ],
    }),
  );
  const args = [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--query.lookback-delta=5s',
  ];
  return new Program(program, '/usr/bin/env', args, join(folder, 'prometheus.log'));
}

function podsOf({ pods }: Kubelet, name: string): KubeObject[] {
  return [...pods.objects.values()].filter(
    ({ metadata }) => metadata.labels?.[DEPLOYMENT_LABEL] === name && metadata.deletionTimestamp === undefined,
  );
}

/** Lists ready pods as targets, with the labels that their PodMonitor gives them. */
function publish(
  { pods }: Kubelet,
  engines: Engines,
  { folder, enginesPort }: { folder: string; enginesPort: number },
) {
  const ready = [...pods.objects.values()].filter(
    ({ metadata: { labels, deletionTimestamp }, status }) =>
      labels?.[SERVING_POD_LABEL] && deletionTimestamp === undefined && status?.['phase'] === 'Running',
  );
  const byDeployment = groupBy(ready, ({ metadata }) => metadata.labels?.[DEPLOYMENT_LABEL] ?? '');
  engines.serve(new Map([...byDeployment].map(([name, own]) => [name, own.map(({ metadata }) => metadata.name)])));
  const targets = ready.map(({ metadata: { name: pod, namespace = '', labels = {} } }) => {
    const [cluster = '', deployment = ''] = [labels[CLUSTER_LABEL], labels[DEPLOYMENT_LABEL]];
    return {
      targets: [`127.0.0.1:${enginesPort}`],
      labels: {
        __metrics_path__: `/${deployment}/${pod}/metrics`,
        pod,
        cluster,
        // Clusters of random fleets share one control plane, where their name begins that of their namespaces.
        namespace: namespace.replace(`${cluster}-`, ''),
        deployment,
        replica_index: labels[REPLICA_INDEX_LABEL],
        engine: labels[ENGINE_LABEL],
      },
    };
  });
  const file = join(folder, 'targets/engines.json');
  writeFileSync(`${file}.new`, JSON.stringify(targets));
  renameSync(`${file}.new`, file);
}

/** Makes what servers of further APIs read of the API server: whose client certificates it trusts. */
async function trustClients(client: Client, authority: string): Promise<void> {
  const metadata = { name: 'extension-apiserver-authentication', namespace: 'kube-system' };
  const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'client-ca-file': authority } };
  ok(await client.post(collection(settings), settings), 'the trust of the API server');
}

const GROUP = 'external.metrics.k8s.io';

/** Makes the API server ask the metrics server of KEDA, by a Service that is only a name for loopback. */
async function serveMetrics(client: Client, port: number): Promise<void> {
  const service = { name: 'keda-metrics', namespace: 'keda' };
  const everybody = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:unauthenticated' };
  const role = { name: 'external-metrics' };
  const objects: KubeObject[] = [
    { apiVersion: 'v1', kind: 'Service', metadata: service, spec: { type: 'ExternalName', externalName: 'localhost' } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: role,
      rules: [
        { apiGroups: [GROUP], resources: ['*'], verbs: ['*'] },
        { nonResourceURLs: ['*'], verbs: ['get'] },
      ],
    } as KubeObject,
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: role,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role.name },
      subjects: [everybody],
    } as KubeObject,
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `v1beta1.${GROUP}` },
      spec: {
        group: GROUP,
        version: 'v1beta1',
        service: { ...service, port },
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 100,
      },
    },
  ];
  for (const object of objects) ok(await client.post(collection(object), object), object.kind ?? '');
  await until('the metrics server of KEDA answers', async () => {
    return (await client.get(`/apis/${GROUP}/v1beta1`)).status === 200;
  });
}
