import { parseResource } from '../../src/api/kinds';
import { aService } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const bad: Record<string, BadRow> = {
  'a service has at most 256 entries': {
    change: { 'spec.endpoints': Array.from({ length: 257 }, () => ({ selector: { matchLabels: {} } })) },
    want: ['spec.endpoints: a list of 257 items is greater than the maximum of 256. List at most 256 items.'],
  },
  'a service has endpoints': {
    change: { 'spec.endpoints': [] },
    want: ['spec.endpoints: a list of 0 items is less than the minimum of 1. List at least 1 item.'],
  },
  'a weight is at least 1, and an entry without requests is removed': {
    change: { 'spec.endpoints.0.weight': 0 },
    want: [
      'spec.endpoints.0.weight: 0 is less than the minimum of 1. Use at least 1. To send no requests, remove the entry.',
    ],
  },
  'a weight is a number, not a share': {
    change: { 'spec.endpoints.0.weight': '10%' },
    want: [
      `spec.endpoints.0.weight: expected a number, got the text "10%". Write the number without '%'. The share of an entry is its weight, divided by the sum of all weights.`,
    ],
  },
  'a key is not written into a manifest': {
    change: { 'spec.auth': { apiKeys: ['sk-1234'] } },
    want: [
      "spec.auth.apiKeys.0: expected a map, got text. Put the key into a Secret, and name that: '{ name: my-app, secretRef: { name: my-keys } }'.",
    ],
  },
  'a weight is at most 1000000': {
    change: { 'spec.endpoints.0.weight': 1000001 },
    want: ['spec.endpoints.0.weight: 1000001 is greater than the maximum of 1000000. Use at most 1000000.'],
  },
  'an entry selects by labels': {
    change: { 'spec.endpoints.0.selector': {} },
    want: [
      "spec.endpoints.0.selector.matchLabels: the field 'matchLabels' is missing. Add it: Labels that must exist with these values.",
    ],
  },
  'there are two tiers': {
    change: { 'spec.endpoints.0.tier': 2 },
    want: ['spec.endpoints.0.tier: unknown value: the number 2. Use one of 0, 1.'],
  },
  'a header of a match has a name that headers have': {
    change: { 'spec.endpoints.1.match.headers': { 'x canary': '1' } },
    want: [
      "spec.endpoints.1.match.headers.x canary: 'x canary' is not the name of a header. Use letters, digits and '-', as in 'x-session'.",
    ],
  },
  'a header is in a match once, whatever the size of its letters': {
    change: { 'spec.endpoints.1.match.headers': { 'x-canary': '1', 'X-Canary': '2' } },
    want: [
      "spec.endpoints.1.match.headers.X-Canary: the header 'X-Canary' is listed twice: names of headers are case-insensitive. Remove one of the two.",
    ],
  },
  'a header of a match has a value': {
    change: { 'spec.endpoints.1.match.headers': { 'x-canary': '' } },
    want: [
      'spec.endpoints.1.match.headers.x-canary: a header has a value of 1 to 4096 characters. Set it to the value of the header in requests.',
    ],
  },
  'a match has headers': {
    change: { 'spec.endpoints.1.match.headers': {} },
    want: [
      'spec.endpoints.1.match.headers: a match has 1 to 16 headers, not 0. List the headers that select this entry.',
    ],
  },
  'a hash needs something to hash': {
    change: { 'spec.sessionAffinity': undefined },
    want: ["spec.sessionAffinity: picker ConsistentHash needs a header. Set 'sessionAffinity.header'."],
  },
  'sessions and the shortest queue are two wishes': {
    change: { 'spec.picker': 'LeastRequest' },
    want: [
      'spec.picker: picker LeastRequest ignores session affinity. Use ConsistentHash, or remove one of picker and sessionAffinity.',
    ],
  },
  'requests are not asked for a key and a token both': {
    change: { 'spec.auth.apiKeys': [{ name: 'alice', secretRef: { name: 'keys' } }] },
    want: [
      'spec.auth: apiKeys and jwt exclude each other. Set apiKeys or jwt, or write None to accept requests from everyone.',
    ],
  },
  'authentication says how': {
    change: { 'spec.auth': {} },
    want: [
      'spec.auth: authentication has neither keys nor tokens. Set apiKeys or jwt, or write None to accept requests from everyone.',
    ],
  },
  'authentication that is off has no keys': {
    change: { 'spec.auth.enabled': false },
    want: ['spec.auth: authentication is configured, but enabled: false disables it. Remove one of the two.'],
  },
  'a key in clear has no place in a manifest': {
    change: { 'spec.auth': { apiKeys: [{ name: 'alice', secretRef: { name: 'keys' }, key: 'hunter2' }] } },
    want: [
      "spec.auth.apiKeys.0.key: the field 'key' is not allowed here. Put the key into a Secret, set secretRef to its name, and replace the key.",
    ],
  },
  'a key in the place of a name is not shown': {
    change: {
      'spec.auth': { apiKeys: [{ name: 'alice', secretRef: { name: `sk-${'abcd'.repeat(5)}` } }] },
    },
    want: [
      'spec.auth.apiKeys.0.secretRef.name: this looks like a key, and everyone who can read the manifest could use it. Put it into a Secret, write the name of the Secret here, and replace the key.',
    ],
  },
};

describe('ModelService', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('ModelService'), change))).toEqual(want);
  });

  test('an entry weighs 1 by default', () => {
    const selector = { matchLabels: { model: 'qwen3' } };
    expect(aService('chat', { model: 'qwen3' }).spec).toEqual({
      endpoints: [{ weight: 1, tier: 0, selector }],
      timeouts: {},
      externalEndpoints: 'Allowed',
      maxShareChange: 100,
      webSocket: false,
    });
  });

  test('None lets all callers in', () => {
    const document = changed(fullDocument('ModelService'), { 'spec.auth': 'None' });
    expect(parseResource(document)).toMatchObject({
      resource: { spec: { auth: { enabled: false, apiKeys: [] } } },
    });
  });
});
