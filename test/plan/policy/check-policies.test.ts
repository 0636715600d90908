import type { Resource } from '../../../src/api/kinds';
import { formatAdvisedFinding, formatPolicyFinding } from '../../../src/report/plan/policy-text';
import { aClass, aCluster, aDeployment, aMember, anEngine, type Doc, MACHINES, parsed } from '../../api/build';
import { findings, reported } from './build';

const TEN = aClass('ten', { price: { perHour: 10 } });
const FREE = aClass('free');
const REGION = 'topology.kubernetes.io/region';
const inRegion = (name: string, region?: string, pool = 'ten') =>
  aCluster(name, { pools: { [pool]: 2 }, labels: region ? { [REGION]: region } : {} });
const GKE = aClass('gke', { provisioning: MACHINES.GKE });
const WARNED = 'warned by rule: policy.yaml:2:5:';
const ABOUT = '1 pool has no price; about $64,600 with prices of other regions.';

const ELSEWHERE = aCluster('elsewhere', {
  cluster: { source: 'GKE', gke: { region: 'europe-west4' } },
  pools: { gke: { nodeCount: 1, zones: ['europe-west4-a'] } },
});
const eight = (more: Doc = {}) => aDeployment('ml/q', { engines: [anEngine('main', { gpus: 8 })], ...more });
const [eu, us] = [inRegion('eu', 'eu-west'), inRegion('us', 'us-east')];
const door = (spec: Doc) =>
  parsed('InferenceGateway', 'front', { clusters: ['eu'], hostname: 'a.example.com', ...spec });
const image = (name: string) =>
  anEngine('main', {
    members: [aMember({ template: { spec: { containers: [{ name: 'engine', image: name, args: ['a/b'] }] } } })],
  } as Doc);

const left = (key: string) => aCluster('us', { pools: { ten: 2 }, taints: [{ key, effect: 'NoExecute' }] });

const regions = (matchLabels: Doc = {}) => ({ allowedRegions: { regions: ['eu-west'], matchLabels } });

const cases: Record<string, { resources: Resource[]; rule: Doc; before?: Resource[]; want: string[] }> = {
  'replicas beyond a quota say how many fit': {
    resources: [TEN, aCluster('eu', { pools: { ten: 5 } }), eight({ replicas: 5 })],
    rule: { deviceQuota: { most: 20 } },
    want: [
      'denied by rule: policy.yaml:2:5: the fleet uses 40 of gpu.nvidia.com, and the limit is 20. It is met with 2 replicas of ml/q instead of 5.',
    ],
  },
  'replicas beyond a quota of which not all have a place say how many are declared': {
    resources: [TEN, aCluster('eu', { pools: { ten: 5 } }), eight({ replicas: 6 })],
    rule: { deviceQuota: { most: 20 } },
    want: [
      'denied by rule: policy.yaml:2:5: the fleet uses 40 of gpu.nvidia.com, and the limit is 20. It is met with 2 replicas of ml/q instead of the 5 of 6 that have a place.',
    ],
  },
  'replicas of the lock are not to be left out': {
    before: [TEN, aCluster('eu', { pools: { ten: 5 } }), eight({ replicas: 3 })],
    resources: [TEN, aCluster('eu', { pools: { ten: 5 } }), eight({ replicas: 5 })],
    rule: { deviceQuota: { most: 20 } },
    want: ['denied by rule: policy.yaml:2:5: the fleet uses 40 of gpu.nvidia.com, and the limit is 20.'],
  },
  'replicas beyond the budget of their namespace say how many fit': {
    resources: [TEN, aCluster('eu', { pools: { ten: 5 } }), eight({ replicas: 3 }), aDeployment('other/r')],
    rule: { budget: { namespace: 'ml', perMonth: 15_000 } },
    want: [
      'denied by rule: policy.yaml:2:5: namespace ml costs $21,900, and the limit is $15,000 a month. It is met with 2 replicas of ml/q instead of 3.',
    ],
  },
  'replicas are in regions that are allowed': { resources: [TEN, eu, eight()], rule: regions(), want: [] },
  'and not elsewhere': {
    resources: [TEN, eu, us, eight({ replicas: 2 })],
    rule: regions(),
    want: ['denied by rule: ModelDeployment ml/q spec: ml/q is on us (us-east), and may run only in eu-west.'],
  },
  'a replica that is draining is on its way': {
    before: [TEN, us, eight()],
    resources: [
      TEN,
      eu,
      aCluster('us', {
        pools: { ten: 2 },
        labels: { [REGION]: 'us-east' },
        taints: [{ key: 'drain', effect: 'NoExecute' }],
      }),
      eight(),
    ],
    rule: regions(),
    want: [],
  },
  'a cluster without a region is in none of them': {
    resources: [TEN, inRegion('bare'), eight()],
    rule: regions(),
    want: ['denied by rule: ModelDeployment ml/q spec: ml/q is on bare (no region), and may run only in eu-west.'],
  },
  'a rule is about those that carry its labels': {
    resources: [TEN, us, eight({ labels: { data: 'health' } }), aDeployment('ml/r')],
    rule: regions({ data: 'health' }),
    want: ['denied by rule: ModelDeployment ml/q spec: ml/q is on us (us-east), and may run only in eu-west.'],
  },
  'labels of replicas count as well': {
    resources: [TEN, us, eight({ replicaLabels: { data: 'health' } })],
    rule: { ...regions({ data: 'health' }), effect: 'Warn' },
    want: ['warned by rule: ModelDeployment ml/q spec: ml/q is on us (us-east), and may run only in eu-west.'],
  },
  'a fleet costs no more than it may, with all that autoscalers add': {
    resources: [TEN, aCluster('eu', { pools: { ten: { nodeCount: 1, maxNodeCount: 3 } } })],
    rule: { budget: { perMonth: 21_899 } },
    want: ['denied by rule: policy.yaml:2:5: the fleet costs $21,900, and the limit is $21,899 a month.'],
  },
  'to the cent': {
    resources: [TEN, aCluster('eu', { pools: { ten: { nodeCount: 1, maxNodeCount: 3 } } })],
    rule: { budget: { perMonth: 21_900 } },
    want: [],
  },
  'a namespace costs what it uses': {
    resources: [TEN, eu, eight(), aDeployment('other/q', { engines: [anEngine('main', { gpus: 8 })] })],
    rule: { budget: { namespace: 'ml', perMonth: 7000 } },
    want: ['denied by rule: policy.yaml:2:5: namespace ml costs $7,300, and the limit is $7,000 a month.'],
  },
  'one without anything costs nothing': {
    resources: [TEN, eu, eight()],
    rule: { budget: { namespace: 'none', perMonth: 0 } },
    want: [],
  },
  'what no one knows is reported, and denies nothing': {
    resources: [TEN, FREE, eu, inRegion('us', 'us-east', 'free')],
    rule: { budget: { perMonth: 15_000 } },
    want: [
      'warned by rule: policy.yaml:2:5: it is unknown whether the fleet costs more than $15,000 a month: 1 pool has no price.',
    ],
  },
  'prices of other regions close below the limit leave it uncertain, and are named': {
    resources: [GKE, ELSEWHERE],
    rule: { budget: { perMonth: 70_000 } },
    want: [`${WARNED} it is uncertain whether the fleet costs more than $70,000 a month: ${ABOUT}`],
  },
  'prices of other regions far below the limit leave it uncertain': {
    resources: [GKE, ELSEWHERE],
    rule: { budget: { perMonth: 100_000 } },
    want: [`${WARNED} it is uncertain whether the fleet costs more than $100,000 a month: ${ABOUT}`],
  },
  'prices of other regions say that it probably costs more, which denies nothing': {
    resources: [GKE, ELSEWHERE],
    rule: { budget: { perMonth: 50_000 } },
    want: [`${WARNED} the fleet probably costs more than $50,000 a month: ${ABOUT}`],
  },
  'and so is how much of it': {
    resources: [TEN, FREE, eu, inRegion('us', 'us-east', 'free'), inRegion('us2', 'us-east', 'free')],
    rule: { budget: { perMonth: 15_000 } },
    want: [expect.stringMatching(/: 2 pools have no price\.$/)],
  },
  'what is known to be too much denies all the same': {
    resources: [TEN, FREE, eu, inRegion('us', 'us-east', 'free')],
    rule: { budget: { perMonth: 14_000 } },
    want: [
      'denied by rule: policy.yaml:2:5: the fleet costs at least $14,600 (1 pool without a price), and the limit is $14,000 a month; $14,600 of it is idle.',
    ],
  },
  'no gateway is public': {
    resources: [TEN, eu, door({ public: 'insecure' })],
    rule: { noPublicGateway: true },
    want: ['denied by rule: InferenceGateway front spec.public: gateway front is public.'],
  },
  'one that is not is fine': {
    resources: [TEN, eu, door({ public: false })],
    rule: { noPublicGateway: true },
    want: [],
  },
  'images have a digest': {
    resources: [TEN, eu, aDeployment('ml/q', { engines: [image('vllm/vllm-openai:v0.11.0')] })],
    rule: { pinnedImages: true },
    want: [
      'denied by rule: ModelDeployment ml/q spec.template.spec.engines.0.members.0.template.spec.containers.0.image: container engine of ml/q runs vllm/vllm-openai:v0.11.0, without a digest.',
    ],
  },
  'those that have one are fine': {
    resources: [
      TEN,
      eu,
      aDeployment('ml/q', { engines: [image(`vllm/vllm-openai:v0.11.0@sha256:${'a'.repeat(64)}`)] }),
    ],
    rule: { pinnedImages: true },
    want: [],
  },
  'replicas are in as many domains as they must be': {
    resources: [TEN, eu, us, eight({ replicas: 2 })],
    rule: { failureDomains: { spreadBy: 'region', least: 2 } },
    want: [],
  },
  'and not in fewer': {
    resources: [TEN, eu, inRegion('eu2', 'eu-west'), eight({ replicas: 2 })],
    rule: { failureDomains: { spreadBy: 'region', least: 2 } },
    want: ['denied by rule: ModelDeployment ml/q spec: ml/q is in 1 domains of region, and must be in at least 2.'],
  },
  'a deployment without replicas is in none, and need not be': {
    resources: [TEN, eu, eight({ replicas: 0 })],
    rule: { failureDomains: { spreadBy: 'region', least: 2 } },
    want: [],
  },
  'devices are counted by namespace, without those for rollouts': {
    resources: [TEN, eu, eight({ rollout: { surge: 1 } }), aDeployment('other/q')],
    rule: { deviceQuota: { namespace: 'ml', most: 7 } },
    want: ['denied by rule: policy.yaml:2:5: namespace ml uses 8 of gpu.nvidia.com, and the limit is 7.'],
  },
  'or all of them': {
    resources: [TEN, eu, us, eight(), aDeployment('other/q')],
    rule: { deviceQuota: { most: 8 } },
    want: [
      'denied by rule: policy.yaml:2:5: the fleet uses 9 of gpu.nvidia.com, and the limit is 8. Most is used by ml/q (8), other/q (1).',
    ],
  },
  'a quota on other devices is another': {
    resources: [TEN, eu, eight()],
    rule: { deviceQuota: { deviceClass: 'nic.example.com', most: 0 } },
    want: [],
  },
  'a replica that drains from a live cluster holds its devices': {
    before: [TEN, us, eight()],
    resources: [TEN, eu, left('maintenance'), eight()],
    rule: { deviceQuota: { most: 8 } },
    want: [
      `denied by rule: policy.yaml:2:5: the fleet uses 16 of gpu.nvidia.com (8 of them in draining replicas), and the limit is 8.`,
    ],
  },
  'one of a lost cluster holds none': {
    before: [TEN, us, eight()],
    resources: [TEN, eu, left('lost'), eight()],
    rule: { deviceQuota: { most: 8 } },
    want: [],
  },
  'nor does its namespace pay for it': {
    before: [TEN, us, eight()],
    resources: [TEN, eu, left('lost'), eight()],
    rule: { budget: { namespace: 'ml', perMonth: 7300 } },
    want: [],
  },
  'it pays for one that drains from a live cluster': {
    before: [TEN, us, eight()],
    resources: [TEN, eu, left('maintenance'), eight()],
    rule: { budget: { namespace: 'ml', perMonth: 7300 } },
    want: ['denied by rule: policy.yaml:2:5: namespace ml costs $14,600, and the limit is $7,300 a month.'],
  },
  'moves off a lost cluster are warnings': {
    before: [TEN, us, eight()],
    resources: [TEN, eu, left('lost'), eight()],
    rule: { moves: { most: 0 } },
    want: [
      'warned by rule: policy.yaml:2:5: 1 replica moves, or is rolled in place with a new shape, and the limit for one change is 0.',
    ],
  },
  'and so are the domains that are left': {
    before: [TEN, eu, us, eight({ replicas: 2 })],
    resources: [TEN, eu, left('lost'), eight({ replicas: 2 })],
    rule: { failureDomains: { spreadBy: 'cluster', least: 2 } },
    want: ['warned by rule: ModelDeployment ml/q spec: ml/q is in 1 domains of cluster, and must be in at least 2.'],
  },
  'a lost cluster lets no replica out of its region': {
    before: [TEN, us, eight()],
    resources: [TEN, eu, left('lost'), eight()],
    rule: { allowedRegions: { regions: ['us-east'], matchLabels: {} } },
    want: ['denied by rule: ModelDeployment ml/q spec: ml/q is on eu (eu-west), and may run only in us-east.'],
  },
  'no more replicas move than may': {
    before: [TEN, eu, eight()],
    resources: [TEN, us, eight()],
    rule: { moves: { most: 0 } },
    want: [
      'denied by rule: policy.yaml:2:5: 1 replica moves, or is rolled in place with a new shape, and the limit for one change is 0.',
    ],
  },
  'nor do some': {
    before: [TEN, eu, eight({ replicas: 2 })],
    resources: [TEN, us, eight({ replicas: 2 })],
    rule: { moves: { most: 1 } },
    want: [
      'denied by rule: policy.yaml:2:5: 2 replicas move, or are rolled in place with a new shape, and the limit for one change is 1.',
    ],
  },
  'as many as may do': {
    before: [TEN, eu, eight()],
    resources: [TEN, us, eight()],
    rule: { moves: { most: 1 } },
    want: [],
  },
  'no cluster is on a provider that is forbidden': {
    resources: [TEN, eu],
    rule: { forbiddenProviders: ['Vultr', 'Existing'] },
    want: ['denied by rule: InferenceCluster eu spec.cluster.source: cluster eu is on Existing.'],
  },
  'others are': { resources: [TEN, eu], rule: { forbiddenProviders: ['Vultr'] }, want: [] },
};

test.each(Object.entries(cases))('policy: %s', (_, { resources, rule, before, want }) => {
  expect(reported(resources, rule, before)).toEqual(want);
});

const CLUSTERS = `set spec.template.spec.clusterSelector to '{ matchExpressions: [{ key: ${REGION}, operator: In, values: [eu-west] }] }'`;

test('what is far below the limit is undecided, next to the limit', () => {
  const [found] = findings([GKE, ELSEWHERE], { budget: { perMonth: 100_000 } });
  expect(found?.unsure).toMatch(/^1 price unknown \(.*gke\), about \$64,600 of at most \$100,000 a month$/);
});

test.each([
  ['allowed regions', regions(), CLUSTERS, "change rule 'rule' at policy.yaml:2:5"],
  [
    'failure domains',
    { failureDomains: { spreadBy: 'cluster', least: 2 } },
    "set spec.placement to '{ spreadBy: cluster, minDomains: 2 }'",
    "lower failureDomains.least of rule 'rule' (policy.yaml:2:5) from 2 to 1",
  ],
])('a plan that breaks a rule on %s says how replicas are placed as it demands', (_, rule, want, otherwise) => {
  const [found] = findings([TEN, us, eight()], rule);
  const advice = `Placement does not follow rules: ${want}`;
  const hint = expect.stringContaining(`${advice}, or ${otherwise}`) as string;
  expect(found).toMatchObject({ advice, hint });
  expect(found && formatAdvisedFinding(found)).toBe(`${formatPolicyFinding(found!)} ${advice}.`);
});
