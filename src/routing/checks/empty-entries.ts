import { resourceIdOf, type ResourcePath } from '../../api/kinds';
import { findUnmetRequirement } from '../../api/label-matching';
import { CLUSTER_LABEL, REPLICA_INDEX_LABEL, toCanonicalLabel } from '../../api/labels';
import type { ModelService } from '../../api/model-service';
import { type Diagnostic, errorAt, relocate, warningAt } from '../../base/diagnostic';
import type { Fleet } from '../../fleet/fleet';
import { isGranted, type LabelledResource, selectableLabelsOf } from '../selectables';
import type { RoutingContext } from './context';

/** An entry of a service that gets nothing to send requests to. */
export interface EmptyEntry {
  readonly entry: number;

  /** Whether an earlier entry has all that it selects. */
  readonly taken: boolean;

  /** What it would select, once a replica is in rotation where it asks. */
  readonly possible: readonly LabelledResource[];

  /** What it would select, and may not, for want of a Grant. */
  readonly forbidden: readonly LabelledResource[];
}

/** A service with entries that get nothing. */
export interface EmptyService {
  readonly service: ModelService;
  readonly entries: readonly EmptyEntry[];

  /** Whether the service can never send a request anywhere. */
  readonly hopeless: boolean;
}

/** Services with entries that get nothing. */
export function findEmptyEntries({ fleet, selectables: units, selections }: RoutingContext): EmptyService[] {
  if (selections.length === 0) return [];
  const all = selectablesOf(fleet);
  return selections.flatMap(({ service, rules }): EmptyService[] => {
    const served = new Set(rules.flatMap(({ targets }) => targets.map(({ entry }) => entry)));
    const entries = service.spec.endpoints.flatMap((declared, entry): EmptyEntry[] => {
      if (served.has(entry)) return [];
      const matching = all.filter((one) => couldSelect(declared, one));
      const taken = units.some(
        (unit) =>
          !findUnmetRequirement(declared.selector, unit.labels) && isGranted(service, unit, fleet.grants),
      );
      const possible = matching.filter((one) => isGranted(service, one, fleet.grants));
      const forbidden = matching.filter((one) => !isGranted(service, one, fleet.grants));
      return [{ entry, taken, possible, forbidden }];
    });
    const none = entries.every(({ possible }) => possible.length === 0);
    const hopeless = none && entries.length === service.spec.endpoints.length;
    return entries.length > 0 ? [{ service, entries, hopeless }] : [];
  });
}

function selectablesOf({ deployments, endpoints }: Fleet): LabelledResource[] {
  return [
    ...deployments.map((resource) => ({ resource, labels: selectableLabelsOf(resource) })),
    ...endpoints.map((resource) => ({ resource, labels: resource.metadata.labels })),
  ];
}

type DeclaredEntry = ModelService['spec']['endpoints'][number];

/** Labels that say where a replica is do not count: it may be there another day. */
function couldSelect({ selector }: DeclaredEntry, { resource, labels }: LabelledResource): boolean {
  const wanted = Object.entries(selector.matchLabels);
  const lasting = wanted.filter(([key]) => !LOCATION_LABELS.has(toCanonicalLabel(key)));
  if (resource.kind === 'ModelEndpoint' && lasting.length < wanted.length) return false;
  return !findUnmetRequirement({ matchLabels: Object.fromEntries(lasting) }, labels);
}

const LOCATION_LABELS: ReadonlySet<string> = new Set([CLUSTER_LABEL, REPLICA_INDEX_LABEL]);

/** Entries that nothing serves, a canary say, of services that could. */
export function* checkUnservedEntries(scene: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const { service, entries, hopeless } of findEmptyEntries(scene)) {
    if (hopeless) continue;
    for (const empty of entries) {
      const path = ['spec', 'endpoints', empty.entry, 'selector'];
      yield relocate(describeUnserved(empty, service), () => ({ resource: service, path }));
    }
  }
}

function describeUnserved(
  { taken, possible: [first], forbidden }: EmptyEntry,
  service: ModelService,
): Diagnostic<undefined> {
  if (taken) {
    const what = 'entries above this one have all that it selects, so it gets no requests';
    return warningAt('shadowed-entry', undefined, what, 'Move it up, or select less above');
  }
  if (!first) {
    const what = 'the entry selects nothing, and gets no requests';
    return warningAt('unserved-entry', undefined, what, formatGrantHint(forbidden, service));
  }
  const what = `no replica of ${resourceIdOf(first.resource)} is in rotation where the entry asks for one, so it gets no requests`;
  return warningAt('unserved-entry', undefined, what, 'Place one there, or correct the selector');
}

/** Services that can never send a request anywhere. */
export function* checkEmptyServices(scene: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const { service, entries, hopeless } of findEmptyEntries(scene)) {
    if (!hopeless || service.group === 'modelplane.ai') continue;
    yield errorAt(
      'selects-nothing',
      { resource: service, path: ['spec', 'endpoints'] },
      `nothing in namespace '${service.metadata.namespace}' has the labels that the service selects`,
      formatGrantHint(forbiddenOf(entries), service),
    );
  }
}

/** The same of services under the alias group, where it stops nothing. */
export function describeEmptyServices(scene: RoutingContext): string[] {
  return findEmptyEntries(scene)
    .filter(({ service, hopeless }) => hopeless && service.group === 'modelplane.ai')
    .map(({ service, entries }) => {
      const hint = formatGrantHint(forbiddenOf(entries), service);
      return `${resourceIdOf(service)} has no routes: nothing in its namespace has the labels that it selects. ${hint}.`;
    });
}

function forbiddenOf(entries: readonly EmptyEntry[]): EmptyEntry['forbidden'] {
  return entries.flatMap(({ forbidden }) => forbidden);
}

/** What to do about an entry that selects nothing: what it means is elsewhere, or nowhere. */
export function formatGrantHint([first]: readonly LabelledResource[], { metadata }: ModelService): string {
  if (!first) return 'Correct the selector, or label a deployment or an endpoint';
  const { kind, metadata: target } = first.resource;
  const spec = `from: [{ namespace: ${metadata.namespace} }], to: [{ kind: ${kind} }]`;
  return `${resourceIdOf(first.resource)} has them: declare a Grant in namespace ${target.namespace}, with ${spec}`;
}
