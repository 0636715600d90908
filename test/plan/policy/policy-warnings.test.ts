import type { Resource } from '../../../src/api/kinds';
import { policyFile } from '../../../src/api/policy-file';
import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aCache, aClass, aCluster, aDeployment, byPath, type Doc, parsed } from '../../api/build';
import { formatDiagnostic } from '../../../src/base/diagnostic';

const REGION = 'topology.kubernetes.io/region';
const SETTINGS = parsed('Fleet', 'main', { domains: { hall: 'example.com/hall' } });
const us = aCluster('us', { pools: { h100: 9 }, labels: { [REGION]: 'us-east-1' } });
const berlin = aCluster('berlin', { pools: { h100: 9 }, labels: { [REGION]: 'berlin-dc' } });
const model = (id: string, labels: Record<string, string> = {}) => aDeployment(id, { labels });
const FLEET = [
  aClass('h100'),
  us,
  berlin,
  model('search/q', { data: 'health', tier: 'gold' }),
  model('ml/r', { data: 'open' }),
];

const PLUGIN = aClass('plugin', {
  devices: [
    {
      name: 'gpu',
      driver: 'gpu.nvidia.com',
      deviceClassName: 'gpu.nvidia.com',
      extendedResource: 'nvidia.com/gpu',
    },
  ],
});

const place = (path: readonly PropertyKey[]): string => path.join('.');

/** What a plan is warned of about rules, with the path of the field. */
function warned(rule: Doc, fleet: Resource[] = FLEET, annotations: Record<string, string> = {}): string[] {
  const { rules } = policyFile.parse({ rules: [{ name: 'rule', ...rule }] });
  const policies = rules.map((one) => ({ rule: one, where: '', place }));
  const settings = { ...SETTINGS, metadata: { ...SETTINGS.metadata, annotations } };
  const { plan } = decide({ ...assemble([settings, ...fleet]), policies }, byPath, EMPTY_LOCK);
  return plan.warnings.filter(({ code }) => code === 'idle-rule').map(formatDiagnostic);
}

const WHAT_TO_DO =
  'Correct the rule, or silence this warning with the annotation fleetwright.dev/silence-idle-rule of the Fleet.';
const cases: Record<string, { rule: Doc; fleet?: Resource[]; want: string[] }> = {
  'a namespace like one that is there': {
    rule: { budget: { namespace: 'serch', perMonth: 1 } },
    want: ["budget.namespace: rule 'rule': the fleet has no resource in namespace 'serch'. Did you mean 'search'?"],
  },
  'a namespace that may come': {
    rule: { deviceQuota: { namespace: 'billing', most: 1 } },
    want: [`deviceQuota.namespace: rule 'rule': the fleet has no resource in namespace 'billing'. ${WHAT_TO_DO}`],
  },
  'a device class that no class has': {
    rule: { deviceQuota: { deviceClass: 'gpu.nvidia.co', most: 1 } },
    want: [
      "deviceQuota.deviceClass: rule 'rule': no cluster has devices that pods claim as 'gpu.nvidia.co'. Did you mean 'gpu.nvidia.com'?",
    ],
  },
  'the resource of a device plugin, where pods claim devices': {
    rule: { deviceQuota: { deviceClass: 'nvidia.com/gpu', most: 1 } },
    want: [
      "deviceQuota.deviceClass: rule 'rule': no cluster has devices that pods claim as 'nvidia.com/gpu'. Did you mean 'gpu.nvidia.com'?",
    ],
  },
  'a device class, where pods request the resource of a device plugin': {
    rule: { deviceQuota: { most: 1 } },
    fleet: [PLUGIN, aCluster('old', { pools: { plugin: 1 }, dra: false })],
    want: [
      "deviceQuota.deviceClass: rule 'rule': no cluster has devices that pods claim as 'gpu.nvidia.com'. Did you mean 'nvidia.com/gpu'?",
    ],
  },
  'a label with a value that no deployment has': {
    rule: { allowedRegions: { regions: ['us-east-1'], matchLabels: { data: 'helth' } } },
    want: [
      "allowedRegions.matchLabels.data: rule 'rule': no deployment has the label data=helth. Did you mean 'health'?",
    ],
  },
  'a label that no deployment has': {
    rule: { failureDomains: { spreadBy: 'region', least: 1, matchLabels: { data: 'health', teir: 'gold' } } },
    want: ["failureDomains.matchLabels.teir: rule 'rule': no deployment has the label teir=gold. Did you mean 'tier'?"],
  },
  'labels that no deployment has together': {
    rule: { failureDomains: { spreadBy: 'region', least: 1, matchLabels: { data: 'open', tier: 'gold' } } },
    want: [
      `failureDomains.matchLabels: rule 'rule': no deployment has all labels of data=open, tier=gold. ${WHAT_TO_DO}`,
    ],
  },
  'a failure domain that no cluster is in': {
    rule: { failureDomains: { spreadBy: 'hal', least: 1 } },
    want: ["failureDomains.spreadBy: rule 'rule': no cluster is in a failure domain 'hal'. Did you mean 'hall'?"],
  },
  'a region like one of a cluster': {
    rule: { allowedRegions: { regions: ['us-east-1', 'berlin-cd'] } },
    want: [
      "allowedRegions.regions.1: rule 'rule': no cluster is in region 'berlin-cd', and no known cloud has it. Did you mean 'berlin-dc'?",
    ],
  },
  'a region like one of a cloud': {
    rule: { allowedRegions: { regions: ['europe-wset4'] } },
    want: [
      "allowedRegions.regions.0: rule 'rule': no cluster is in region 'europe-wset4', and no known cloud has it. Did you mean 'europe-west4'?",
    ],
  },
};

const silent: Record<string, { rule: Doc; fleet?: Resource[] }> = {
  'what the fleet has': {
    rule: {
      allowedRegions: { regions: ['us-east-1', 'berlin-dc'], matchLabels: { data: 'health', tier: 'gold' } },
    },
  },
  'a namespace with deployments': { rule: { budget: { namespace: 'ml', perMonth: 1 } } },
  'a namespace with a cache alone': {
    rule: { budget: { namespace: 'caches', perMonth: 1 } },
    fleet: [...FLEET, aCache('caches/w')],
  },
  'a label of replicas': {
    rule: { failureDomains: { spreadBy: 'region', least: 1, matchLabels: { data: 'x' } } },
    fleet: [...FLEET, aDeployment('ml/s', { replicaLabels: { data: 'x' } })],
  },
  'what pods claim without DRA': {
    rule: { deviceQuota: { deviceClass: 'nvidia.com/gpu', most: 0 } },
    fleet: [...FLEET, PLUGIN, aCluster('old', { pools: { plugin: 1 }, dra: false })],
  },
  'the whole fleet': { rule: { budget: { perMonth: 1 } } },
  'a device class that no one holds': { rule: { deviceQuota: { most: 0 } } },
  'a name of a failure domain that every fleet has': {
    rule: { failureDomains: { spreadBy: 'region', least: 1 } },
  },
  'a region of a cloud that no cluster is in': {
    rule: { allowedRegions: { regions: ['us-east-1', 'us-east-2', 'europe-west4'] } },
  },
  'a region like none': { rule: { allowedRegions: { regions: ['moon'] } } },
  'a region next to the one that it is like': {
    rule: { allowedRegions: { regions: ['berlin-dc', 'berlin-dc2'] } },
  },
  'a provider that no one uses': { rule: { forbiddenProviders: ['Vultr'] } },
  'labels and namespaces of a fleet without deployments': {
    rule: { budget: { namespace: 'billing', perMonth: 1 } },
    fleet: [us, aClass('h100')],
  },
};

describe('a rule is warned of that names', () => {
  test.each(Object.entries(cases))('%s', (_, { rule, fleet, want }) => {
    expect(warned(rule, fleet)).toEqual(want);
  });
});

describe('no rule is warned of that names', () => {
  test.each(Object.entries(silent))('%s', (_, { rule, fleet }) => {
    expect(warned(rule, fleet)).toEqual([]);
  });

  const empty: Record<string, Doc> = {
    'labels before there are deployments': {
      allowedRegions: { regions: ['us-east-1'], matchLabels: { a: 'b' } },
    },
    'a device class before there are classes': { deviceQuota: { deviceClass: 'x', most: 1 } },
    'a failure domain before there are clusters': { failureDomains: { spreadBy: 'x', least: 1 } },
  };
  test.each(Object.entries(empty))('%s', (_, rule) => {
    expect(warned(rule, [])).toEqual([]);
  });

  test('something that the Fleet silences', () => {
    const rule = { deviceQuota: { namespace: 'billing', most: 1 } };
    expect(warned(rule, FLEET, { 'fleetwright.dev/silence-idle-rule': 'comes in May' })).toEqual([]);
  });
});
