import type { FleetDiff } from '../../../src/diff/fleet-diff';
import type { ClusterNeeds } from '../../../src/plan/plan';
import type { RequiredObject } from '../../../src/render/external-references';
import { terminalLines } from '../../../src/report/document/write-terminal';
import { formatNewNeeds } from '../../../src/report/pull-request/new-needs';

const anObject = (change: Partial<RequiredObject>): RequiredObject => ({
  kind: 'Secret',
  name: 'key',
  keys: [],
  for: ['ModelService ml/a'],
  ...change,
});
const created = anObject({ kind: 'StorageClass', name: 'shared', createdByStack: true });
const record = anObject({
  kind: 'DNS record',

  name: 'llm.acme.example',
  for: ['InferenceGateway public'],
});
const on = (cluster: string, ...objects: RequiredObject[]): ClusterNeeds => ({ cluster, objects });
const gateway = (cluster: string): FleetDiff['routes']['gateways'][number] => ({
  cluster,
  isExisting: true,
  kind: 'ingress',
  gateway: 'public',
  action: 'add',
  fields: [],
  causes: [],
});
const key = anObject({});
const newCluster = { cluster: 'eu', kind: 'Cluster', name: 'eu', action: 'create', fields: [], causes: [] } as const;

test.each<[string, ClusterNeeds[], Parameters<typeof formatNewNeeds>[1], string[]]>([
  ['what a stack creates is not for people', [on('us', created)], changes(), []],
  [
    'an object on a cluster that is there comes before manifests',
    [on('us', created, key)],
    changes(),
    ['Before manifests are applied, on clusters:', 'us', 'Secret key, for ModelService ml/a'],
  ],
  [
    'an object on a cluster that the change creates comes after it',
    [on('eu', key)],
    changes([newCluster]),
    ['When the stack has created the cluster:', 'eu', 'Secret key, for ModelService ml/a'],
  ],
  [
    'a DNS record of new gateways comes when these have addresses, and is named once',
    [on('eu', record), on('us', record)],
    changes([newCluster], [gateway('eu'), gateway('us')]),
    ['When the gateways have their addresses:', 'DNS record llm.acme.example, to the gateways on eu, us'],
  ],
  [
    'a DNS record of a gateway that is there comes before manifests, and is on no cluster',
    [on('us', record, key)],
    changes(),
    [
      'Before manifests are applied, on clusters:',
      'us',
      'Secret key, for ModelService ml/a',
      'Before manifests are applied:',
      'DNS record llm.acme.example, to the gateway on us',
    ],
  ],
])('%s', (_, needs, made, want) => {
  expect(terminalLines(formatNewNeeds(needs, made)).map((line) => line.trim())).toEqual(want);
});

function changes(
  cloud: FleetDiff['cloud'] = [],
  gateways: FleetDiff['routes']['gateways'] = [],
): Parameters<typeof formatNewNeeds>[1] {
  return { cloud, routes: { services: [], gateways } };
}
