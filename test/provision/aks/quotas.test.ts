import { assemble } from '../../../src/fleet/fleet';
import { describeAksQuotas } from '../../../src/provision/aks/quotas';
import { aCluster, type Doc, parsed } from '../../api/build';

const classes = [
  parsed('InferenceClass', 'nvl', { from: 'azure/Standard_NC40ads_H100_v5' }),
  parsed('InferenceClass', 'spot', {
    from: 'azure/Standard_NC40ads_H100_v5',
    provisioning: { aks: { spot: true } },
  }),
];

const onAks = (location: string): Doc => ({ cluster: { source: 'AKS', aks: { location } } });

const rows: Record<string, { readonly clusters: Readonly<Record<string, Doc>>; readonly want: readonly string[] }> = {
  'quota is for the most nodes of pools, and for the pool of system pods': {
    clusters: { a: { ...onAks('eastus'), pools: { nvl: { nodeCount: 1, maxNodeCount: 3 } } } },
    want: ["Azure must grant these vCPUs in eastus: 120 of 'StandardNCadsH100v5Family', 16 of 'standardDSv5Family'."],
  },
  'spot nodes of all sizes share a quota': {
    clusters: { a: { ...onAks('eastus'), pools: { spot: 2 } } },
    want: ["Azure must grant these vCPUs in eastus: 80 of 'lowPriorityCores', 16 of 'standardDSv5Family'."],
  },
  'clusters in one region share it, and those in another do not': {
    clusters: {
      a: { ...onAks('eastus'), pools: { nvl: 1 } },
      b: { ...onAks('eastus'), pools: { nvl: 1 } },
      c: onAks('westeurope'),
    },
    want: [
      "Azure must grant these vCPUs in eastus: 80 of 'StandardNCadsH100v5Family', 32 of 'standardDSv5Family'.",
      "Azure must grant these vCPUs in westeurope: 16 of 'standardDSv5Family'.",
    ],
  },
  'clusters on other clouds need no quota of Azure': { clusters: { a: { source: 'EKS' } }, want: [] },
};

test.each(Object.entries(rows))('%s', (_, { clusters, want }) => {
  const declared = Object.entries(clusters).map(([name, spec]) => aCluster(name, { source: 'AKS', ...spec }));
  expect(describeAksQuotas(assemble([...classes, ...declared]))).toEqual(want);
});
