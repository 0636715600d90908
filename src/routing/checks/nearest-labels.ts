import { resourceIdOf } from '../../api/kinds';
import { findUnmetRequirement } from '../../api/label-matching';
import { CLUSTER_LABEL, DEPLOYMENT_LABEL, REPLICA_INDEX_LABEL, toCanonicalLabel } from '../../api/labels';
import type { ModelService } from '../../api/model-service';
import { qualifiedNameOf } from '../../api/resource';
import { suggestName } from '../../base/name-suggestion';
import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import { NAMESPACE_NAME_LABEL } from '../../manifest/kubernetes/labels-and-annotations';
import { isGranted, type LabelledResource, selectableLabelsOf } from '../selectable-items';

/** Everything that services can select, whether or not it has replicas. */
export function listLabelledResources({ deployments, endpoints }: Fleet): LabelledResource[] {
  return [
    ...deployments.map((resource) => ({ resource, labels: selectableLabelsOf(resource) })),
    ...endpoints.map((resource) => ({ resource, labels: resource.metadata.labels })),
  ];
}

const LOCATION_LABELS: ReadonlySet<string> = new Set([CLUSTER_LABEL, REPLICA_INDEX_LABEL]);

/** A selector without the labels for the location of a replica, because a replica may be there later. */
export function toPermanentSelector({ matchLabels }: LabelSelectorLike): LabelSelectorLike {
  const permanent = Object.entries(matchLabels).filter(([key]) => !LOCATION_LABELS.has(toCanonicalLabel(key)));
  return { matchLabels: Object.fromEntries(permanent) };
}

type LabelSelectorLike = Pick<ModelService['spec']['endpoints'][number]['selector'], 'matchLabels'>;

/** What users write as a label to select in another namespace. */
const NAMESPACE_KEYS: ReadonlySet<string> = new Set(['namespace', NAMESPACE_NAME_LABEL]);

/**
 * The hint for an entry that selects nothing: the deployments with its labels, which have no replica that it selects,
 * else a deployment that has them as labels of its own, else one that has them under a misspelled key, else the nearest
 * labels of what its service may select and no other entry does, or another hint where nothing has labels.
 *
 * @param otherwise the other hint
 * @param isNew whether the labels of what it means may be as wrong as those of the entry. Default: the entry is wrong
 */
export function hintAtLabels(
  service: ModelService,
  entry: number,
  fleet: Fleet,
  { otherwise, isNew = false }: { readonly otherwise: string; readonly isNew?: boolean },
): string {
  const selector = toPermanentSelector(service.spec.endpoints[entry]?.selector ?? { matchLabels: {} });
  const { matchLabels } = selector;
  const granted = listLabelledResources(fleet).filter((one) => isGranted(service, one, fleet.grants));
  const matching = granted.filter(({ labels }) => isPossible(selector, labels));
  const names = matching.map(({ resource }) => qualifiedNameOf(resource));
  if (names.length > 0) return `Give a replica of ${joinNames(names)} a place where the entry selects it`;
  const misplaced = describeMisplaced(granted, selector);
  if (misplaced !== undefined) return misplaced;
  const known = valuesByLabel(granted);
  const wrong = Object.entries(matchLabels).filter(
    ([key, value]) => !known.get(toCanonicalLabel(key))?.includes(value),
  );
  const elsewhere = wrong.find(([key]) => NAMESPACE_KEYS.has(key) && !known.has(key));
  if (elsewhere) {
    const [key, value] = elsewhere;
    return `Remove '${key}', which no replica has as a label. A Grant in namespace ${value} allows resources there to be selected`;
  }
  const others = service.spec.endpoints.filter((_, index) => index !== entry).map((one) => one.selector);
  const usual = new Set([...known.keys(), ...others.flatMap((other) => Object.keys(other.matchLabels))]);
  const renamed = granted.flatMap((one) => describeMisspelledKeys(one, matchLabels, usual))[0];
  if (renamed !== undefined) return renamed;
  const right = withoutLabels(selector, new Set(wrong.map(([key]) => key)));
  const near = granted.filter(
    ({ labels }) => isPossible(right, labels) && !others.some((other) => isPossible(other, labels)),
  );
  const asked = askForMeant(wrong, near, isNew ? fleet : undefined);
  if (asked !== undefined) return asked;
  const labels = listExisting(wrong, known);
  return labels.length > 0 ? `${otherwise}. Labels that exist: ${joinNames(labels)}` : otherwise;
}

/** The labels that exist under the wrong keys, else those of all keys. */
function listExisting(wrong: readonly Label[], known: ReadonlyMap<string, readonly string[]>): string[] {
  const keys = new Set(wrong.map(([key]) => toCanonicalLabel(key)).filter((key) => known.has(key)));
  const shown = [...known].filter(([key]) => (keys.size > 0 ? keys.has(key) : key !== DEPLOYMENT_LABEL));
  return shown.flatMap(([key, values]) => values.map((value) => `${key}: ${value}`));
}

function withoutLabels({ matchLabels }: LabelSelectorLike, keys: ReadonlySet<string>): LabelSelectorLike {
  return { matchLabels: Object.fromEntries(Object.entries(matchLabels).filter(([key]) => !keys.has(key))) };
}

/**
 * Asks for the labels that a user probably meant. Undefined where one has no similar label.
 *
 * @param doubted the fleet whose resources may have the misspelled labels. Default: the entry has them
 */
function askForMeant(
  wrong: readonly Label[],
  near: readonly LabelledResource[],
  doubted: Fleet | undefined,
): string | undefined {
  const values = valuesByLabel(near);
  const meant = wrong.map(([key, value]) => findMeant(toCanonicalLabel(key), value, values));
  if (wrong.length === 0 || !meant.every((one) => one !== undefined)) return undefined;
  const hasKeys = meant.every(({ key }, i) => key === toCanonicalLabel(wrong[i]?.[0] ?? ''));
  const doubt = doubted && hasKeys ? doubtLabels(near, meant, doubted) : '';
  return `Did you mean ${meant.map(({ key, value }) => `${key}: ${value}`).join(' and ')}${doubt}?`;
}

/**
 * Asks whether the labels are misspelled where they are declared. Not where several resources have them, or a service
 * selects the resource: then the entry is wrong.
 */
function doubtLabels(near: readonly LabelledResource[], meant: readonly MeantLabel[], { services }: Fleet): string {
  const [one, ...others] = near.filter(({ labels }) => meant.every(({ key, value }) => labels[key] === value));
  if (!one || others.length > 0) return '';
  const isUsed = services.some(({ spec }) => spec.endpoints.some(({ selector }) => isPossible(selector, one.labels)));
  if (isUsed) return '';
  return `, or ${meant.length === 1 ? 'is the label' : 'are the labels'} of ${resourceIdOf(one.resource)} misspelled`;
}

/** Whether a selector selects what has some labels, or would where its replicas may be later. */
function isPossible(selector: LabelSelectorLike, labels: LabelledResource['labels']): boolean {
  return !findUnmetRequirement(toPermanentSelector(selector), labels);
}

/** What to move on a deployment that has the labels as its own. Undefined if none has. */
function describeMisplaced(granted: readonly LabelledResource[], selector: LabelSelectorLike): string | undefined {
  const found = granted.find(
    ({ resource: { kind, metadata } }) =>
      kind === 'ModelDeployment' && !findUnmetRequirement(selector, metadata.labels),
  );
  if (!found) return undefined;
  const labels = Object.entries(selector.matchLabels).map(([key, value]) => `${key}: ${value}`);
  return `${resourceIdOf(found.resource)} has ${joinNames(labels)} in metadata.labels. Move it to spec.template.metadata.labels`;
}

/** What to rename on a resource that has the values of all labels that it lacks under misspelled keys. */
function describeMisspelledKeys(
  { resource, labels }: LabelledResource,
  wanted: Readonly<Record<string, string>>,
  usual: ReadonlySet<string>,
): string[] {
  const missing = Object.entries(wanted).filter(([key, value]) => labels[toCanonicalLabel(key)] !== value);
  const misspelled = missing.map(([key, value]) => {
    const alike = Object.keys(labels).filter((own) => labels[own] === value && wanted[own] === undefined);
    const near = usual.has(key) && labels[key] === undefined ? suggestName(key, alike) : undefined;
    return near === undefined ? undefined : { near, key, value };
  });
  if (misspelled.length === 0 || !misspelled.every((one) => one !== undefined)) return [];
  const has = joinNames(misspelled.map(({ near, value }) => `${near}: ${value}`));
  return [`${resourceIdOf(resource)} has ${has}. Rename it to ${joinNames(misspelled.map(({ key }) => key))}`];
}

function valuesByLabel(resources: readonly LabelledResource[]): ReadonlyMap<string, readonly string[]> {
  const keys = sortUnique(resources.flatMap(({ labels }) => Object.keys(labels)));
  return new Map(keys.map((key) => [key, sortUnique(resources.flatMap(({ labels }) => labels[key] ?? []))]));
}

/** The label that a user probably meant: a similar value of the same label, or a similar label with such a value. */
function findMeant(key: string, value: string, known: ReadonlyMap<string, readonly string[]>): MeantLabel | undefined {
  const nearKey = known.has(key) ? key : suggestName(key, known.keys());
  const near = nearKey === undefined ? undefined : suggestName(value, known.get(nearKey) ?? []);
  return nearKey === undefined || near === undefined ? undefined : { key: nearKey, value: near };
}

/** A label of a selector. */
type Label = readonly [key: string, value: string];

interface MeantLabel {
  readonly key: string;
  readonly value: string;
}
