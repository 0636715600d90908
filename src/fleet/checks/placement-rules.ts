import { clusterLabelsOf, failureDomainsOf, regionOfSource, resolveDomainLabel } from '../../api/cluster-labels';
import type { ResourcePath } from '../../api/kinds';
import { findUnmetRequirement } from '../../api/label-matching';
import { REGION_LABEL, toCanonicalLabel } from '../../api/labels';
import type { ModelDeployment } from '../../api/model-deployment';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import { pluralize } from '../../base/text';
import type { Fleet } from '../fleet';
import type { FleetCheck } from './fleet-check';

type Labels = Readonly<Record<string, string>>;

/**
 * Checks that the region label of a cluster is the region that its source names. Replicas would be elsewhere than
 * policies, failure domains and prices take them to be.
 */
export const checkRegionLabels: FleetCheck = function* ({ clusters }) {
  for (const resource of clusters) {
    const label = resource.metadata.labels?.[REGION_LABEL];
    const region = regionOfSource(resource.spec.cluster);
    if (label === undefined || !region || label === region) continue;
    const at = { resource, path: ['metadata', 'labels', REGION_LABEL] };
    const what = `the label names the region '${label}', and spec.cluster is in '${region}'`;
    yield errorAt('contradiction', at, what, 'Remove the label, or correct the region');
  }
};

/** Checks the spread settings of each deployment. The result does not depend on which clusters are lost. */
export const checkSpread: FleetCheck = function* ({ clusters, deployments, settings }) {
  if (clusters.length === 0) return;
  const all = clusters.map(clusterLabelsOf);
  for (const resource of deployments) {
    yield* checkSpreadLabel(resource, all, settings);
    yield* checkMinDomains(resource);
  }
};

/** What Kubernetes spreads the pods of one cluster by. */
const WITHIN_CLUSTERS: ReadonlySet<string> = new Set([
  'zone',
  'node',
  'host',
  'hostname',
  'topology.kubernetes.io/zone',
  'kubernetes.io/hostname',
]);

/** Checks that some cluster has the label that replicas spread by. */
function* checkSpreadLabel(
  resource: ModelDeployment,
  clusters: readonly Labels[],
  settings: Fleet['settings'],
): Iterable<Diagnostic<ResourcePath>> {
  const { spreadBy } = resource.spec.placement;
  if (spreadBy === undefined) return;
  const exists = (label: string): boolean => clusters.some((labels) => Object.hasOwn(labels, label));
  const key = resolveDomainLabel(spreadBy, settings);
  if (exists(key)) return;
  const aliases = Object.entries(failureDomainsOf(settings)).filter(([, label]) => exists(label));
  const alias = key === spreadBy ? '' : `, which '${spreadBy}' stands for`;
  const what = `no cluster has the label '${key}'${alias}`;
  const hint = hintAtLabel(spreadBy, [...aliases.map(([name]) => name), ...clusters.flatMap(Object.keys)]);
  yield errorAt('no-such-domain', { resource, path: ['spec', 'placement', 'spreadBy'] }, what, hint);
}

function hintAtLabel(spreadBy: string, known: readonly string[]): string {
  if (WITHIN_CLUSTERS.has(spreadBy)) {
    return "Use 'cluster' or 'region': replicas spread over clusters. The nodes of a pool spread over its 'zones'";
  }
  const meant = suggestName(spreadBy, known);
  return meant ? `Use '${meant}'` : 'Add the label to clusters, or spread by a label that they have';
}

/** Checks that there are at least as many replicas as `minDomains`. The plan checks how many domains exist. */
function* checkMinDomains(resource: ModelDeployment): Iterable<Diagnostic<ResourcePath>> {
  const { replicas, placement } = resource.spec;
  const { minDomains = 0 } = placement;
  if (replicas === 0 || minDomains <= replicas) return;
  const what = `${pluralize(replicas, 'replica')} cannot be in ${minDomains} domains`;
  const hint = `Set replicas to at least ${minDomains}, or lower minDomains`;
  yield errorAt('contradiction', { resource, path: ['spec', 'placement', 'minDomains'] }, what, hint);
}

/** Checks that each entry of `preferred` matches some cluster: otherwise its labels are wrong. */
export const checkPreferredClusters: FleetCheck = function* ({ clusters, deployments }) {
  if (clusters.length === 0) return;
  const all = clusters.map(clusterLabelsOf);
  for (const resource of deployments) {
    for (const [index, selector] of resource.spec.placement.preferred.entries()) {
      if (all.some((labels) => !findUnmetRequirement(selector, labels))) continue;
      const what = `no cluster has the labels ${formatLabels(selector.matchLabels)}`;
      const hint = suggestLabel(selector.matchLabels, all) ?? 'Correct the labels, or remove the entry';
      yield errorAt('no-target', { resource, path: ['spec', 'placement', 'preferred', index] }, what, hint);
    }
  }
};

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return pairs.join(', ');
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
