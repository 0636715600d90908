import type { Fleet } from '../../fleet';
import { nearest } from '../../nearest';
import { labelsOf } from '../cluster-labels';
import { domainLabel, domainsOf } from '../domains';
import { firstUnmet } from '../label-match';
import type { ModelDeployment } from '../model-deployment';
import type { Finding } from '../resource';
import { counted } from '../wording';
import type { FleetCheck } from './fault';

/** A deployment and the labels of the clusters that it selects. */
interface Spreading {
  readonly deployment: ModelDeployment;
  readonly settings: Fleet['settings'];
  /** The labels of every cluster of the fleet. */
  readonly clusters: readonly Labels[];
  /** The labels of the clusters that the deployment selects. */
  readonly selected: readonly Labels[];
}

type Labels = Readonly<Record<string, string>>;

/** A rule on how a deployment spreads. Paths start at its placement. */
type SpreadRule = (spreading: Spreading) => Finding | undefined;

/** Some cluster carries the label by which replicas spread. */
const labelExists: SpreadRule = ({ deployment, settings, clusters }) => {
  const { spreadBy } = deployment.spec.placement;
  const key = keyOf({ deployment, settings });
  if (spreadBy === undefined || key === undefined || clusters.some((labels) => Object.hasOwn(labels, key)))
    return undefined;
  const names = Object.entries(domainsOf(settings)).filter(([, label]) =>
    clusters.some((one) => Object.hasOwn(one, label)),
  );
  const meant = nearest(spreadBy, [...names.map(([name]) => name), ...clusters.flatMap(Object.keys)]);
  const alias = key === spreadBy ? '' : `, which '${spreadBy}' stands for`;
  return {
    code: 'no-such-domain',
    path: ['spreadBy'],
    what: `no cluster carries the label '${key}'${alias}`,
    hint: meant ? `Use '${meant}'` : 'Label the clusters, or spread by a label that they have',
  };
};

/** Replicas can be in as many domains as they must be in: there are as many replicas, and as many domains. */
const enoughDomains: SpreadRule = ({ deployment, settings, selected }) => {
  const { replicas, placement, allowPartial } = deployment.spec;
  const { minDomains } = placement;
  const key = keyOf({ deployment, settings });
  if (minDomains === undefined || key === undefined || replicas === 0) return undefined;
  if (minDomains > replicas) {
    return {
      code: 'contradiction',
      path: ['minDomains'],
      what: `${counted(replicas, 'replica')} cannot be in ${minDomains} domains`,
      hint: `Ask for at least ${counted(minDomains, 'replica')}, or for fewer domains`,
    };
  }
  const domains = domainSizes(key, selected).size;
  if (allowPartial || domains === 0 || minDomains <= domains) return undefined;
  return {
    code: 'contradiction',
    path: ['minDomains'],
    what: `the clusters that the deployment selects are in ${counted(domains, 'domain')} by '${key}', not in ${minDomains}`,
    hint: 'Ask for fewer domains, or select more clusters',
  };
};

/** The limits leave a place for every replica, were there no other limit. */
const limitsLeaveRoom: SpreadRule = ({ deployment, settings, selected }) => {
  const { replicas, allowPartial, placement } = deployment.spec;
  const { maxPerCluster = Infinity, maxPerDomain = Infinity } = placement;
  const key = keyOf({ deployment, settings });
  const sizes = key === undefined ? selected.map(() => 1) : [...domainSizes(key, selected).values()];
  const places = sizes.reduce((sum, size) => sum + Math.min(size * maxPerCluster, maxPerDomain), 0);
  if (sizes.length === 0 || places >= replicas || allowPartial) return undefined;
  const field = maxPerCluster * selected.length < replicas ? 'maxPerCluster' : 'maxPerDomain';
  return {
    code: 'contradiction',
    path: [field],
    what: `the limits leave places for ${places} of ${counted(replicas, 'replica')} on the clusters that the deployment selects`,
    hint: `Raise ${field}, select more clusters, or ask for fewer replicas`,
  };
};

const RULES: readonly SpreadRule[] = [labelExists, enoughDomains, limitsLeaveRoom];

/** How a deployment spreads can be had on the clusters of the fleet, whatever else is on them. */
export const spreadRules: FleetCheck = function* ({ clusters, deployments, settings }) {
  if (clusters.length === 0) return;
  const all = clusters.map(labelsOf);
  const known = new Map<string, readonly Labels[]>();
  for (const resource of deployments) {
    if (!isLimited(resource)) continue;
    const { clusterSelector } = resource.spec.template.spec;
    const key = JSON.stringify(clusterSelector);
    const selected = known.get(key) ?? all.filter((labels) => !firstUnmet(clusterSelector, labels));
    known.set(key, selected);
    for (const rule of RULES) {
      const finding = rule({ deployment: resource, settings, clusters: all, selected });
      if (finding) yield { ...finding, resource, path: ['spec', 'placement', ...finding.path] };
    }
  }
};

function isLimited({ spec: { placement } }: ModelDeployment): boolean {
  return placement.spreadBy !== undefined || placement.maxPerCluster !== undefined;
}

function keyOf({ deployment, settings }: Pick<Spreading, 'deployment' | 'settings'>): string | undefined {
  const { spreadBy } = deployment.spec.placement;
  return spreadBy === undefined ? undefined : domainLabel(spreadBy, settings);
}

/** How many clusters are in each domain. A cluster without the label is in none and takes no replica. */
function domainSizes(key: string, clusters: readonly Labels[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { [key]: domain } of clusters) {
    if (typeof domain === 'string') sizes.set(domain, (sizes.get(domain) ?? 0) + 1);
  }
  return sizes;
}
