import type { Resource } from '../../../src/api/kinds';
import { listSmokeTargets } from '../../../src/live/smoke/smoke-test';
import type { Doc } from '../../api/build';
import { aDoor, aModel, anAdapter, aSite, aSplit, decided, to, withAdapters } from '../../routing/build';

const door = aDoor(['east', 'west'], { hostname: 'models.example.com' });

/** What the services of a fleet are asked, with an adapter `a-sql` and one `tone`. */
function asked(...resources: Resource[]): string[] {
  const sites = [aSite('east'), aSite('west')];
  const { fleet, routing } = decided(...sites, anAdapter('a-sql'), anAdapter('tone'), ...resources);
  return listSmokeTargets(fleet.services, routing).map(({ service, url = 'nowhere', gateways, model = '?' }) =>
    [service, url, ...gateways, model].join(', '),
  );
}

/** Replicas with adapters, labelled by their name. */
function model(name: string, ...adapters: string[]): Resource {
  return aModel(`ml/${name}`, { replicaLabels: { app: name }, ...withAdapters(...adapters) });
}

function chat(entries: Doc[], more: Doc = {}): Resource {
  return aSplit('ml/chat', entries, more);
}

const [A, B] = [to({ app: 'a' }), to({ app: 'b' })];
const CANARY = { match: { headers: { 'x-canary': '1' } } };
const URL = 'http://models.example.com/ml/chat/, default on east, default on west';

const rows: Record<string, { resources: Resource[]; want: string[] }> = {
  'a service is asked for one model, at a URL once': {
    resources: [door, model('a'), chat([A], { servedModelName: 'm' })],
    want: [`ml/chat, ${URL}, m`],
  },
  'adapters that all replicas hold are like any model': {
    resources: [door, model('a', 'tone'), chat([A], { servedModelName: 'm' })],
    want: [`ml/chat, ${URL}, m`],
  },
  'an adapter that some hold has a route of its own, and is asked for as well': {
    resources: [door, model('a', 'a-sql'), model('b'), chat([A, B], { servedModelName: 'm' })],
    want: [`ml/chat, ${URL}, m`, `ml/chat, ${URL}, a-sql`],
  },
  'not where only requests with a header come to that': {
    resources: [
      door,
      model('a'),
      model('b', 'tone'),
      model('c'),
      chat([A, { ...B, ...CANARY }, to({ app: 'c' }, CANARY)], { servedModelName: 'm' }),
    ],
    want: [`ml/chat, ${URL}, m`],
  },
  'one without a name of its own by that of its engines': {
    resources: [door, model('a'), chat([A])],
    want: [`ml/chat, ${URL}, Qwen/Qwen3-8B`],
  },
  'a service without a gateway is there': {
    resources: [model('a'), chat([A])],
    want: ['ml/chat, nowhere, ?'],
  },
};

test.each(Object.entries(rows))('%s', (_, { resources, want }) => {
  expect(asked(...resources)).toEqual(want);
});
