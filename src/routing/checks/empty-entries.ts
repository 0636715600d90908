import { resourceIdOf, type ResourcePath } from '../../api/kinds';
import { findUnmetRequirement } from '../../api/label-matching';
import type { ModelService } from '../../api/model-service';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import type { Fleet } from '../../fleet/fleet';
import type { RoutingContext } from '../select-targets';
import { isGranted, type LabelledResource } from '../selectable-items';
import { hintAtLabels, listLabelledResources, toPermanentSelector } from './nearest-labels';

interface EmptyEntry {
  readonly entry: number;

  /** Whether an earlier entry has all items that it selects. */
  readonly taken: boolean;

  /** The resources that it would select if they had a replica in rotation on the selected clusters. */
  readonly possible: readonly LabelledResource[];

  /** The resources that it would select if a Grant allowed it. */
  readonly forbidden: readonly LabelledResource[];
}

interface EmptyService {
  readonly service: ModelService;
  readonly entries: readonly EmptyEntry[];

  /** Whether no entry of the service can ever have a target. */
  readonly hopeless: boolean;
}

function findEmptyEntries({ fleet, selectables, selections }: RoutingContext): EmptyService[] {
  if (selections.length === 0) return [];
  const declaredResources = listLabelledResources(fleet);
  return selections.flatMap(({ service, rules }): EmptyService[] => {
    const served = new Set(rules.flatMap(({ targets }) => targets.map(({ entry }) => entry)));
    const entries = service.spec.endpoints.flatMap((declared, entry): EmptyEntry[] => {
      if (served.has(entry)) return [];
      const matching = declaredResources.filter((resource) => canSelect(declared, resource));
      const taken = selectables.some(
        (item) => !findUnmetRequirement(declared.selector, item.labels) && isGranted(service, item, fleet.grants),
      );
      const possible = matching.filter((resource) => isGranted(service, resource, fleet.grants));
      const forbidden = matching.filter((resource) => !isGranted(service, resource, fleet.grants));
      return [{ entry, taken, possible, forbidden }];
    });
    const hopeless = served.size === 0 && entries.every(({ possible }) => possible.length === 0);
    return entries.length > 0 ? [{ service, entries, hopeless }] : [];
  });
}

/** Ignores labels for the location of a replica, because a replica may be there later. */
function canSelect(
  { selector }: ModelService['spec']['endpoints'][number],
  { resource, labels }: LabelledResource,
): boolean {
  const permanent = toPermanentSelector(selector);
  const isEverywhere = Object.keys(permanent.matchLabels).length === Object.keys(selector.matchLabels).length;
  if (resource.kind === 'ModelEndpoint' && !isEverywhere) return false;
  return !findUnmetRequirement(permanent, labels);
}

/** Finds entries without targets, such as a canary, in services that can have targets. */
export function* checkUnservedEntries(context: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const { service, entries, hopeless } of findEmptyEntries(context)) {
    if (hopeless) continue;
    for (const { entry, taken, possible, forbidden } of entries) {
      const at = { resource: service, path: ['spec', 'endpoints', entry, 'selector'] };
      const [first] = possible;
      if (taken) {
        const message = 'entries above this one select everything that it selects, so it gets no requests';
        yield warningAt('shadowed-entry', at, message, 'Move it up, or select less above');
      } else if (first) {
        const message = `${resourceIdOf(first.resource)} has no routable replica that the entry selects, so the entry gets no requests`;
        yield warningAt('unserved-entry', at, message, 'Place a replica there, or correct the selector');
      } else {
        const message = 'the entry selects nothing, so it gets no requests';
        yield warningAt('unserved-entry', at, message, formatEntryHint(service, entry, forbidden, context.fleet));
      }
    }
  }
}

/** Finds services that can never have a target. */
export function* checkEmptyServices(context: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const { service, entries, hopeless } of findEmptyEntries(context)) {
    if (!hopeless || service.group === 'modelplane.ai') continue;
    const at = { resource: service, path: ['spec', 'endpoints'] };
    const message = `the service selects nothing in namespace '${service.metadata.namespace}'`;
    yield errorAt('selects-nothing', at, message, formatServiceHint(service, entries, context.fleet));
  }
}

/** Returns a note per service under the alias group that can never have a target. It is not an error there. */
export function describeEmptyServices(context: RoutingContext): string[] {
  return findEmptyEntries(context)
    .filter(({ service, hopeless }) => hopeless && service.group === 'modelplane.ai')
    .map(({ service, entries }) => {
      const hint = formatServiceHint(service, entries, context.fleet);
      return `${resourceIdOf(service)} has no routes: its selector matches nothing in its namespace. ${hint}${hint.endsWith('?') ? '' : '.'}`;
    });
}

/** Returns the fix for the first entry that a Grant or other labels would mend. */
function formatServiceHint(service: ModelService, entries: readonly EmptyEntry[], fleet: Fleet): string {
  const entry = entries.find(({ forbidden }) => forbidden.length > 0) ?? entries[0];
  return entry ? formatEntryHint(service, entry.entry, entry.forbidden, fleet) : CORRECT_LABELS;
}

const CORRECT_LABELS = 'Correct the selector, or label a deployment or an endpoint';

/** Returns the fix for an entry without targets: a Grant if the resource is in another namespace, else other labels. */
function formatEntryHint(
  service: ModelService,
  entry: number,
  [first]: readonly LabelledResource[],
  fleet: Fleet,
): string {
  if (!first) return hintAtLabels(service, entry, fleet, CORRECT_LABELS);
  const { metadata } = service;
  const { kind, metadata: target } = first.resource;
  const spec = `from: [{ namespace: ${metadata.namespace} }], to: [{ kind: ${kind} }]`;
  return `${resourceIdOf(first.resource)} matches in another namespace. To allow it, declare a Grant in namespace ${target.namespace}, with ${spec}`;
}
