import { describeSharedNeeds } from '../../../src/report/diff/room-sentences';
import type { Resource } from '../../../src/api/kinds';
import { canary, findingLines, jwt, NEWER, numberedLines, stable } from '../../diff/gate-fleet';
import { aClass, aMember, type Doc, MACHINES } from '../../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../../routing/build';

function names(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `ml/s${String(i).padStart(2, '0')}`);
}

/** Services with an entry for each of two deployments. */
function services(count: number): Resource[] {
  return names(count).map((name) => aSplit(name, [to({ track: 'stable' }), to({ track: 'canary' })]));
}

/** What is found when the label of a deployment that several services select is misspelled. */
function linesOfMisspelling(count: number): string[] {
  const others = [canary(), ...services(count)];
  return findingLines([stable(), ...others], [stable({ replicaLabels: { track: 'stabel' } }), ...others]);
}

const LOST = /^ModelService ml\/s00: the entry track=stable selects nothing any more/;

test('two findings of one kind have a line each', () => {
  expect(linesOfMisspelling(2)).toEqual([expect.stringMatching(LOST), expect.stringContaining('ml/s01')]);
});

test('of three findings of one kind the first is a sentence, and the others are named', () => {
  const [only = '', ...more] = linesOfMisspelling(3);
  expect(more).toEqual([]);
  expect(only).toMatch(/^3 services: ModelService ml\/s00: the entry track=stable selects nothing any more/);
  expect(only).toMatch(/ instead of stabel\? The others: ml\/s01, ml\/s02$/);
});

test('findings of one kind are one line, however many there are', () => {
  const [only = '', ...more] = linesOfMisspelling(30);
  expect(more).toEqual([]);
  expect(only).toMatch(/^30 services: .*\? The others: ml\/s01, (?:ml\/s\d+, ){7}21 more$/);
});

function models(change: Parameters<typeof aModel>[1]): Resource[] {
  return names(4).map((name) => aModel(name, change));
}

/** Two services behind a gateway. */
const behind = (gateway: Doc): Resource[] => [aDoor(['us'], gateway), stable(), canary(), ...services(2)];

/** The Secret of the key of each client. */
const keysOf = (secrets: Record<string, string>): Doc => ({
  auth: { apiKeys: Object.entries(secrets).map(([name, secret]) => ({ name, secretRef: { name: secret } })) },
});
const keys = (name: string): Doc => keysOf({ web: name });

test.each<[string, Doc, Doc, string]>([
  [
    'an address that they lose, with how to keep it',
    { hostname: 'old.example.com' },
    { hostname: 'new.example.com' },
    "Clients of old.example.com get no answer any more (ml/s00, ml/s01). Declare a second InferenceGateway with 'hostname: new.example.com', and keep InferenceGateway default as it is until no client requests old.example.com. If none does already, add --accept-removals to plan --gate",
  ],
  [
    'TLS that is removed, which leaves requests without encryption',
    { hostname: 'a.example.com', tls: { issuer: { name: 'fleet' } } },
    { hostname: 'a.example.com', public: 'insecure' },
    "Clients of https://a.example.com get no answer any more, and requests and keys travel without encryption (ml/s00, ml/s01). Keep 'tls' on InferenceGateway default; if no client does, add --accept-removals to plan --gate",
  ],
  [
    'keys that come from another Secret',
    keys('old'),
    keys('new'),
    'The keys of web are read from fleetwright-system/new instead of fleetwright-system/old, and keys that this Secret lacks are no longer accepted (ml/s00, ml/s01). Copy the keys into that Secret first; or if it has them, add --accept-removals to plan --gate',
  ],
])('services to which the same happens share one sentence that names them: %s', (_, before, after, want) => {
  expect(findingLines(behind(before), behind(after))).toEqual([want]);
});

const LIMITED = { rateLimits: [{ requests: 9, per: 'Minute', by: 'Service' }] };
const batch = (...audiences: string[]): Doc => ({ auth: jwt('https://a.example.com', ...audiences) });

test.each<[string, Resource[], Resource[], RegExp]>([
  [
    'one service, without edits of anything else',
    [aDoor(['us'], batch('a', 'b')), stable(), aSplit('ml/s', [to({ track: 'stable' })])],
    [aDoor(['us'], batch('b')), stable(), aSplit('ml/s', [to({ track: 'stable' })], LIMITED)],
    /^ModelService ml\/s: clients with a token for a are no longer accepted \(edit 1\)\. /,
  ],
  [
    'services that share a sentence',
    behind(batch('a', 'b')),
    behind(batch('b')),
    /^Clients with a token for a are no longer accepted \(ml\/s00, ml\/s01\) \(edit 1\)\. /,
  ],
  [
    'keys, without edits that only add others',
    behind(keysOf({ web: 'old' })),
    behind(keysOf({ app: 'new' })),
    /^The keys of web are no longer accepted \(ml\/s00, ml\/s01\) \(edit 2\)\. /,
  ],
  [
    'a key that comes from another Secret, without edits of others',
    behind(keysOf({ web: 'old' })),
    behind(keysOf({ app: 'other', web: 'new' })),
    /^The keys of web are read from .* are no longer accepted \(ml\/s00, ml\/s01\) \(edit 2\)\. /,
  ],
])('lost access names its edits in a comment: %s', (_, before, after, want) => {
  expect(numberedLines(before, after).filter((line) => line.includes('accepted'))).toEqual([
    expect.stringMatching(want),
  ]);
});

test('many deployments to which the same happens share a sentence, each by its own edit of the same fields', () => {
  const [only, ...more] = findingLines(models({}), models({ engines: [NEWER] }));
  expect(more).toEqual([]);
  expect(only).toMatch(
    /^ml\/s00, ml\/s01, ml\/s02, ml\/s03 have no serving replica for about 3 to 17 minutes while .*; because ModelDeployment ml\/s00 .*, and the like of the others\. Set /,
  );
});

const POOLS = { pa: 30, pb: 20, pc: 10 };

/** Three models, each on a pool of its own that it fills, in a cluster of which an upgrade recreates all nodes. */
function upgraded(kubernetesVersion: string): Resource[] {
  const prices = Object.entries(POOLS);
  const engines = [{ name: 'main', members: [aMember({ gpus: 8 })] }];
  return [
    ...prices.map(([name, perHour]) => aClass(name, { provisioning: MACHINES.EKS, price: { perHour } })),
    aSite('aws', {
      source: 'EKS',
      cluster: { source: 'EKS', eks: { region: 'us-east-1', kubernetesVersion } },
      pools: Object.fromEntries(prices.map(([name]) => [name, { nodeCount: 1, zones: ['us-east-1a'] }])),
    }),
    aDoor(['aws']),
    ...names(3).map((name) => aModel(name, { replicas: 1, engines })),
  ];
}

test('of deployments with other remedies the cheapest comes first, and the others have theirs', () => {
  const [only, ...more] = findingLines(upgraded('1.34'), upgraded('1.35'));
  expect(more).toEqual([]);
  expect(only).toMatch(
    /^3 deployments: ml\/s02 .*'nodeCount: 2' of aws\/pc \(\+\$7,300 a month; .*\. The others: set 'replicas: 2' and 'nodeCount: 2' of aws\/pb \(\+\$14,600 a month\) for ml\/s01; set 'replicas: 2' and 'nodeCount: 2' of aws\/pa \(\+\$21,900 a month\) for ml\/s00$/,
  );
});

function gang(image: string): Resource {
  const template = { spec: { containers: [{ name: 'engine', image, args: ['Qwen/Qwen3-8B'] }] } };
  const members = [
    aMember({ role: 'Leader', gpus: 8, template }),
    aMember({ role: 'Worker', gpus: 8, worker: { nodes: 1 }, template }),
  ];
  return aModel('ml/wide', { replicas: 1, engines: [{ name: 'main', members }] });
}

test('a gang that restarts says which nodes a surge reserves, and what they cost', () => {
  const priced = aClass('h100', { price: { perHour: 10 } });
  const lines = findingLines([priced, gang('vllm/vllm-openai:v0.23.0')], [priced, gang('vllm/vllm-openai:v0.24.0')]);
  expect(lines.join('\n')).toContain('Its surge keeps up to 2 idle nodes of us/h100 ($14,600 a month) free');
});

const manySites = (tag: string): Resource[] => {
  const template = {
    spec: { containers: [{ name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['Qwen/Qwen3-8B'] }] },
  };
  const engines = [{ name: 'main', members: [aMember({ gpus: 8, template })] }];
  return [
    aClass('h100', { price: { perHour: 10 } }),
    aSite('us', { pools: { h100: { nodeCount: 4 } } }),
    ...names(4).map((name) => aModel(name, { replicas: 1, engines })),
  ];
};

test('of deployments that share a line, it also says what they need together', () => {
  const [only, ...more] = findingLines(manySites('v0.23.0'), manySites('v0.24.0'));
  expect(more).toEqual([]);
  expect(only).toMatch(
    /^ml\/s00, ml\/s01, ml\/s02, ml\/s03 have .*\. All 4 together need 4 more nodes of us\/h100 \(\+\$29,200 a month\) to keep serving$/,
  );
});

/** Three models on one GPU, and two on two. */
function sizes(tag: string): Resource[] {
  const template = {
    spec: { containers: [{ name: 'engine', image: `vllm/vllm-openai:${tag}`, args: ['Qwen/Qwen3-8B'] }] },
  };
  return names(5).map((name, at) => {
    return aModel(name, { engines: [{ name: 'main', members: [aMember({ gpus: at < 3 ? 1 : 2, template })] }] });
  });
}

test('deployments with the first remedy in common are counted of all, before the others', () => {
  const [only, ...more] = findingLines(sizes('v0.23.0'), sizes('v0.24.0'));
  expect(more).toEqual([]);
  expect(only).toMatch(/^3 of 5 deployments: ml\/s00, ml\/s01, ml\/s02 have .*\. The others: /);
});

const sites = ['a', 'b', 'c', 'd', 'e'];
const cost = { perMonth: 100, currency: 'USD' };
const sentencesOn = (nodes: (at: number) => number, named?: string[]): string[] => {
  const deployments = ['ml/v', 'ml/w', 'ml/x', 'ml/y'];
  const together = sites.map((name, at) => ({ pool: `${name}/h100`, nodes: nodes(at), cost, deployments }));
  const room = { for: 'surge', missing: [], together } as const;
  return describeSharedNeeds([{ room }, { room }], named);
};

test.each<[does: string, sentences: string[], want: string[]]>([
  [
    'of many pools, what the first need together is named, and the others are counted',
    sentencesOn((at) => at + 2).slice(2),
    [
      'ml/v, ml/w, ml/x, 1 more together need 4 more nodes of c/h100 (+$100 a month) to keep serving',
      'So do deployments on 2 further pools',
    ],
  ],
  [
    'pools that need as much share a sentence, with the price of all',
    sentencesOn(() => 2),
    [
      'ml/v, ml/w, ml/x, 1 more together need 2 more nodes of each of 5 pools: a/h100, b/h100, c/h100, 2 more (+$500 a month) to keep serving',
    ],
  ],
  [
    'deployments that are named before are counted',
    sentencesOn(() => 2, ['ml/u', 'ml/v', 'ml/w', 'ml/x', 'ml/y']).map((text) => text.slice(0, 24)),
    ['4 of the 5 together need'],
  ],
])('%s', (_, sentences, want) => {
  expect(sentences).toEqual(want);
});
