import type { Resource } from '../../../src/api/kinds';
import { assemble, type Fleet } from '../../../src/fleet/fleet';
import { findSharedParts } from '../../../src/scheduler/compile/reuse-compiled';
import { aCache, aClass, aCluster, aDeployment } from '../../api/build';

const RESOURCES: readonly Resource[] = [
  aClass('h100'),
  aCluster('us', { pools: { h100: 2 } }),
  aCache('ml/weights'),
  aDeployment('ml/a'),
  aDeployment('ml/b'),
];
const FLEET = assemble(RESOURCES);
const [A, B] = FLEET.deployments;
const FORMER = { deployment: 'ml/a', shape: '', declared: A!, text: '' };
const LOST = { cluster: 'us', pool: 'h100', nodes: 1 };
const SETTINGS = { metadata: { name: 'main' }, spec: {} } as NonNullable<Fleet['settings']>;

interface Row {
  readonly other: Partial<Fleet>;
  readonly deployments?: Fleet['deployments'];
  readonly sites?: boolean;
}

const BOTH = { deployments: [A!, B!], sites: true };
const NEITHER = { deployments: [], sites: false };

const rows: Record<string, Row> = {
  'everything, where all is the same': { other: {}, ...BOTH },
  'everything, where only routes differ': { other: { services: [], endpoints: [], gateways: [] }, ...BOTH },
  'nothing, where the settings differ': { other: { settings: SETTINGS }, ...NEITHER },
  'nothing, where one has settings too many': { other: { surplusSettings: [SETTINGS] }, ...NEITHER },
  'nothing, where the catalogue differs': {
    other: { hardware: { ...FLEET.hardware, catalogue: structuredClone(FLEET.hardware.catalogue) } },
    ...NEITHER,
  },
  'nothing, where the prices differ': {
    other: { hardware: { ...FLEET.hardware, prices: structuredClone(FLEET.hardware.prices) } },
    ...NEITHER,
  },
  'nothing, where a class is another object': {
    other: { classes: structuredClone(FLEET.classes) },
    ...NEITHER,
  },
  'nothing, where a class is there for one alone': { other: { classes: [] }, ...NEITHER },
  'no deployment, where a cache is another object': {
    other: { caches: structuredClone(FLEET.caches) },
    deployments: [],
    sites: true,
  },
  'deployments alone, where a cluster is another object': {
    other: { clusters: structuredClone(FLEET.clusters) },
    deployments: [A!, B!],
    sites: false,
  },
  'deployments alone, where nodes are lost': { other: { lost: [LOST] }, deployments: [A!, B!], sites: false },
  'the deployments that are the same object': {
    other: { deployments: [structuredClone(A!), B!] },
    deployments: [B!],
    sites: true,
  },
  'no deployment that runs earlier engines': { other: { former: [FORMER] }, deployments: [B!], sites: true },
};

test.each(Object.entries(rows))('two fleets have in common %s', (_, { other, deployments, sites }) => {
  const changed = { ...FLEET, ...other };
  for (const [one, two] of [
    [FLEET, changed],
    [changed, FLEET],
  ] as const) {
    const common = findSharedParts(one, two);
    expect({ deployments: [...common.deployments], sites: common.sameClusters }).toEqual({
      deployments,
      sites,
    });
  }
});
