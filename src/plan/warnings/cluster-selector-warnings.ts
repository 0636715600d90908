import { clusterLabelsOf, failureDomainsOf } from '../../api/cluster-labels';
import type { InferenceCluster } from '../../api/inference-cluster';
import type { ResourcePath } from '../../api/kinds';
import { CLUSTER_LABEL, NETWORK_LABEL, PROVIDER_LABEL, REGION_LABEL, toCanonicalLabel } from '../../api/labels';
import type { Path } from '../../api/resource';
import type { LabelSelector } from '../../api/schema/label-selector';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { hasOtherDigits, suggestName } from '../../base/name-suggestion';
import { sortUnique } from '../../base/order';
import type { Fleet } from '../../fleet/fleet';

/**
 * Finds labels in selectors of clusters, and in `spreadBy`, that no cluster has and that are probably misspellings of
 * labels that one has or may have. Others may be of a cluster that comes later. Also finds labels of clusters that are
 * like the label of a region, a cloud or a network.
 */
export function findClusterSelectorWarnings(fleet: Fleet): Diagnostic<ResourcePath>[] {
  const { clusters, deployments, caches } = fleet;
  const known = valuesByKey(clusters.map(clusterLabelsOf));
  return [
    ...clusters.flatMap(findOwnLabels),
    ...findSelectorLabels({ deployments, caches }, known),
    ...findSpreadLabels(fleet, known),
  ];
}

/** Finds misspelled labels of a cluster, whose region, cloud or network would not be known. */
function findOwnLabels(resource: InferenceCluster): Diagnostic<ResourcePath>[] {
  const known = clusterLabelsOf(resource);
  return Object.keys(resource.metadata.labels).flatMap((key) => {
    const meant = WELL_KNOWN_KEYS.find((one) => known[one] === undefined && isSimilarKey(key, one));
    const at = { resource, path: ['metadata', 'labels', key] };
    return meant === undefined ? [] : [suggest(at, `nothing reads the label ${key}`, meant)];
  });
}

function findSelectorLabels(
  { deployments, caches }: Pick<Fleet, 'deployments' | 'caches'>,
  known: ValuesByKey,
): Diagnostic<ResourcePath>[] {
  return [
    ...deployments.map((resource) => ({
      resource,
      selector: resource.spec.template.spec.clusterSelector,
      path: ['spec', 'template', 'spec', 'clusterSelector'],
    })),
    ...caches.map((resource) => ({
      resource,
      selector: resource.spec.clusterSelector,
      path: ['spec', 'clusterSelector'],
    })),
  ].flatMap(({ resource, selector, path }) =>
    listWantedLabels(selector).flatMap((label) => {
      const meant = findMeant(label, known);
      const what = `no cluster has the label ${label.key}${label.value === undefined ? '' : `: ${label.value}`}`;
      return meant === undefined ? [] : [suggest({ resource, path: [...path, ...label.path] }, what, meant)];
    }),
  );
}

/** Finds misspelled failure domains of `spreadBy`. */
function findSpreadLabels({ deployments, settings }: Fleet, known: ValuesByKey): Diagnostic<ResourcePath>[] {
  const domains = Object.keys(failureDomainsOf(settings));
  return deployments.flatMap((resource) => {
    const { spreadBy } = resource.spec.placement;
    if (spreadBy === undefined || domains.includes(spreadBy) || known.has(spreadBy)) return [];
    const meant = suggestOther(spreadBy, domains) ?? suggestKey(spreadBy, [...known.keys(), ...WELL_KNOWN_KEYS]);
    if (meant === undefined) return [];
    const at = { resource, path: ['spec', 'placement', 'spreadBy'] };
    return [suggest(at, `no cluster has the label ${spreadBy}, and no failure domain has this name`, meant)];
  });
}

function suggest(at: ResourcePath, what: string, meant: string): Diagnostic<ResourcePath> {
  return warningAt('unlisted-label', at, what, `Did you mean '${meant}'?`);
}

type ValuesByKey = ReadonlyMap<string, readonly string[]>;

function valuesByKey(labels: readonly Readonly<Record<string, string>>[]): ValuesByKey {
  const keys = sortUnique(labels.flatMap((one) => Object.keys(one)));
  return new Map(keys.map((key) => [key, sortUnique(labels.flatMap((one) => one[key] ?? []))]));
}

/** A label that a cluster must have. Without a value, any does. */
interface WantedLabel {
  readonly key: string;
  readonly value?: string;
  readonly path: Path;
}

function listWantedLabels({ matchLabels, matchExpressions = [] }: Partial<LabelSelector>): WantedLabel[] {
  return [
    ...Object.entries(matchLabels ?? {}).map(([key, value]) => ({ key, value, path: ['matchLabels', key] })),
    ...matchExpressions.flatMap(({ key, operator, values }, e): WantedLabel[] => {
      if (operator === 'Exists') return [{ key, path: ['matchExpressions', e, 'key'] }];
      if (operator !== 'In') return [];
      return values.map((value, v) => ({ key, value, path: ['matchExpressions', e, 'values', v] }));
    }),
  ];
}

/** The label that a user probably meant. Undefined for one that a cluster has, and for one that is like none. */
function findMeant({ key, value }: WantedLabel, known: ValuesByKey): string | undefined {
  const values = known.get(toCanonicalLabel(key));
  if (!values && value !== undefined && known.get(CLUSTER_LABEL)?.includes(value)) return `${CLUSTER_LABEL}: ${value}`;
  if (!values) return suggestKey(key, [...known.keys(), ...WELL_KNOWN_KEYS]);
  return value === undefined || values.includes(value) ? undefined : suggestOther(value, values);
}

/** Keys that selectors of clusters use, whether or not a cluster has them yet. */
const WELL_KNOWN_KEYS = [REGION_LABEL, PROVIDER_LABEL, NETWORK_LABEL];

/** A similar key: one with the same name and another prefix, or one of which each part is the same or similar. */
function suggestKey(key: string, known: readonly string[]): string | undefined {
  const [prefix, name] = splitKey(key);
  if (WELL_KNOWN_KEYS.includes(key)) return undefined;
  const ofName = known.filter((one) => splitKey(one)[1] === name);
  if (ofName.length > 0) return suggestName(key, ofName) ?? ofName[0];
  const ofPrefix = known.filter((one) => isSimilar(prefix, splitKey(one)[0]));
  const meant = suggestOther(name, sortUnique(ofPrefix.map((one) => splitKey(one)[1])));
  return ofPrefix.find((one) => splitKey(one)[1] === meant);
}

/** Whether both parts of a key are the same or similar. */
function isSimilarKey(key: string, known: string): boolean {
  const [[prefix, name], [knownPrefix, knownName]] = [splitKey(key), splitKey(known)];
  return isSimilar(prefix, knownPrefix) && isSimilar(name, knownName);
}

function splitKey(key: string): readonly [prefix: string, name: string] {
  const slash = key.lastIndexOf('/') + 1;
  return [key.slice(0, slash), key.slice(slash)];
}

function isSimilar(text: string, known: string): boolean {
  return text === known || suggestOther(text, [known]) !== undefined;
}

/** A similar name. Names that differ in digits alone are of different things: `us-east-1`, `us-east-2`. */
function suggestOther(name: string, known: readonly string[]): string | undefined {
  const near = suggestName(name, known);
  return near === undefined || hasOtherDigits(name, near) ? undefined : near;
}
