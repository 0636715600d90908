import { clusterLabelsOf } from '../../api/cluster-labels';
import type { ResourcePath } from '../../api/kinds';
import { toCanonicalLabel } from '../../api/labels';
import type { Path } from '../../api/resource';
import type { LabelSelector } from '../../api/schema/label-selector';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import { sortUnique } from '../../base/order';
import type { Fleet } from '../../fleet/fleet';

/**
 * Finds labels in cluster selectors that no cluster has, and that are probably misspellings of labels that one has.
 * Others may be of a cluster that comes later.
 */
export function findClusterSelectorWarnings({ clusters, deployments, caches }: Fleet): Diagnostic<ResourcePath>[] {
  const known = valuesByKey(clusters.map(clusterLabelsOf));
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
      if (meant === undefined) return [];
      const what = `no cluster has the label ${label.key}${label.value === undefined ? '' : `: ${label.value}`}`;
      return [
        warningAt('unlisted-label', { resource, path: [...path, ...label.path] }, what, `Did you mean ${meant}?`),
      ];
    }),
  );
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
  if (!values) return suggestOther(key, [...known.keys()]);
  return value === undefined || values.includes(value) ? undefined : suggestOther(value, values);
}

/** A similar name. Names that differ in digits alone are of different things: `us-east-1`, `us-east-2`. */
function suggestOther(name: string, known: readonly string[]): string | undefined {
  const near = suggestName(name, known);
  if (near === undefined) return undefined;
  const [wanted, found] = [name.toLowerCase(), near.toLowerCase()];
  return wanted !== found && withoutDigits(wanted) === withoutDigits(found) ? undefined : `'${near}'`;
}

function withoutDigits(text: string): string {
  return text.replaceAll(/\d/g, '');
}
