import { findServiceWarnings } from '../../src/diff/service-warnings';
import type { Resource } from '../../src/api/kinds';
import { aClass, type Doc } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { diff, state } from './build';
import { jwt, keys } from './gate-fleet';

const base = [aClass('h100'), aSite('us'), aDoor(['us']), aModel('ml/q', { replicaLabels: { app: 'q' } })];
const service = (spec: Doc): Resource[] => [...base, aSplit('ml/chat', [to({ app: 'q' })], spec)];
const byKey = (requests: number): Doc => ({ rateLimits: [{ requests, per: 'Minute', by: 'Key' }] });
const CLAIM = 'a value of the claim sub';
const KEYS = { auth: keys('apps', 'a') };
const TOKENS = { auth: jwt('https://a.example.com') };

test.each<[string, Doc, Doc, string[]]>([
  [
    'requests end earlier than before, at both times',
    {},
    { timeouts: { request: '10m', idle: '5m' } },
    [
      'ml/chat ends requests after 10 min and after 5 min without a byte, earlier than before. Check how long the requests of clients take: streamed answers end too',
    ],
  ],
  [
    'nothing of a time that is longer or goes',
    { timeouts: { request: '10m', idle: '5m' } },
    { timeouts: { idle: '6m' } },
    [],
  ],
  [
    'a client is a value of a claim in place of a key, and what requests without the claim share',
    { ...KEYS, ...byKey(600) },
    { ...TOKENS, ...byKey(60) },
    [
      `ml/chat accepts at most 60 requests a minute of each client instead of 600, at each of 2 gateway proxies. A client is now ${CLAIM}, and no longer a key. Requests whose token lacks the claim count as one client. Requests above the limit get 429. Check what clients send`,
    ],
  ],
  [
    'a client is a key in place of a value of a claim',
    { ...TOKENS, ...byKey(600) },
    { ...KEYS, ...byKey(60) },
    [
      `ml/chat accepts at most 60 requests a minute of each client instead of 600, at each of 2 gateway proxies. A client is now a key, and no longer ${CLAIM}. Requests above the limit get 429. Check what clients send`,
    ],
  ],
  [
    'nothing of clients where the same tells them apart',
    { ...KEYS, ...byKey(600) },
    { ...KEYS, ...byKey(60) },
    [
      'ml/chat accepts at most 60 requests a minute of each client instead of 600, at each of 2 gateway proxies. Requests above the limit get 429. Check what clients send',
    ],
  ],
])('a warning says that %s', (_, before, after, want) => {
  const [was, is] = [service(before), service(after)];
  const states = { before: state('main', was).decision, after: state('here', is).decision, at: 'here' };
  const found = findServiceWarnings(diff(was, is), states).filter(({ code }) => code === 'limit-lowered');
  expect(found.map(({ message, hint }) => `${message}. ${hint}`)).toEqual(want);
});

test('a warning on the times of requests is at their fields', () => {
  const [was, is] = [service({}), service({ ...KEYS, timeouts: { request: '10m', idle: '5m' } })];
  const states = { before: state('main', was).decision, after: state('here', is).decision, at: 'here' };
  const found = findServiceWarnings(diff(was, is), states).filter(({ code }) => code === 'limit-lowered');
  expect(found.map(({ at, alsoAt = [] }) => [at, ...alsoAt])).toEqual([
    ['ModelService ml/chat spec.timeouts.idle', 'ModelService ml/chat spec.timeouts.request'],
  ]);
});
