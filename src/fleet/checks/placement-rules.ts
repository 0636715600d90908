import { clusterLabelsOf, failureDomainsOf, resolveDomainLabel } from '../../api/cluster-labels';
import { findUnmetRequirement } from '../../api/label-matching';
import { toCanonicalLabel } from '../../api/labels';
import type { ModelDeployment } from '../../api/model-deployment';
import type { Path } from '../../api/resource';
import { type Diagnostic, errorAt, relocate } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import { formatCount } from '../../base/text';
import type { Fleet } from '../fleet';
import type { FleetCheck } from './fleet-check';

/** A deployment and the labels of the clusters of its fleet. */
interface Spreading {
  readonly deployment: ModelDeployment;
  readonly settings: Fleet['settings'];
  readonly clusters: readonly Labels[];
}

type Labels = Readonly<Record<string, string>>;

/** A rule on how a deployment spreads. Paths start at its placement. */
type SpreadRule = (spreading: Spreading) => Diagnostic<Path> | undefined;

/** Some cluster carries the label by which replicas spread. */
const labelExists: SpreadRule = ({ deployment, settings, clusters }) => {
  const { spreadBy } = deployment.spec.placement;
  const key = spreadLabelOf({ deployment, settings });
  if (spreadBy === undefined || key === undefined || clusters.some((labels) => Object.hasOwn(labels, key)))
    return undefined;
  const names = Object.entries(failureDomainsOf(settings)).filter(([, label]) =>
    clusters.some((one) => Object.hasOwn(one, label)),
  );
  const meant = suggestName(spreadBy, [...names.map(([name]) => name), ...clusters.flatMap(Object.keys)]);
  const alias = key === spreadBy ? '' : `, which '${spreadBy}' stands for`;
  return errorAt(
    'no-such-domain',
    ['spreadBy'],
    `no cluster carries the label '${key}'${alias}`,
    meant ? `Use '${meant}'` : 'Label the clusters, or spread by a label that they have',
  );
};

/** There are as many replicas as domains that they must be in. How many domains exist is for the plan to tell. */
const enoughReplicas: SpreadRule = ({ deployment }) => {
  const { replicas, placement } = deployment.spec;
  const { minDomains = 0 } = placement;
  if (replicas === 0 || minDomains <= replicas) return undefined;
  return errorAt(
    'contradiction',
    ['minDomains'],
    `${formatCount(replicas, 'replica')} cannot be in ${minDomains} domains`,
    `Ask for at least ${formatCount(minDomains, 'replica')}, or for fewer domains`,
  );
};

const SPREAD_RULES: readonly SpreadRule[] = [labelExists, enoughReplicas];

/** What a deployment says of how it spreads makes sense, whichever clusters are lost. */
export const checkSpread: FleetCheck = function* ({ clusters, deployments, settings }) {
  if (clusters.length === 0) return;
  const all = clusters.map(clusterLabelsOf);
  for (const deployment of deployments) {
    for (const rule of SPREAD_RULES) {
      const finding = rule({ deployment, settings, clusters: all });
      if (!finding) continue;
      yield relocate(finding, (at) => ({ resource: deployment, path: ['spec', 'placement', ...at] }));
    }
  }
};

function spreadLabelOf({
  deployment,
  settings,
}: Pick<Spreading, 'deployment' | 'settings'>): string | undefined {
  const { spreadBy } = deployment.spec.placement;
  return spreadBy === undefined ? undefined : resolveDomainLabel(spreadBy, settings);
}

type LabelMap = Readonly<Record<string, string>>;

/** Every entry of a list of preferred clusters selects some cluster: an entry that selects none is a slip. */
export const checkPreferredClusters: FleetCheck = function* ({ clusters, deployments }) {
  if (clusters.length === 0) return;
  const all = clusters.map(clusterLabelsOf);
  for (const resource of deployments) {
    for (const [index, selector] of resource.spec.placement.preferred.entries()) {
      if (all.some((labels) => !findUnmetRequirement(selector, labels))) continue;
      yield errorAt(
        'no-target',
        { resource, path: ['spec', 'placement', 'preferred', index] },
        `no cluster has the labels ${formatLabels(selector.matchLabels)}`,
        suggestLabel(selector.matchLabels, all) ?? 'Correct the labels, or remove the entry',
      );
    }
  }
};

function formatLabels(labels: LabelMap): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}

/** The key or value that was probably meant, for the first label that no cluster has. */
function suggestLabel(wanted: LabelMap, clusters: readonly LabelMap[]): string | undefined {
  for (const [key, value] of Object.entries(wanted)) {
    const values = clusters.flatMap(({ [toCanonicalLabel(key)]: actual }) => actual ?? []);
    if (values.includes(value)) continue;
    const meant =
      values.length > 0 ? suggestName(value, values) : suggestName(key, clusters.flatMap(Object.keys));
    return meant && (values.length > 0 ? `Use '${key}: ${meant}'` : `Use '${meant}'`);
  }
  return undefined;
}
