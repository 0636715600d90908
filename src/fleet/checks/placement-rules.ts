import { clusterLabelsOf, failureDomainsOf, resolveDomainLabel } from '../../api/cluster-labels';
import { findUnmetRequirement } from '../../api/label-matching';
import { toCanonicalLabel } from '../../api/labels';
import type { ModelDeployment } from '../../api/model-deployment';
import type { Path } from '../../api/resource';
import { type Diagnostic, errorAt, relocate } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import { pluralize } from '../../base/text';
import type { Fleet } from '../fleet';
import type { FleetCheck } from './fleet-check';

/** A deployment, the settings of its fleet and the labels of each cluster. */
interface Spreading {
  readonly deployment: ModelDeployment;
  readonly settings: Fleet['settings'];
  readonly clusters: readonly Labels[];
}

type Labels = Readonly<Record<string, string>>;

/** A check of how a deployment spreads. Paths in findings start at its placement. */
type SpreadRule = (spreading: Spreading) => Diagnostic<Path> | undefined;

/** Checks that some cluster has the label that replicas spread by. */
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

/** Checks that there are at least as many replicas as `minDomains`. The plan checks how many domains exist. */
const enoughReplicas: SpreadRule = ({ deployment }) => {
  const { replicas, placement } = deployment.spec;
  const { minDomains = 0 } = placement;
  if (replicas === 0 || minDomains <= replicas) return undefined;
  return errorAt(
    'contradiction',
    ['minDomains'],
    `${pluralize(replicas, 'replica')} cannot be in ${minDomains} domains`,
    `Ask for at least ${pluralize(minDomains, 'replica')}, or for fewer domains`,
  );
};

const SPREAD_RULES: readonly SpreadRule[] = [labelExists, enoughReplicas];

/** Checks the spread settings of each deployment. The result does not depend on which clusters are lost. */
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

function spreadLabelOf({ deployment, settings }: Pick<Spreading, 'deployment' | 'settings'>): string | undefined {
  const { spreadBy } = deployment.spec.placement;
  return spreadBy === undefined ? undefined : resolveDomainLabel(spreadBy, settings);
}

/** Checks that each entry of `preferred` matches some cluster: otherwise its labels are wrong. */
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

function formatLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}

/** Suggests a key or value for the first label that no cluster has. */
function suggestLabel(wanted: Labels, clusters: readonly Labels[]): string | undefined {
  for (const [key, value] of Object.entries(wanted)) {
    const values = clusters.flatMap(({ [toCanonicalLabel(key)]: actual }) => actual ?? []);
    if (values.includes(value)) continue;
    const meant = values.length > 0 ? suggestName(value, values) : suggestName(key, clusters.flatMap(Object.keys));
    return meant && (values.length > 0 ? `Use '${key}: ${meant}'` : `Use '${meant}'`);
  }
  return undefined;
}
