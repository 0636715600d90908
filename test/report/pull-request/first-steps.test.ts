import type { FleetDiff } from '../../../src/diff/fleet-diff';
import type { ClusterNeeds } from '../../../src/plan/plan';
import type { RequiredObject } from '../../../src/render/external-references';
import { formatStep } from '../../../src/report/diff/change-steps';
import { listFirstSteps, listNextSteps } from '../../../src/report/pull-request/first-steps';
import { listRecordSteps } from '../../../src/report/pull-request/record-steps';
import { toDeploymentRows } from '../../../src/report/pull-request/deployment-rows';
import { aClass, aCluster, aDeployment, aMember } from '../../api/build';
import { diff, state } from '../../diff/build';
import { aSite } from '../../routing/build';

const resources = [aClass('h100'), aSite('us')];
const NOTHING = diff(resources, resources);
const anObject = (change: Partial<RequiredObject>): RequiredObject => ({
  kind: 'Secret',
  name: 'x',
  keys: [],
  for: ['ModelService ml/small'],
  ...change,
});
const on = (cluster: string, ...objects: RequiredObject[]): ClusterNeeds => ({ cluster, objects });
const creates = (name: string, cluster: string, podSecurity?: string): FleetDiff['objects'][number] => ({
  action: 'create',
  cluster,
  kind: 'Namespace',
  name,
  ...(podSecurity !== undefined && { podSecurity }),
  fields: [],
  causes: [],
});

const key = anObject({ namespace: 'ml', name: 'deepinfra', keys: ['credential'] });
const aStorageClass = (name: string): RequiredObject => anObject({ kind: 'StorageClass', name });
const record = anObject({ kind: 'DNS record', name: 'llm.acme.example' });

test.each<[string, ClusterNeeds[], FleetDiff['objects'], string[]]>([
  ['nothing that is new needs no line', [], [], []],
  [
    'an object that several clusters need is named once, with them',
    [on('eu', key), on('us', key)],
    [],
    ['Before manifests are applied: create Secret `ml/deepinfra` (`credential`) on `eu`, `us`.'],
  ],
  [
    'a DNS record is on no cluster, and leads to gateways',
    [on('eu', record), on('us', record, key)],
    [],
    [
      'Before manifests are applied: create DNS record `llm.acme.example`, to the gateways on `eu`, `us`; create Secret `ml/deepinfra` (`credential`) on `us`.',
    ],
  ],
  [
    'what the stack of a cluster creates needs no step, and what a class must allow does',
    [
      on('eu', anObject({ kind: 'StorageClass', createdByStack: true })),
      on('us', anObject({ kind: 'StorageClass', keys: ['allowVolumeExpansion: true'] })),
    ],
    [],
    ['Before manifests are applied: create StorageClass `x` (`allowVolumeExpansion: true`) on `us`.'],
  ],
  [
    'a namespace that the change creates comes before what must exist in it',
    [on('eu', key), on('us', key)],
    [creates('ml', 'us'), creates('other', 'us')],
    [
      'Before manifests are applied: create Namespace `ml` on `us` (also in the manifests); create Secret `ml/deepinfra` (`credential`) on `eu`, `us`.',
    ],
  ],
  [
    'what exists already gets the level of the manifests, and privileged refuses nothing',
    [on('eu', key), on('us', key)],
    [creates('ml', 'eu', 'privileged'), creates('ml', 'us', 'restricted')],
    [
      'Before manifests are applied: create Namespace `ml` on `eu` (also in the manifests); create Namespace `ml` on `us` (also in the manifests, which set its Pod Security level to restricted); create Secret `ml/deepinfra` (`credential`) on `eu`, `us`.',
    ],
  ],
  [
    'of many objects the first are named',
    [on('us', ...Array.from({ length: 10 }, (_, i) => anObject({ name: `s${i}` })))],
    [],
    [expect.stringMatching(/: create Secrets `s0`, .*, `s6` and `s7` on `us`; 2 more objects \(below\)\.$/)],
  ],
  [
    'objects of one kind on the same clusters are named together',
    [
      on('eu', key),
      on('us', key, anObject({ name: 'a' }), anObject({ name: 'b' }), aStorageClass('nfs'), aStorageClass('efs')),
    ],
    [],
    [
      'Before manifests are applied: create Secret `ml/deepinfra` (`credential`) on `eu`, `us`; create Secrets `a` and `b` on `us`; create StorageClasses `nfs` and `efs` on `us`.',
    ],
  ],
])('%s', (_, needs, objects, want) => {
  const later = { ...NOTHING, objects };
  expect(listFirstSteps(needs, later).map(formatStep)).toEqual(want);
});

const cloud = (['create', 'change'] as const).map((action) => ({
  cluster: action === 'create' ? 'eu' : 'us',
  kind: 'Cluster',
  name: 'c',
  action,
  fields: [],
  causes: [],
}));

test('what a cluster needs that the change creates comes when it is there, but for DNS records', () => {
  const needs = [on('eu', key, record), on('us', key)];
  const steps = listFirstSteps(needs, { ...NOTHING, cloud, objects: [creates('ml', 'eu')] });
  expect(steps.map(formatStep)).toEqual([
    'Before manifests are applied: create the cluster `eu` (`pulumi up` of its stack, or your own tool); create DNS record `llm.acme.example`, to the gateway on `eu`; create Secret `ml/deepinfra` (`credential`) on `us`.',
    'Next, when the stack has created `eu` (before or after manifests are applied): create Secret `ml/deepinfra` (`credential`) on `eu`. What needs them waits.',
  ]);
});

test('Argo CD must know a cluster that the change creates, also where that needs nothing else', () => {
  const plan = { warnings: [], deployments: [], merges: true };
  const lastOf = (needs: ClusterNeeds[]) =>
    listFirstSteps(needs, { ...NOTHING, cloud }, plan)
      .map(formatStep)
      .at(-1);
  expect(lastOf([on('eu', key)])).toBe(
    'Next, when the stack has created `eu` (before or after merging): register `eu` in Argo CD under this name; create Secret `ml/deepinfra` (`credential`) on `eu`. What needs them waits.',
  );
  expect(lastOf([])).toBe(
    'Next, when the stack has created `eu` (before or after merging): register `eu` in Argo CD under this name. What needs it waits.',
  );
});

const cacheChange = (action: 'refill' | 'drop' | 'restage', cluster: string) => ({
  cache: 'ml/w',
  cluster,
  action,
  causes: [],
});

test('volumes of caches that a cloud may keep are deleted before their cluster is', () => {
  const caches = [
    cacheChange('refill', 'us'),
    cacheChange('drop', 'eu'),
    cacheChange('drop', 'dc'),
    cacheChange('restage', 'dc'),
  ];
  const declarations = [
    { id: 'InferenceCluster eu', action: 'removed', fields: [] },
  ] as unknown as FleetDiff['declarations'];
  const steps = listFirstSteps([], { ...NOTHING, caches, declarations });
  expect(steps.map(formatStep)).toEqual([
    expect.stringContaining('First, before `us` is deleted: delete the volume claim of the cache `ml/w` there; '),
    expect.stringContaining('First, before `eu` is deleted: '),
    'To do: remove the cluster `eu` (by hand or with your own tool: neither merging nor `pulumi up` changes these nodes).',
  ]);
});

const added = (kind: 'ingress' | 'cluster', cluster: string, gateway?: string) =>
  ({
    cluster,
    isExisting: true,
    kind,
    ...(gateway !== undefined && { gateway }),
    action: 'add',
    fields: [],
    causes: [],
  }) as const;
const recordOf = (name: string, owner: string) => anObject({ kind: 'DNS record', name, for: [owner] });
const ofIngress = recordOf('llm.acme.example', 'InferenceGateway default');
const ofEu = recordOf('edge.eu.acme.example', 'InferenceCluster eu');
const ofUs = recordOf('edge.us.acme.example', 'InferenceCluster us');

type Gateways = FleetDiff['routes']['gateways'];

test.each<[string, Gateways, { mustExist: ClusterNeeds[]; mustExistNew: ClusterNeeds[] }, string[]]>([
  [
    'a cluster that joins others behind a host needs its address in their record',
    [added('ingress', 'us', 'default')],
    { mustExist: [on('eu', ofIngress), on('us', ofIngress)], mustExistNew: [] },
    [
      'Next, when the ingress gateway on `us` has its address: add it to the DNS record `llm.acme.example`; until then no client gets there.',
    ],
  ],
  [
    'a gateway of another host adds nothing to a record',
    [added('ingress', 'us', 'other')],
    { mustExist: [on('eu', ofIngress), on('us', ofIngress)], mustExistNew: [] },
    [],
  ],
  [
    'a record of a new gateway waits for its address, and is nothing to do before',
    [added('cluster', 'eu')],
    { mustExist: [on('eu', ofEu), on('us', ofUs)], mustExistNew: [on('eu', ofEu)] },
    ['Next, when the gateway on `eu` has its address: create the DNS record `edge.eu.acme.example`.'],
  ],
  [
    'records of several new gateways are one step',
    [added('cluster', 'eu'), added('cluster', 'us'), added('ingress', 'us', 'default')],
    {
      mustExist: [on('eu', ofEu), on('us', ofUs, ofIngress)],
      mustExistNew: [on('eu', ofEu), on('us', ofUs, ofIngress)],
    },
    [
      'Next, when the gateways on `eu`, `us` have their addresses: create the DNS records `edge.eu.acme.example`, `edge.us.acme.example`, `llm.acme.example`.',
    ],
  ],
  [
    'a new host of a gateway that has an address comes first, and a new gateway joins it',
    [added('ingress', 'us', 'default')],
    { mustExist: [on('eu', ofIngress), on('us', ofIngress)], mustExistNew: [on('eu', ofIngress), on('us', ofIngress)] },
    [
      'Before manifests are applied: create DNS record `llm.acme.example`, to the gateway on `eu`.',
      'Next, when the ingress gateway on `us` has its address: add it to the DNS record `llm.acme.example`; until then no client gets there.',
    ],
  ],
])('%s', (_, gateways, needs, want) => {
  const routes = { ...NOTHING.routes, gateways };
  const steps = [...listFirstSteps(needs.mustExistNew, { ...NOTHING, routes }), ...listRecordSteps(routes, needs)];
  expect(steps.map(formatStep)).toEqual(want);
});

const site = (name: string, nodeCount: number, options = {}) =>
  aCluster(name, { pools: { h100: { nodeCount } }, ...options });

test('a drained cluster is not empty once others are finalized where an old replica has no replacement', () => {
  const models = ['ml/p', 'ml/q'].map((id) =>
    aDeployment(id, { replicas: 1, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] }),
  );
  const was = [aClass('h100'), site('eu', 2), ...models];
  const taints = [{ key: 'drain', effect: 'NoExecute' }];
  const is = [aClass('h100'), site('eu', 2, { taints }), site('us', 1), ...models];
  const earlier = state('main', was);
  const { plan } = state('here', is, earlier.decision.lock, earlier).decision;
  const rows = toDeploymentRows(diff(was, is), plan);
  const commands = {
    command: 'fleetwright lock f',
    status: 'fleetwright status f',
    doctorOf: () => '',
    synth: 'fleetwright synth f --out o',
  };
  const kept = 'That stops 1 old replica. The old replica of `ml/q` still runs on `eu`: nothing replaces it.';
  expect(
    listNextSteps(rows, new Set(['us']), plan, { commands })
      .map(formatStep)
      .join('\n'),
  ).toBe(
    `Next, when the new replicas serve (\`fleetwright status f\`), in a change of its own: run \`fleetwright lock f --finalize\` and \`fleetwright synth f --out o\`, and commit both. ${kept}`,
  );
  expect(
    listNextSteps(rows, new Set(['us']), plan)
      .map(formatStep)
      .join('\n'),
  ).toContain(' in a change of its own: run `fleetwright lock --finalize`, and commit the lock. That stops ');
});

test('old replicas are finalized together with the lock that then places others', () => {
  const model = aDeployment('ml/q', { replicas: 1, engines: [{ name: 'main', members: [aMember({ gpus: 8 })] }] });
  const was = [aClass('h100'), site('eu', 1), model];
  const is = [aClass('h100'), site('eu', 1, { taints: [{ key: 'drain', effect: 'NoExecute' }] }), site('us', 1), model];
  const earlier = state('main', was);
  const { plan } = state('here', is, earlier.decision.lock, earlier).decision;
  const stepsWith = (remedy: object) => {
    const waiting = { deployment: 'ml/z', changes: [], shortfall: { remedies: [{ cluster: 'eu', ...remedy }] } };
    const deployments = [...plan.deployments, waiting] as unknown as typeof plan.deployments;
    const steps = listNextSteps(toDeploymentRows(diff(was, is), plan), new Set(['us']), { ...plan, deployments });
    return steps.map(formatStep).join('\n');
  };
  expect(stepsWith({ kind: 'finalize' })).toContain(
    'run `fleetwright lock --finalize`, then `fleetwright lock`, and commit the lock. That stops 1 old replica, and places replicas of `ml/z`. Nothing runs',
  );
  for (const other of [
    { kind: 'finalize', drainsFirst: true },
    { kind: 'packing', pool: 'h100' },
  ])
    expect(stepsWith(other)).toContain(
      'run `fleetwright lock --finalize`, and commit the lock. That stops 1 old replica. N',
    );
});
