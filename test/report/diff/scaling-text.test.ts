import type { Resource } from '../../../src/api/kinds';
import { formatStep } from '../../../src/report/diff/change-steps';
import { describeNewReleases, describePaces } from '../../../src/report/diff/scaling-text';
import { aClass, aDeployment, aMember, type Doc, MACHINES } from '../../api/build';
import { diff } from '../../diff/build';
import { aSite } from '../../routing/build';

const H100 = aClass('h100');
const GKE = aClass('gke', { provisioning: MACHINES.GKE });
const SCALES = { monitoring: {}, servingStack: { keda: { install: true }, prometheus: { install: true } } };
const created = (options: Doc = {}): Resource => aSite('us', { source: 'GKE', pools: { gke: 1 }, ...options });
const LARGE = { pools: { gke: 4 } };
const LWS =
  'Before manifests are applied: install lws (LeaderWorkerSet, which gangs need) on us (pulumi up where a FleetStack installs it, otherwise the commands of fleetwright plan --all).';
const ALL =
  'Before manifests are applied: install NAMES on us (pulumi up where a FleetStack installs them, otherwise the commands of fleetwright plan --all).';
const gang = (id: string): Resource => {
  const members = [
    { ...aMember(), role: 'Leader' },
    { ...aMember(), role: 'Worker', worker: { nodes: 1 } },
  ];
  return aDeployment(id, { engines: [{ name: 'main', bootstrap: 'Auto', members }] });
};

test.each<[string, Resource[], Resource[], string[]]>([
  [
    'the stack that creates a cluster installs what a change needs there, before manifests are applied',
    [GKE, created()],
    [GKE, created(SCALES)],
    ['Before manifests are applied: install prometheus and keda on us (pulumi up of its stack).'],
  ],
  [
    'on a cluster that exists, a stack or commands install it',
    [H100, aSite('us')],
    [H100, aSite('us', { monitoring: {}, servingStack: { keda: { install: true } } })],
    [
      'Before manifests are applied: install keda on us (pulumi up where a FleetStack installs it, otherwise the commands of fleetwright plan --all).',
    ],
  ],
  [
    'what was installed before needs no step',
    [GKE, created(SCALES)],
    [GKE, created({ ...SCALES, pools: { gke: 2 } })],
    [],
  ],
  [
    'the first gang on a cluster needs what whoever runs commands may have left out',
    [H100, aSite('us')],
    [H100, aSite('us'), gang('ml/z')],
    [LWS],
  ],
  [
    'another gang there needs nothing more',
    [H100, aSite('us'), gang('ml/z')],
    [H100, aSite('us'), gang('ml/z'), gang('ml/y')],
    [],
  ],
  ['a stack that creates the cluster has installed it', [GKE, created(LARGE)], [GKE, created(LARGE), gang('ml/z')], []],
  ['a stack that creates a cluster installs all of its releases, so nothing waits', [GKE], [GKE, created(SCALES)], []],
  [
    'a new cluster that exists needs all of its releases, except that for gangs',
    [H100],
    [H100, aSite('us', { servingStack: { keda: { install: true } } })],
    [ALL.replace('NAMES', 'cert-manager, envoy-gateway, node-feature-discovery, dra-driver-nvidia-gpu and keda')],
  ],
  [
    'that for gangs too where it has one',
    [H100],
    [H100, aSite('us'), gang('ml/z')],
    [
      ALL.replace(
        'NAMES',
        'cert-manager, envoy-gateway, lws (LeaderWorkerSet, which gangs need), node-feature-discovery and dra-driver-nvidia-gpu',
      ),
    ],
  ],
])('%s', (_, before, after, want) => {
  expect(describeNewReleases(diff(before, after).newReleases).map(formatStep)).toEqual(want);
});

const q = (copies: unknown, every?: string, startup?: Doc): Resource => {
  const up = every === undefined ? {} : { up: { every } };
  const scaling = typeof copies === 'number' ? {} : { scaling: { on: [{ queue: 4 }], ...up } };
  const container = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['Qwen/Qwen3-0.6B'] };
  const member = aMember({ template: { spec: { containers: [container] } } });
  const engine = { name: 'main', copies, ...scaling, ...startup, members: [member] };
  return aDeployment('ml/q', { engines: [engine] });
};
const SCALED = q({ min: 1, max: 4 });
const place = [H100, aSite('us', SCALES)];
const PACE = [
  'Scaling of ml/q adds at most 1 copy every 30 minutes (scaling.up.every; its default is the startup budget, at most 30 minutes).',
];

test.each<[string, Resource[], Resource[], string[]]>([
  ['scaling that is switched on says how fast it adds copies, and what sets that', [q(1)], [SCALED], PACE],
  ['so does that of a new deployment', [], [SCALED], PACE],
  ['so does that whose bounds change', [q({ min: 1, max: 2 })], [SCALED], PACE],
  ['a pace that is declared is in the edits', [q(1)], [q({ min: 1, max: 4 }, '20m')], []],
  [
    'a startup budget that a copy takes is no news',
    [q(1)],
    [q({ min: 1, max: 4 }, undefined, { startup: { budget: '5m' } })],
    [],
  ],
  ['scaling that does not change is no news', [SCALED], [SCALED], []],
])('%s', (_, before, after, want) => {
  expect(describePaces(diff([...place, ...before], [...place, ...after]).paces)).toEqual(want);
});
