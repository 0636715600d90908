import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assemble } from '../../../src/fleet/fleet';
import type { LiveObject } from '../../../src/manifest/kubernetes/live-object';
import { findLeftovers } from '../../../src/live/status/leftover-objects';
import { loadManifests } from '../../../src/manifest/load-manifests';
import { decide } from '../../../src/plan/decide';
import { flattenManifests, renderClusterParts } from '../../../src/render/cluster';
import { RENDERED_KINDS } from '../../../src/render/rendered-kinds';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { SMALL } from '../../cli/cli';

const { resources, locate } = loadManifests([{ path: 'fleet.yaml', text: SMALL }]);
const FLEET = assemble(resources);
const { replicas, routing } = decide(FLEET, locate, EMPTY_LOCK);
const [CLUSTER] = FLEET.clusters;
if (!CLUSTER) throw new Error('bug: no cluster');
const MANIFESTS = flattenManifests(renderClusterParts(CLUSTER, replicas, { fleet: FLEET, routing }));

/** What the cluster has: pods are running, and everything else has the labels of Fleetwright. */
interface Case {
  objects?: readonly LiveObject[];
  pods?: readonly LiveObject[];

  /** The IDs of resources whose declarations have errors. */
  unknown?: readonly string[];
  want: readonly object[];
}

const labelsOf = (deployment: string, index = 0) => ({
  'app.kubernetes.io/managed-by': 'fleetwright',
  'fleetwright.dev/cluster': 'us',
  'fleetwright.dev/deployment': deployment,
  'fleetwright.dev/replica-index': String(index),
  'fleetwright.dev/engine': 'main',
});

const clusterLabels = { 'fleetwright.dev/cluster': 'us' };

const object = (apiVersion: string, kind: string, name: string, metadata: object = {}): LiveObject =>
  ({ apiVersion, kind, metadata: { name, namespace: 'ml', labels: labelsOf('old'), ...metadata } }) as LiveObject;

const workload = (name = 'old-0-main', metadata: object = {}) => object('apps/v1', 'Deployment', name, metadata);

const pod = (name: string, metadata: object = {}, phase = 'Running'): LiveObject => ({
  ...object('v1', 'Pod', name, metadata),
  spec: { nodeName: 'n0', containers: [{ name: 'engine' }], resourceClaims: [{ name: 'gpu' }] },
  status: { phase },
});

const rendered = MANIFESTS as unknown as readonly LiveObject[];
const [engine] = replicas.flatMap((replica) => replica.engines.map((one) => one.engine.name));

const cases: Record<string, Case> = {
  'an object that is rendered is accounted for': { objects: rendered, want: [] },
  'a workload that left the lock, with its pods': {
    objects: [...rendered, workload()],
    pods: [pod('old-0-main-x'), pod('old-0-main-y')],
    want: [
      {
        level: 'failure',
        kind: 'Deployment',
        why: '2 pods of it exist, 2 with devices',
        command: 'kubectl --context us -n ml delete deployment.apps old-0-main',
      },
    ],
  },
  'a workload and the pods of a deployment whose declaration has errors': {
    objects: [...rendered, workload()],
    pods: [pod('old-0-main-x'), pod('old-1-main-x', { labels: labelsOf('old', 1) })],
    unknown: ['ModelDeployment ml/old'],
    want: [],
  },
  'a workload of another deployment than the one with errors': {
    objects: [workload()],
    unknown: ['ModelDeployment ml/new', 'ModelDeployment other/old'],
    want: [{ kind: 'Deployment', name: 'old-0-main' }],
  },
  'a route while the declaration of a service has errors': {
    objects: [object('gateway.networking.k8s.io/v1', 'HTTPRoute', 'chat', { labels: clusterLabels })],
    unknown: ['ModelService ml/chat'],
    want: [],
  },
  'a route while the declaration of a deployment has errors': {
    objects: [object('gateway.networking.k8s.io/v1', 'HTTPRoute', 'chat', { labels: clusterLabels })],
    unknown: ['ModelDeployment ml/old'],
    want: [{ kind: 'HTTPRoute', name: 'chat' }],
  },
  'pods of a deployment whose workload cannot be seen': {
    pods: [pod('a', { ownerReferences: [{ kind: 'ReplicaSet', name: 'a' }] })],
    want: [
      {
        level: 'failure',
        kind: 'Pod',
        command:
          'kubectl --context us -n ml delete deployment.apps -l fleetwright.dev/deployment=old,fleetwright.dev/replica-index=0,fleetwright.dev/engine=main',
      },
    ],
  },
  'a pod of a gang, by its gang': {
    pods: [
      pod('g-0-1', {
        labels: { ...labelsOf('old'), 'leaderworkerset.sigs.k8s.io/name': 'g' },
        ownerReferences: [{ kind: 'StatefulSet', name: 'g-0' }],
      }),
    ],
    want: [{ command: 'kubectl --context us -n ml delete leaderworkerset.leaderworkerset.x-k8s.io g' }],
  },
  'a pod that nothing makes again': {
    pods: [pod('alone')],
    want: [
      { kind: 'Pod', why: '1 pod exists, 1 with devices', command: 'kubectl --context us -n ml delete pod alone' },
    ],
  },
  'another replica of a deployment that is in the lock': {
    pods: [pod('q-7', { labels: { ...labelsOf('q', 7), 'fleetwright.dev/engine': engine ?? '' } })],
    want: [{ level: 'failure', name: 'q-7' }],
  },
  'another engine of a replica that is in the lock': {
    pods: [pod('q-0-other', { labels: { ...labelsOf('q'), 'fleetwright.dev/engine': 'other' } })],
    want: [{ level: 'failure', name: 'q-0-other' }],
  },
  'a pod of the lock, and pods that have ended or are of others': {
    pods: [
      pod('q-0', { labels: { ...labelsOf('q'), 'fleetwright.dev/engine': engine ?? '' } }),
      pod('done', {}, 'Succeeded'),
      pod('theirs', { labels: { app: 'x' } }),
    ],
    want: [],
  },
  'a workload that is being deleted is a warning': {
    objects: [workload('old-0-main', { deletionTimestamp: 'now' })],
    want: [{ level: 'warning', why: 'it is being deleted' }],
  },
  'the cluster label of another fleet is a warning': {
    objects: [workload('x', { labels: { ...labelsOf('old'), 'fleetwright.dev/cluster': 'eu' } })],
    want: [{ level: 'warning', why: "it has the label of cluster 'eu', so it may belong to another fleet" }],
  },
  'objects that a controller makes go with their owner': {
    objects: [object('batch/v1', 'Job', 'sweep-1', { ownerReferences: [{ kind: 'CronJob', name: 'sweep' }] })],
    want: [],
  },
  'an earlier claim template of a deployment that runs here is kept': {
    objects: [object('resource.k8s.io/v1', 'ResourceClaimTemplate', 'q-1', { labels: labelsOf('q') })],
    want: [],
  },
  'a claim template of a deployment that is gone holds nothing': {
    objects: [object('resource.k8s.io/v1', 'ResourceClaimTemplate', 'old-1')],
    want: [
      { level: 'warning', command: 'kubectl --context us -n ml delete resourceclaimtemplate.resource.k8s.io old-1' },
    ],
  },
  'the removal of a namespace can delete what others have in it': {
    objects: [object('v1', 'Namespace', 'old', { namespace: undefined })],
    want: [
      {
        level: 'warning',
        why: 'its removal deletes everything in it, including objects of other workloads',
        command: 'kubectl --context us delete namespace old',
      },
    ],
  },
  'a name that a shell would run is quoted': {
    pods: [pod('a;rm -rf $HOME')],
    want: [{ command: "kubectl --context us -n ml delete pod 'a;rm -rf $HOME'" }],
  },
};

test.each(Object.entries(cases))('%s', (_, { objects = [], pods = [], unknown = [], want }) => {
  const found = findLeftovers({
    cluster: CLUSTER,
    replicas,
    manifests: MANIFESTS,
    kubectlOptions: ['--context', 'us'],
    labelled: [{ objects }],
    pods: { objects: pods },
    unknown,
  });
  expect(found).toEqual(want.map((one) => expect.objectContaining(one) as object));
});

test('every kind in the manifests of the examples is looked for', () => {
  const files = readdirSync('examples', { recursive: true, encoding: 'utf8' }).filter((path) =>
    // Charts and objects that a program adds are not objects of the fleet.
    /\/expected\/(?!quotas\/|.*program\.yaml$).*\.yaml$/.test(path),
  );
  const kinds = files.flatMap((path) => [
    ...readFileSync(join('examples', path), 'utf8').matchAll(/^apiVersion: (\S+)\nkind: (\S+)$/gm),
  ]);
  expect(kinds.length).toBeGreaterThan(100);
  const unknown = kinds.filter(([, version = '', kind = '']) => !RENDERED_KINDS[version]?.includes(kind));
  expect(unknown.map(([text]) => text)).toEqual([]);
});
