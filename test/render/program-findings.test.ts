import { formatDiagnostic } from '../../src/base/diagnostic';
import { decide } from '../../src/plan/decide';
import { assemble } from '../../src/fleet/fleet';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { renderFleetFiles } from '../../src/render/fleet';
import { findProgramWarnings } from '../../src/render/program-findings';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, anEngine, byPath, type Doc, gpus } from '../api/build';

const metadata = { namespace: 'ml', name: 'mine', labels: {} };

function decided(template: Doc) {
  const deployment = aDeployment('ml/q', { engines: [anEngine('main', { copies: 2 })], ...template });
  const fleet = assemble([aClass('h100', { devices: [gpus(8)] }), aCluster('us', { pools: { h100: 4 } }), deployment]);
  const { replicas, routing } = decide(fleet, byPath, EMPTY_LOCK);
  return { fleet, rendered: [...renderFleetFiles(fleet, replicas, { routing })] };
}

/** The name of the one rendered object of a kind. */
function nameOf(objects: readonly Manifest[], kind: string): string {
  return objects.find((one) => one.kind === kind)!.metadata.name;
}

function autoscaler(maxReplicas: number, kind = 'Deployment') {
  return (objects: readonly Manifest[]): Manifest => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata,
    spec: { maxReplicas, scaleTargetRef: { apiVersion: 'apps/v1', kind, name: nameOf(objects, 'Deployment') } },
  });
}

function ingress(of: (service: { name: string }) => Doc, namespace = 'ml') {
  return (objects: readonly Manifest[]): Manifest => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { ...metadata, namespace },
    spec: of({ name: nameOf(objects, 'Service') }) as NonNullable<Manifest['spec']>,
  });
}

const byPathOf = (service: { name: string }): Doc => ({ rules: [{ http: { paths: [{ backend: { service } }] } }] });
const OPEN: Manifest = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec: {} };
const BLOCKED =
  "us Ingress ml/mine spec: the network policy of ModelDeployment ml/q drops the requests of this Ingress. Set 'networkPolicy.from' of the deployment to the pods of the Ingress controller.";

interface Row {
  template?: Doc;
  adds: ((objects: readonly Manifest[]) => Manifest)[];
  chart?: { name: string; isCluster: boolean };
  want: (string | RegExp)[];
}

const rows: Record<string, Row> = {
  'an autoscaler of more copies than the plan reserves devices for': {
    adds: [autoscaler(3)],
    want: [
      /^us HorizontalPodAutoscaler ml\/mine spec\.maxReplicas: the autoscaler adds up to 3 copies of Deployment \S+, and the plan reserves devices for 2\. Set 'copies: 3' of the engine, or 'maxReplicas' to at most 2\.$/,
    ],
  },
  'an autoscaler within the copies': { adds: [autoscaler(2)], want: [] },
  'an autoscaler of another kind of object': { adds: [autoscaler(3, 'StatefulSet')], want: [] },
  'an Ingress to pods whose network policy does not name its controller': {
    adds: [ingress(byPathOf)],
    want: [BLOCKED],
  },
  'an Ingress by its default backend': {
    adds: [ingress((service) => ({ defaultBackend: { service } }))],
    want: [BLOCKED],
  },
  'an Ingress to another Service': { adds: [ingress(() => byPathOf({ name: 'other' }))], want: [] },
  'an Ingress to a Service of that name in another namespace': { adds: [ingress(byPathOf, 'web')], want: [] },
  'an Ingress whose controller the deployment names': {
    template: { networkPolicy: { from: [{ namespaceSelector: {} }] } },
    adds: [ingress(byPathOf)],
    want: [],
  },
  'an Ingress to a deployment without a network policy': {
    template: { networkPolicy: { enabled: false } },
    adds: [ingress(byPathOf)],
    want: [],
  },
  'an Ingress next to a network policy of the program': { adds: [ingress(byPathOf), () => OPEN], want: [] },
  'a chart of the program itself, even by the name of a cluster': {
    adds: [autoscaler(3), ingress(byPathOf)],
    chart: { name: 'us', isCluster: false },
    want: [],
  },
};

test.each(Object.entries(rows))('%s', (_, { template = {}, adds, chart = { name: 'us', isCluster: true }, want }) => {
  const { fleet, rendered } = decided(template);
  const objects = rendered.flatMap(({ manifests }) => manifests);
  const charts = [{ ...chart, objects: [...objects, ...adds.map((add) => add(objects))] }];
  const found = findProgramWarnings(fleet, rendered, charts).map((one) => formatDiagnostic(one));
  expect(found).toEqual(want.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))));
});
