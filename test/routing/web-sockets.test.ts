import { anEndpoint } from '../api/build';
import { aDoor, aModel, anAdapter, aSite, aSplit, routed, sharesOf, to, withAdapters } from './build';

const base = [aSite('east'), aDoor(['east'])];
const llama = aModel('ml/llama', { replicas: 2, replicaLabels: { app: 'chat' } });
const canary = aModel('ml/canary', { replicaLabels: { app: 'canary' } });
const saas = anEndpoint('ml/saas', { labels: { app: 'chat' } });

const rulesFor = (...[entries, webSocket = true]: [Parameters<typeof aSplit>[1], boolean?]): unknown => {
  const tuned = aModel('ml/tuned', { replicaLabels: { app: 'tuned' }, ...withAdapters('sql') });
  const chat = aSplit('ml/chat', entries, { webSocket });
  const { services } = routed(...base, llama, canary, saas, tuned, anAdapter('sql'), chat);
  const rules = services[0]?.webSockets;
  return rules && sharesOf({ ...services[0]!, rules });
};

describe('requests that become WebSockets', () => {
  const cases: Record<string, { got: unknown; want: unknown }> = {
    'are refused where the service does not ask for them': {
      got: rulesFor([to({ app: 'chat' })], false),
      want: undefined,
    },
    'go to replicas alone, which share among themselves': {
      got: rulesFor([to({ app: 'chat' }, { weight: 3 }), to({ app: 'canary' }, { weight: 1 })]),
      want: [['0 1 0.canary.chat.ml.east', '0 3 0.llama.chat.ml.east']],
    },
    'follow headers': {
      got: rulesFor([to({ app: 'chat' }), to({ app: 'canary' }, { match: { headers: { 'x-canary': '1' } } })]),
      want: [['0 1 0.canary.chat.ml.east'], ['0 1 0.llama.chat.ml.east']],
    },
    'have no rule for an adapter': {
      got: rulesFor([to({ app: 'canary' }), to({ app: 'tuned' })]),
      want: [['0 1 0.canary.chat.ml.east', '0 1 0.tuned.chat.ml.east']],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => expect(got).toEqual(want));

  test('are refused where an endpoint alone serves', () => {
    const rented = anEndpoint('ml/rented', { labels: { app: 'rented' } });
    const chat = aSplit('ml/chat', [to({ app: 'rented' })], { webSocket: true });
    expect(routed(...base, rented, chat).services[0]).not.toHaveProperty('webSockets');
  });
});
