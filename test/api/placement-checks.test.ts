import type { Resource } from '../../src/api/kinds';
import { aCluster, anEngine, type Doc, parsed } from './build';
import { checkRow, type FleetRow } from './rows';

const inTier = (region: string, rack?: string) => ({ labels: { tier: region, ...(rack && { rack }) } });
const eu = aCluster('eu', inTier('eu', 'r1'));
const eu2 = aCluster('eu-2', inTier('eu', 'r2'));
const us = aCluster('us', inTier('us'));

/** Two replicas of a deployment that is placed as a row says. */
function placedBy(placement: Doc, options: Doc = {}): Resource {
  const { replicas = 2, allowPartial = false, clusterSelector } = options;
  const engines = [anEngine('main')];
  return parsed('ModelDeployment', 'ml/q', {
    replicas,
    allowPartial,
    placement,
    template: { spec: { engines, ...(clusterSelector !== undefined && { clusterSelector }) } },
  });
}

const AT = 'ModelDeployment ml/q spec.placement';

const spreading: Record<string, FleetRow> = {
  'a label that a cluster carries is fine to spread by': {
    resources: [eu, us, placedBy({ spreadBy: 'tier' })],
    want: [],
  },
  'a label that no cluster carries is not, and the nearest is suggested': {
    resources: [eu, us, placedBy({ spreadBy: 'teir' })],
    want: [`${AT}.spreadBy: no cluster has the label 'teir'. Use 'tier'.`],
  },
  'a name of a domain is suggested too, where clusters carry its label': {
    resources: [aCluster('us', { source: 'GKE' }), placedBy({ spreadBy: 'regoin' })],
    want: [`${AT}.spreadBy: no cluster has the label 'regoin'. Use 'region'.`],
  },
  'but not where none does: existing clusters tell no region': {
    resources: [eu, placedBy({ spreadBy: 'region' })],
    want: [
      `${AT}.spreadBy: no cluster has the label 'topology.kubernetes.io/region', which 'region' stands for. Add the label to clusters, or spread by a label that they have.`,
    ],
  },
  ...Object.fromEntries(
    ['zone', 'topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((spreadBy) => [
      `pods of one cluster spread over its nodes, not replicas: ${spreadBy}`,
      {
        resources: [eu, placedBy({ spreadBy })],
        want: [
          `${AT}.spreadBy: no cluster has the label '${spreadBy}'. Use 'cluster' or 'region': replicas spread over clusters. The nodes of a pool spread over its 'zones'.`,
        ],
      },
    ]),
  ),
  'a label of clusters may have the name of one of nodes': {
    resources: [aCluster('eu', { labels: { zone: 'a' } }), placedBy({ spreadBy: 'zone' })],
    want: [],
  },
  'a name that the fleet declares stands for its label': {
    resources: [
      parsed('Fleet', 'main', { domains: { rack: 'example.com/rack' } }),
      aCluster('eu', { labels: { 'example.com/rack': 'r1' } }),
      placedBy({ spreadBy: 'rack' }),
    ],
    want: [],
  },
  'a fleet may redefine a name that every fleet has': {
    resources: [parsed('Fleet', 'main', { domains: { region: 'tier' } }), eu, placedBy({ spreadBy: 'region' })],
    want: [],
  },
  'a name of the language is no domain': {
    resources: [eu, placedBy({ spreadBy: 'constructor' })],
    want: [
      `${AT}.spreadBy: no cluster has the label 'constructor'. Add the label to clusters, or spread by a label that they have.`,
    ],
  },
  'a fleet without clusters is not the fault of its deployments': {
    resources: [placedBy({ spreadBy: 'tier', minDomains: 2, maxPerDomain: 1 })],
    want: [],
  },
};

const limits: Record<string, FleetRow> = {
  'replicas cannot be in more domains than there are replicas': {
    resources: [eu, us, placedBy({ spreadBy: 'tier', minDomains: 3 })],
    want: [`${AT}.minDomains: 2 replicas cannot be in 3 domains. Set replicas to at least 3, or lower minDomains.`],
  },
  'not even where fewer replicas are fine': {
    resources: [eu, us, placedBy({ spreadBy: 'tier', minDomains: 2 }, { replicas: 1, allowPartial: true })],
    want: [`${AT}.minDomains: 1 replica cannot be in 2 domains. Set replicas to at least 2, or lower minDomains.`],
  },
  'a deployment that is scaled to zero is in no domain': {
    resources: [eu, us, placedBy({ spreadBy: 'tier', minDomains: 2 }, { replicas: 0 })],
    want: [],
  },
  'fewer domains than asked for are a shortfall, so that a lost cluster stops nothing else': {
    resources: [eu, placedBy({ spreadBy: 'tier', minDomains: 2 })],
    want: [],
  },
  'as many domains as there are is fine': {
    resources: [eu, eu2, us, placedBy({ spreadBy: 'tier', minDomains: 2 })],
    want: [],
  },
  'limits that leave too few places are a shortfall too': {
    resources: [eu, us, placedBy({ spreadBy: 'tier', maxPerDomain: 1, maxPerCluster: 1 }, { replicas: 3 })],
    want: [],
  },
  'no cluster selected is a shortfall with its reasons, not a contradiction': {
    resources: [
      eu,
      placedBy(
        { spreadBy: 'tier', minDomains: 2, maxPerCluster: 1 },
        {
          clusterSelector: { matchLabels: { tier: 'asia' } },
        },
      ),
    ],
    want: [],
  },
};

const preferring = (...labels: Record<string, string>[]): Resource =>
  placedBy({ policy: 'Preferred', preferred: labels.map((matchLabels) => ({ matchLabels })) });

const preferred: Record<string, FleetRow> = {
  'every preferred entry selects a cluster': {
    resources: [eu, us, preferring({ tier: 'us' }, {})],
    want: [],
  },
  'by computed labels too': {
    resources: [aCluster('us', { source: 'GKE' }), preferring({ 'topology.kubernetes.io/region': 'us-central1' })],
    want: [],
  },
  'an entry that selects none names the value that was meant': {
    resources: [aCluster('a', { labels: { tier: 'prod' } }), preferring({ tier: 'prod' }, { tier: 'prd' })],
    want: [`${AT}.preferred.1: no cluster has the labels tier=prd. Use 'tier: prod'.`],
  },
  'or the key that was meant': {
    resources: [eu, preferring({ teir: 'eu' })],
    want: [`${AT}.preferred.0: no cluster has the labels teir=eu. Use 'tier'.`],
  },
  'labels of which each is there, but not on one cluster, are no slip of a letter': {
    resources: [eu, us, preferring({ tier: 'us', rack: 'r1' })],
    want: [`${AT}.preferred.0: no cluster has the labels tier=us, rack=r1. Correct the labels, or remove the entry.`],
  },
};

describe('checkFleet on placement', () => {
  test.each(Object.entries(spreading))('spreadBy: %s', (_, row) => checkRow(row));
  test.each(Object.entries(limits))('limits: %s', (_, row) => checkRow(row));
  test.each(Object.entries(preferred))('preferred: %s', (_, row) => checkRow(row));
});
