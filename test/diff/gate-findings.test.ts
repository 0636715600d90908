import type { Resource } from '../../src/api/kinds';
import { aDoor, aSite, aSplit, to } from '../routing/build';
import {
  canary,
  findings,
  headed,
  jwt,
  keys,
  named,
  NAMED,
  NO_GATEWAY,
  OPEN,
  serving,
  split,
  sql,
  sqlFiles,
  stable,
  TWICE_NAMED,
  withAuth,
} from './gate-fleet';

const limitedSplit = split([95, 5], { maxShareChange: 50 });
const BEFORE = [stable(), canary(), split([95, 5])];

const cases: Record<string, { before?: Resource[]; after: Resource[]; accept?: boolean; want: string[] }> = {
  'refuses an entry whose labels are misspelt': {
    after: [stable({ replicaLabels: { track: 'stabel' } }), canary(), split([95, 5])],
    want: [
      'ModelService ml/chat: the entry track=stable selects nothing any more; it had 95 % of the requests, which now go to ml/next. ml/chat lost track=stable (ModelDeployment ml/chat spec.template.metadata.labels.track): did you mean track=stable instead of stabel?',
    ],
  },
  'does not name the share of another entry, which follows from a misspelt label': {
    before: [stable(), canary(), limitedSplit],
    after: [stable({ replicaLabels: { track: 'stabel' } }), canary(), limitedSplit],
    want: [expect.stringContaining('did you mean track=stable instead of stabel?')],
  },
  'names a misspelt label before the restart that it causes': {
    before: [stable({ replicas: 1 }), canary(), split([95, 5])],
    after: [stable({ replicas: 1, replicaLabels: { track: 'stabel' } }), canary(), split([95, 5])],
    want: [
      expect.stringContaining('did you mean track=stable instead of stabel?'),
      expect.stringContaining('ml/chat has no serving replica for about 2 to 14 minutes while the change is applied'),
    ],
  },
  'refuses an entry of requests with a header by that header': {
    before: [stable(), canary(), split([95, 5]), headed()],
    after: [stable(), canary({ replicas: 0 }), split([95, 5]), headed()],
    want: [
      expect.stringContaining('the entry track=canary selects nothing any more'),
      expect.stringMatching(
        /^ModelService ml\/headed: ml\/next has 'replicas: 0', so the entry track=canary for requests with x-track: next selects nothing any more; it had 100 % of these requests\./,
      ),
    ],
  },
  'says that a deployment has no replicas where that is why a service answers nothing': {
    before: [stable(), aSplit('ml/chat', [to({ track: 'stable' })])],
    after: [stable({ replicas: 0 }), aSplit('ml/chat', [to({ track: 'stable' })])],
    want: [
      "ModelService ml/chat: ml/chat has 'replicas: 0': its service answers nothing. Keep a replica; or add --accept-removals to plan --gate, which removing the service needs too",
    ],
  },
  'says that a deployment has no replicas where that is why an entry of several selects nothing': {
    before: BEFORE,
    after: [stable(), canary({ replicas: 0 }), split([95, 5])],
    want: [
      "ModelService ml/chat: ml/next has 'replicas: 0', so the entry track=canary selects nothing any more; it had 5 % of the requests. Keep a replica, or remove the entry too; if the entry has to stay, add --accept-removals to plan --gate",
    ],
  },
  'passes that a deployment has no replicas any more, where that is accepted': {
    before: BEFORE,
    after: [stable({ replicas: 0 }), canary({ replicas: 0 }), split([95, 5])],
    accept: true,
    want: [],
  },
  'refuses a misspelt label of a deployment without replicas where removals are accepted': {
    before: BEFORE,
    after: [stable(), canary({ replicas: 0, replicaLabels: { track: 'canar' } }), split([95, 5])],
    accept: true,
    want: [expect.stringContaining('the entry track=canary selects nothing any more')],
  },
  'names a gateway that is removed once, and not the entries of its services': {
    before: [...BEFORE, headed()],
    after: [...BEFORE, headed(), NO_GATEWAY],
    want: [
      'No gateway serves ml/chat, ml/headed: InferenceGateway default is removed. Keep a gateway until no client requests the services; or if no client does, add --accept-removals to plan --gate',
    ],
  },
  'passes that the gateway is removed, where that is accepted': {
    before: BEFORE,
    after: [...BEFORE, NO_GATEWAY],
    accept: true,
    want: [],
  },
  'refuses an entry whose selector is misspelt': {
    after: [
      stable(),
      canary(),
      aSplit('ml/chat', [to({ track: 'stabel' }, { weight: 95 }), to({ track: 'canary' }, { weight: 5 })]),
    ],
    want: [expect.stringContaining('the entry track=stabel selects nothing any more')],
  },
  'refuses an entry that an entry above it shadows, and names that entry': {
    after: [
      stable(),
      canary(),
      aSplit('ml/chat', [to({ track: 'canary' }, { weight: 95 }), to({ track: 'canary' }, { weight: 5 })]),
    ],
    want: [
      'ModelService ml/chat: the entry track=canary (spec.endpoints[1]) gets no requests any more, because spec.endpoints[0] above it selects everything that it selects; it had 5 % of the requests; spec.endpoints[0] was the entry track=stable before, which loses its 95 %. Correct the selector of the entry above, move this entry up, or remove it',
    ],
  },
  'passes an entry that is removed': {
    after: [stable(), canary(), aSplit('ml/chat', [to({ track: 'canary' })])],
    want: [],
  },
  'passes an entry that never selected anything': {
    before: [stable(), split([95, 5])],
    after: [stable(), split([95, 5])],
    want: [],
  },
  'refuses that a model is no longer served': {
    before: [stable(), split([1, 1], { servedModelName: 'chat' })],
    after: [stable(), split([1, 1], { servedModelName: 'talk' })],
    want: [
      "ModelService ml/chat: the model 'chat' is no longer served. Keep the name next to the new one (vLLM: both as separate arguments behind --served-model-name), or an endpoint that serves it; if clients no longer request it, add --accept-removals to plan --gate",
    ],
  },
  'refuses that a service announces a name that its engines do not know': {
    before: [stable(NAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'chat' })],
    after: [stable(NAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'talk' })],
    want: [
      "ModelService ml/chat lists 'talk' instead of 'chat' as its model, but ml/chat only serves 'chat': requests for 'talk' get 404. Let the engines serve both names (vLLM: --served-model-name chat talk), or keep 'servedModelName: chat'; if no client asks which models there are, add --accept-removals to plan --gate",
    ],
  },
  'passes another name of a service where its engines serve both': {
    before: [stable(TWICE_NAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'chat' })],
    after: [stable(TWICE_NAMED), aSplit('ml/chat', [to({ track: 'stable' })], { servedModelName: 'talk' })],
    want: [],
  },
  'refuses that keys of clients are no longer accepted, and names the clients': {
    before: [stable(), withAuth(keys('old', 'alice', 'bob'))],
    after: [stable(), withAuth(keys('new', 'carol'))],
    want: [
      "ModelService ml/chat: the keys of alice, bob are no longer accepted. Keep the former credentials in 'auth' until clients have others; or if they can lose access, add --accept-removals to plan --gate",
    ],
  },
  'passes keys that an accepted Secret still contains': {
    before: [stable(), withAuth(keys('old', 'alice', 'bob'))],
    after: [stable(), withAuth(keys('old', 'alice'))],
    want: [],
  },
  'refuses that a service asks for a key that clients do not have': {
    before: [stable(), withAuth(OPEN)],
    after: [stable(), withAuth(keys('new', 'carol'))],
    want: [
      'ModelService ml/chat: clients without a key are no longer accepted. Let clients move first to a second InferenceGateway that asks for credentials; or if they have credentials or can lose access, add --accept-removals to plan --gate',
    ],
  },
  'refuses tokens in place of keys, and says how clients can have both for a time': {
    before: [stable(), withAuth(keys('old', 'alice'))],
    after: [stable(), withAuth(jwt('https://a.example.com', 'chat', 'batch'))],
    want: [
      'ModelService ml/chat: the keys of alice are no longer accepted, only tokens of https://a.example.com for the audiences chat and batch. Leave the service as it is, add a second ModelService with the same endpoints and the new auth, and remove the first when its clients use the second (one service accepts keys, or tokens of one issuer); or if its clients can lose access, add --accept-removals to plan --gate',
    ],
  },
  'refuses keys in place of tokens': {
    before: [stable(), withAuth(jwt('https://a.example.com'))],
    after: [stable(), withAuth(keys('new', 'alice'))],
    want: [
      expect.stringContaining(
        'clients with a token of https://a.example.com are no longer accepted, only keys of alice. Leave the service as it is, ',
      ),
    ],
  },
  'refuses that tokens of an issuer are no longer accepted': {
    before: [stable(), withAuth(jwt('https://a.example.com'))],
    after: [stable(), withAuth(jwt('https://b.example.com'))],
    want: [
      expect.stringContaining(
        'clients with a token of https://a.example.com are no longer accepted, only tokens of https://b.example.com. Leave the service',
      ),
    ],
  },
  'refuses that a token needs another audience': {
    before: [stable(), withAuth(jwt('https://a.example.com', 'chat', 'batch'))],
    after: [stable(), withAuth(jwt('https://a.example.com', 'chat'))],
    want: [expect.stringContaining('clients with a token for batch are no longer accepted. Keep ')],
  },
  'passes that a service no longer asks for a key': {
    before: [stable(), withAuth(keys('old', 'alice'))],
    after: [stable(), withAuth(OPEN)],
    want: [],
  },
  'passes lost keys where removals are accepted': {
    before: [stable(), withAuth(keys('old', 'alice'))],
    after: [stable(), withAuth(keys('new', 'carol'))],
    accept: true,
    want: [],
  },
  'refuses that all requests go to a deployment that is renamed': {
    before: [stable(), aSplit('ml/chat', [to({ track: 'stable' })])],
    after: [named('ml', 'p', stable()), aSplit('ml/chat', [to({ track: 'stable' })])],
    want: [
      expect.stringContaining(
        'ModelService ml/chat has no serving replica for about 2 to 17 minutes while the change is applied: its requests fail until ml/p (the new name of ml/chat) serves. ',
      ),
    ],
  },
  'refuses that all requests go to a deployment that is new': {
    before: [stable(), aSplit('ml/chat', [to({ track: 'stable' })])],
    after: [stable(), canary(), aSplit('ml/chat', [to({ track: 'canary' })])],
    want: [expect.stringContaining('its requests fail until ml/next (new) serves. Deploy first, ')],
  },
  'passes that some requests go to a deployment that is new': {
    before: [stable(), aSplit('ml/chat', [to({ track: 'stable' })])],
    after: [stable(), canary(), aSplit('ml/chat', [to({ track: 'stable' }), to({ track: 'canary' })])],
    want: [],
  },
  'refuses that a deployment loses the place of all replicas': {
    before: [stable({ on: ['us'] })],
    after: [stable({ on: ['us'] }), aSite('eu', { pools: { h100: { nodeCount: 1 } } }), aDoor(['eu'])],
    want: [expect.stringContaining('ml/chat has no serving replica after the change: none has a place')],
  },
  'passes that a deployment declares no replicas any more': {
    before: [stable()],
    after: [stable({ replicas: 0 })],
    want: [],
  },
  'refuses that a service is removed, whose clients get no answer': {
    after: [stable(), canary()],
    want: [
      expect.stringMatching(
        /^ModelService ml\/chat: clients of https?:.*\/ml\/chat\/ get no answer any more, because the service is removed\. /,
      ),
    ],
  },
  'passes that a service is removed, where that is accepted': {
    after: [stable(), canary()],
    accept: true,
    want: [],
  },
  'refuses that the host of a gateway vanishes': {
    after: [...BEFORE, aDoor(['us'], { hostname: 'other.example.com' })],
    want: [expect.stringMatching(/^ModelService ml\/chat: clients of https?:.*\/ml\/chat\/ get no answer any more\. /)],
  },
  'passes that a model is no longer served, where that is accepted': {
    before: [stable(), split([1, 1], { servedModelName: 'chat' })],
    after: [stable(), split([1, 1], { servedModelName: 'talk' })],
    accept: true,
    want: [],
  },
  'refuses that the name of an adapter is no longer served, without a service': {
    before: [sqlFiles, sql('sql')],
    after: [sqlFiles, sql('sql-v2')],
    want: [
      "ModelDeployment ml/chat: the model 'sql' is no longer served. Keep the name next to the new one until no client requests it; if no client does, add --accept-removals to plan --gate",
    ],
  },
  'refuses that another model takes the place of one without a name of its own': {
    before: [stable(serving('Qwen/Qwen3-8B'))],
    after: [stable(serving('Qwen/Qwen3-14B'))],
    want: [
      "ModelDeployment ml/chat: the model 'Qwen/Qwen3-8B' is no longer served. Add the new model as a deployment of its own, and keep this one until no client requests it; if no client does, add --accept-removals to plan --gate",
    ],
  },
  'refuses that the name of an adapter is no longer served by a service': {
    before: [sqlFiles, sql('sql'), aSplit('ml/chat', [to({ track: 'stable' })])],
    after: [sqlFiles, sql('sql-v2'), aSplit('ml/chat', [to({ track: 'stable' })])],
    want: [expect.stringContaining("ModelService ml/chat: the model 'sql' is no longer served. ")],
  },
  'passes an adapter that is added': {
    before: [sqlFiles, sql('sql')],
    after: [sqlFiles, sql('sql', 'text')],
    want: [],
  },
  'passes that the name of an adapter is no longer served, where that is accepted': {
    before: [sqlFiles, sql('sql')],
    after: [sqlFiles, sql('sql-v2')],
    accept: true,
    want: [],
  },
  'refuses a deployment without a service that is renamed, and names its Service': {
    before: [stable()],
    after: [named('ml', 'p', stable())],
    want: [
      expect.stringMatching(
        /^ml\/chat has no serving replica .*: its new name is ml\/p, and clients in its clusters that use its Service chat-\w+ get no answer any more \(the new one is p-\w+\)\. .*add --accept-removals to plan --gate$/,
      ),
    ],
  },
  'passes that a canary is removed with its entry': {
    after: [stable(), aSplit('ml/chat', [to({ track: 'stable' })])],
    want: [],
  },
};
describe('the gate', () => {
  test.each(Object.entries(cases))('%s', (_, { before = BEFORE, after, accept, want }) => {
    expect(findings(before, after, accept)).toEqual(want);
  });
});
