import type { Resource } from '../../src/api/kinds';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { byPath, type Doc, parsed } from '../api/build';
import { aDoor, aModel, aSite, aSplit, H100, to } from '../routing/build';

const PODS = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'apps' } } };
const model = (name: string, more: Doc = {}): Resource =>
  aModel(name, { replicas: 1, replicaLabels: { app: 'chat' }, ...more });
const grant = parsed('Grant', 'other/chat', { from: [{ namespace: 'ml' }], to: [{ kind: 'ModelDeployment' }] });

/** A service that selects other replicas. */
const OTHER = [model('ml/other', { replicaLabels: { app: 'other' } }), aSplit('ml/other', [to({ app: 'other' })])];

const rows: Record<string, { resources: Resource[]; want: string[] }> = {
  'a deployment without a service and without peers': {
    resources: [model('ml/a'), ...OTHER],
    want: [
      'No client can reach ModelDeployment ml/a: declare a ModelService that selects it, or name the pods of clients in its networkPolicy.from.',
    ],
  },
  'several of them in one note': {
    resources: [model('ml/a'), model('ml/b'), ...OTHER],
    want: [
      'No client can reach the ModelDeployments ml/a, ml/b: declare a ModelService that selects them, or name the pods of clients in their networkPolicy.from.',
    ],
  },
  'a fleet that routes nothing yet has no note': { resources: [model('ml/a')], want: [] },
  'a deployment that a service selects has clients': {
    resources: [model('ml/a'), aSplit('ml/chat', [to({ app: 'chat' })])],
    want: [],
  },
  'a service that selects a cluster may have them later': {
    resources: [model('ml/a'), aSplit('ml/chat', [to({ app: 'chat', 'fleetwright.dev/cluster': 'east' })])],
    want: [],
  },
  'a service of another namespace selects nothing without a Grant': {
    resources: [model('ml/a'), model('other/a'), aSplit('ml/chat', [to({ app: 'chat' })])],
    want: [expect.stringMatching(/^No client can reach ModelDeployment other\/a: /) as never],
  },
  'a service of another namespace selects with a Grant': {
    resources: [model('ml/a'), model('other/a'), aSplit('ml/chat', [to({ app: 'chat' })]), grant],
    want: [],
  },
  'peers are clients': {
    resources: [model('ml/a', { networkPolicy: { from: [PODS] } }), ...OTHER],
    want: [],
  },
  'without a NetworkPolicy every pod is a client': {
    resources: [model('ml/a', { networkPolicy: { enabled: false } }), ...OTHER],
    want: [],
  },
  'a deployment without replicas needs none': { resources: [model('ml/a', { replicas: 0 }), ...OTHER], want: [] },
};

test.each(Object.entries(rows))('%s', (_, { resources, want }) => {
  const fleet = assemble([H100, aSite('east', { pools: { h100: 4 } }), aDoor(['east']), ...resources]);
  const { notes } = decide(fleet, byPath, EMPTY_LOCK).plan;
  expect(notes.filter((note) => note.startsWith('No client'))).toEqual(want);
});

const empties: Record<string, { site?: Doc; others?: Resource[]; want: string[] }> = {
  'without its settings': {
    want: [
      "No ingress gateway reaches cluster lab, so replicas that services select come to it last: set its spec.gateway, or 'gateway: None' if that is what you want.",
    ],
  },
  'with them': { site: {}, want: [] },
  'that services leave out by choice': { site: { gateway: 'None' }, want: [] },
  'that other replicas use': { others: [model('ml/b', { on: ['lab'], replicaLabels: {} })], want: [] },
};

test.each(Object.entries(empties))('an empty cluster that no gateway reaches is noted: %s', (_, row) => {
  const { site = { gateway: { reach: 'Cluster' } }, others = [], want } = row;
  const lab = aSite('lab', { pools: { h100: 4 }, ...site });
  const east = aSite('east', { pools: { h100: 4 } });
  const routed = [model('ml/a', { on: ['east'] }), aSplit('ml/chat', [to({ app: 'chat' })])];
  const fleet = assemble([H100, east, lab, aDoor(['east']), ...routed, ...others]);
  const { notes } = decide(fleet, byPath, EMPTY_LOCK).plan;
  expect(notes.filter((note) => note.startsWith('No ingress gateway'))).toEqual(want);
});
