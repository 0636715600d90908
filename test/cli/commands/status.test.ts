import { parseAllDocuments } from 'yaml';
import { compileOutputSchema } from '../../output-schema';
import { type Ran, SMALL, Workspace } from '../cli';
import { type Answers, FakeApi, GOOD, Page, type Served, serving } from '../fake-api';

let work: Workspace;
let api: FakeApi | undefined;
beforeEach(() => {
  work = new Workspace().write({ 'fleet/fleet.yaml': SMALL });
  work.run('lock ./fleet');
  work.run('synth ./fleet --out ./out');
});
afterEach(() => {
  api?.stop();
  api = undefined;
  work.remove();
});

type Object_ = Served & Record<string, unknown>;

/** What was rendered for the cluster. */
function manifests(): Object_[] {
  const texts = Object.entries(work.files()).filter(([path]) => /^out\/us\/.*\.yaml$/.test(path));
  return texts.flatMap(([, text]) => parseAllDocuments(text).map((one) => one.toJS() as Object_));
}

interface PodOptions {
  node?: string;
  image?: string;
  status?: object;
}

const SERVING = {
  conditions: [{ type: 'Ready', status: 'True' }],
  containerStatuses: [{ name: 'engine', ready: true, state: { running: {} } }],
  resourceClaimStatuses: [{ name: 'c', resourceClaimName: 'q-c' }],
};

/** The pod of the one replica, with a secret in its environment. */
function pod({ node: nodeName = 'n0', status = SERVING, image }: PodOptions = {}): object {
  const workload = manifests().find(({ kind }) => kind === 'Deployment') as unknown as {
    spec: { template: { metadata: { labels: object }; spec: { containers: { image: string }[] } } };
  };
  const { labels } = workload.spec.template.metadata;
  const declared = workload.spec.template.spec.containers[0]?.image;
  const containers = [{ name: 'engine', image: image ?? declared, env: [{ name: 'KEY', value: 'SECRET' }] }];
  const nodeSelector = { 'fleetwright.dev/pool': 'h100' };
  const spec = { containers, nodeSelector, ...(nodeName && { nodeName }) };
  return { metadata: { name: 'q-0', namespace: 'ml', labels }, spec, status };
}

const CLAIM = { metadata: { name: 'q-c', namespace: 'ml' }, status: { allocation: {} } };

interface Options {
  objects?: Object_[];
  pods?: object[];
  answers?: Answers;
  flags?: string;
}

async function status({ objects, pods, answers = {}, flags = '' }: Options = {}): Promise<Ran> {
  api = await FakeApi.start({
    ...GOOD,
    ...serving(objects ?? manifests()),
    '/api/v1/pods': { items: pods ?? [pod()] },
    '/apis/resource.k8s.io/v1/resourceclaims': { items: [CLAIM] },
    '/api/v1/events': { items: [] },
    ...answers,
  });
  work.write({ kubeconfig: api.kubeconfig({ token: 'SECRET' }) });
  const ran = await work.runLive(`status ./fleet --kubeconfig ./kubeconfig${flags}`);
  expect(`${ran.out}${ran.err}`).not.toContain('SECRET');
  return ran;
}

test('a cluster that runs what is locked', async () => {
  expect(await status()).toEqual({
    code: 0,
    out: "us   1 of 1 replica serving\n  nodes     pool 'h100' has 2 of 2 nodes.\n\n1 of 1 replica serving.\n",
    err: '',
  });
});

test('--quiet leaves out what is well', async () => {
  expect((await status({ flags: ' --quiet' })).out).toBe('1 of 1 replica serving.\n');
});

/** A Deployment whose pods a quota does not allow. */
function overQuota(object: Object_): Object_ {
  if (object.kind !== 'Deployment') return object;
  const message = 'pods "q" is forbidden: exceeded quota';
  const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }];
  return { ...object, status: { conditions } };
}

function pausedBySomebody(object: Object_): Object_ {
  if (object.kind !== 'Deployment') return object;
  const managedFields = [{ manager: 'kubectl-edit', operation: 'Update', fieldsV1: { 'f:spec': { 'f:paused': {} } } }];
  const spec = { ...(object['spec'] as object), paused: true };
  return { ...object, metadata: { ...object.metadata, managedFields } as Served['metadata'], spec };
}

/** An event of the ReplicaSet of the replica, whose pods the admission refuses. */
function refusedPod(): object {
  const { name } = manifests().find(({ kind }) => kind === 'Deployment')?.metadata ?? {};
  return {
    metadata: { name: 'e', namespace: 'ml' },
    reason: 'FailedCreate',
    message: 'violates PodSecurity "restricted"',
    involvedObject: { kind: 'ReplicaSet', namespace: 'ml', name: `${name}-7d9f` },
  };
}

const cases: Record<string, { of: () => Options; code: number; want: string[] }> = {
  'a pod that was not made': {
    of: () => ({ pods: [] }),
    code: 6,
    want: ['missing   ml/q/0: 1 pod missing.', '0 of 1 replica serving.'],
  },
  'a pod that is not made because of a quota': {
    of: () => ({ pods: [], objects: manifests().map(overQuota) }),
    code: 6,
    want: ['missing   ml/q/0: 1 pod missing; FailedCreate: pods "q" is forbidden: exceeded quota.'],
  },
  'a pod that admission refuses': {
    of: () => ({ pods: [], answers: { '/api/v1/events': { items: [refusedPod()] } } }),
    code: 6,
    want: ['missing   ml/q/0: 1 pod missing; FailedCreate: violates PodSecurity "restricted".'],
  },
  'a pod with another image than declared does not count as serving': {
    of: () => ({ pods: [pod({ image: 'vllm:old' })] }),
    code: 6,
    want: ['outdated  ml/q/0: container engine of q-0 runs vllm:old, and ', '0 of 1 replica serving.'],
  },
  'a pod that waits for a node, and why no node comes': {
    of: () => ({
      pods: [
        pod({
          node: '',
          status: {
            conditions: [{ type: 'PodScheduled', status: 'False', message: '0/2 nodes\nare free.' }],
          },
        }),
      ],
      answers: {
        '/api/v1/events': {
          items: [
            {
              metadata: { name: 'e' },
              message: 'GCE out of resources in us-east1-b',
              involvedObject: { kind: 'Pod', namespace: 'ml', name: 'q-0' },
            },
          ],
        },
      },
    }),
    code: 6,
    want: [
      'no-node   ml/q/0: 0/2 nodes are free.',
      "stockout  pool 'h100' in us-east1-b: GCE out of resources in us-east1-b.",
    ],
  },
  'a pod that is gone any moment': {
    of: () => ({
      pods: [{ ...pod(), metadata: { ...(pod() as Served).metadata, deletionTimestamp: 'now' } }],
    }),
    code: 6,
    want: ['missing   ml/q/0: 1 pod missing.'],
  },
  'an engine that loads is no failure': {
    of: () => ({
      pods: [pod({ status: { containerStatuses: [{ name: 'engine', state: { running: {} } }] } })],
    }),
    code: 0,
    want: ['loading   ml/q/0.', '0 of 1 replica serving.'],
  },
  'a pod in another pool, and a claim without devices': {
    of: () => ({
      answers: {
        '/api/v1/nodes': {
          items: [{ metadata: { name: 'n0', labels: { 'fleetwright.dev/pool': 'l4' } } }],
        },
        '/apis/resource.k8s.io/v1/resourceclaims': { items: [] },
      },
    }),
    code: 6,
    want: ['serving   ml/q/0: q-0 is in pool l4 instead of h100; claim q-c of q-0 has no devices.'],
  },
  'an object that was changed, and one that is gone': {
    of: () => {
      const [first, ...others] = manifests();
      const changed = others.map((one) =>
        one.kind === 'Deployment' ? { ...one, spec: { ...(one['spec'] as object), replicas: 0 } } : one,
      );
      expect(first?.kind).toBe('ResourceClaimTemplate');
      return { objects: changed };
    },
    code: 6,
    want: ['drift     ResourceClaimTemplate ml/', 'spec.replicas is 0, not 1.'],
  },
  'a field that a user added, with the name of its manager': {
    of: () => ({ objects: manifests().map(pausedBySomebody) }),
    code: 6,
    want: ['spec.paused is true and is not declared (set by kubectl-edit).'],
  },
  'kinds that may not be listed are unknown, not missing': {
    of: () => ({ answers: { '/apis/apps/v1/namespaces/ml/deployments': 403, '/api/v1/events': 403 } }),
    code: 6,
    want: ['unseen    apps/v1 Deployment: the server says 403.', 'unseen    events: the server says 403.'],
  },
  'a captive portal in place of the API server': {
    of: () => ({ answers: { '/version': new Page(200) } }),
    code: 6,
    want: [
      'us   not reached: the server is not recognized as a Kubernetes API server',
      '0 of 1 replica serving, 1 unknown; 1 of 1 cluster not reached.',
    ],
  },
  'a login page in place of lists': {
    of: () => ({ answers: { '/api/v1/pods': new Page(200), '/api/v1/nodes': new Page(302) } }),
    code: 6,
    want: [
      'unseen    nodes: the answer is 302 with something that is not a Kubernetes object, as from a proxy or a login page.',
      'unseen    pods: the answer is something that is not a Kubernetes object',
      '0 of 1 replica serving, 1 unknown.',
    ],
  },
  'kinds whose API cannot be asked for are unknown, not missing': {
    of: () => ({ answers: { '/apis/apps/v1': 503 } }),
    code: 6,
    want: ['unseen    apps/v1 Deployment: the server says 503.'],
  },
  'pods that may not be listed': {
    of: () => ({ answers: { '/api/v1/pods': 403 } }),
    code: 6,
    want: ['unseen    pods: the server says 403.', '0 of 1 replica serving, 1 unknown.'],
  },
  'a workload that left the lock still runs': {
    of: () => {
      const left = manifests().find(({ kind }) => kind === 'Deployment');
      const gone = { ...left, metadata: { ...left?.metadata, name: 'q-1-main' } };
      return { answers: { '/apis/apps/v1/deployments': { items: [left, gone] } } };
    },
    code: 6,
    want: [
      '1 of 1 replica serving',
      'leftover  Deployment ml/q-1-main is not planned on this cluster. Remove it: kubectl --kubeconfig ',
      '--context us -n ml delete deployment.apps q-1-main\n',
    ],
  },
  'leftovers of a kind that may not be listed are unknown': {
    of: () => ({ answers: { '/apis/apps/v1/deployments': 403 } }),
    code: 6,
    want: ['unseen    apps/v1 Deployment: the server says 403.'],
  },
  'a server that gives no answer': {
    of: () => ({ answers: { '/version': 'nothing' }, flags: ' --timeout 0.2' }),
    code: 6,
    want: [
      'us   not reached: 127.0.0.1',
      'no answer within 0.2 s.\n',
      '0 of 1 replica serving, 1 unknown; 1 of 1 cluster not reached.',
    ],
  },
  'a cluster without a context': {
    of: () => ({ flags: ' --context us=su' }),
    code: 6,
    want: ["us   not reached: the kubeconfig has no context 'su'. Set one with --context: 'us'?\n"],
  },
};

test.each(Object.entries(cases))('%s', async (_, { of, code, want }) => {
  const ran = await status(of());
  for (const line of want) expect(ran.out).toContain(line);
  expect(ran.code).toBe(code);
});

test('a cluster without a replica in the lock is not well while pods of a removed one hold its devices', async () => {
  const objects = manifests();
  const pods = [{ ...pod(), spec: { ...(pod() as { spec: object }).spec, resourceClaims: [{ name: 'gpu' }] } }];
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  work.write({ 'fleet/fleet.yaml': SMALL.split('---\n').slice(0, 2).join('---\n') });
  work.run('lock ./fleet');
  const answers = {
    '/apis/apps/v1': { resources: [{ name: 'deployments', kind: 'Deployment' }] },
    '/apis/apps/v1/deployments': { items: deployments },
  };
  const seen = await status({ objects: [], pods, answers });
  expect(seen.out).toContain('us   0 of 0 replicas serving\n');
  expect(seen.out).toMatch(
    /leftover {2}Deployment ml\/q-0-main-\w+ is not planned on this cluster: 1 pod of it exists, 1 with devices\. Remove it: /,
  );
  expect(seen.code).toBe(6);
});

test('--json is as its schema says', async () => {
  const { out } = await status({ pods: [], objects: manifests().slice(1), flags: ' --json' });
  const validate = compileOutputSchema('status');
  expect([validate(JSON.parse(out)), validate.errors]).toEqual([true, null]);
  expect(JSON.parse(out)).toMatchObject({
    kind: 'Status',
    clusters: [
      {
        cluster: 'us',
        replicas: [{ deployment: 'ml/q', index: 0, phase: 'missing', pods: { missing: 1 }, level: 'failure' }],
        drift: [{ kind: 'ResourceClaimTemplate', state: 'missing' }],
        totals: { failure: 2 },
      },
    ],
  });
});

test('--snapshot writes what a plan reads, and nothing of environments', async () => {
  expect((await status({ flags: ' --snapshot ./fleet/snapshots' })).code).toBe(0);
  expect(work.read('fleet/snapshots/us.yaml')).not.toContain('SECRET');
  const settings =
    'apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata: { name: main }\nspec: { snapshots: [./snapshots/*.yaml] }\n';
  work.write({ 'fleet/settings.yaml': settings });
  expect(work.run('plan ./fleet').out).toContain('checked against snapshots: us (2 nodes, 2 slices, 1 pod; no date)');
});
