import { resourceIdOf, type ResourcePath } from '../../api/kinds';
import { findUnmetRequirement } from '../../api/label-matching';
import type { ModelDeployment } from '../../api/model-deployment';
import type { ModelService } from '../../api/model-service';
import { type Diagnostic, errorAt, warningAt } from '../../base/diagnostic';
import { suggestName } from '../../base/name-suggestion';
import { sortUnique } from '../../base/order';
import { joinNames, toSentence } from '../../base/text';
import type { Fleet } from '../../fleet/fleet';
import { preselectByLabel, type RoutingContext } from '../select-targets';
import {
  isGranted,
  type LabelledResource,
  type RoutedReplica,
  selectableLabelsOf,
  type SelectableItem,
} from '../selectable-items';
import { hintAtLabels, listLabelledResources, toPermanentSelector } from './nearest-labels';

interface EmptyEntry {
  readonly entry: number;

  /** Whether an earlier entry has all items that it selects. */
  readonly taken: boolean;

  /** Whether replicas that stay as they are serve it. */
  readonly frozen: boolean;

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

function findEmptyEntries({ fleet, selectables, selections, frozen }: RoutingContext): EmptyService[] {
  if (selections.length === 0) return [];
  const declaredResources = listLabelledResources(fleet);
  return selections.flatMap(({ service, rules }): EmptyService[] => {
    const served = new Set(rules.flatMap(({ targets }) => targets.map(({ entry }) => entry)));
    const entries = service.spec.endpoints.flatMap((declared, entry): EmptyEntry[] => {
      if (served.has(entry)) return [];
      const matching = selectResources(declared, declaredResources);
      const selects = (item: SelectableItem): boolean =>
        !findUnmetRequirement(declared.selector, item.labels) && isGranted(service, item, fleet.grants);
      const possible = matching.filter((resource) => isGranted(service, resource, fleet.grants));
      const forbidden = matching.filter((resource) => !isGranted(service, resource, fleet.grants));
      return [{ entry, taken: selectables.some(selects), frozen: frozen.some(selects), possible, forbidden }];
    });
    const hopeless = served.size === 0 && entries.every(({ possible }) => possible.length === 0);
    return entries.length > 0 ? [{ service, entries, hopeless }] : [];
  });
}

/** What an entry can select. Ignores labels for the location of a replica, because a replica may be there later. */
function selectResources(
  { selector }: ModelService['spec']['endpoints'][number],
  resources: readonly LabelledResource[],
): LabelledResource[] {
  const permanent = toPermanentSelector(selector);
  const isEverywhere = Object.keys(permanent.matchLabels).length === Object.keys(selector.matchLabels).length;
  return preselectByLabel(resources, [{ selector: permanent }]).filter(
    ({ resource, labels }) =>
      (isEverywhere || resource.kind !== 'ModelEndpoint') && !findUnmetRequirement(permanent, labels),
  );
}

/** Lists the services that can send requests to replicas of a deployment, wherever these are placed. */
export function listSelectingServices(
  deployment: ModelDeployment,
  { services, grants }: Pick<Fleet, 'services' | 'grants'>,
): ModelService[] {
  const resources = [{ resource: deployment, labels: selectableLabelsOf(deployment) }];
  return services.filter((service) =>
    service.spec.endpoints.some((entry) =>
      selectResources(entry, resources).some((resource) => isGranted(service, resource, grants)),
    ),
  );
}

/** Lists the services whose entries can select one deployment, and nothing else. */
export function listServicesOfOne(deployment: ModelDeployment, fleet: Fleet): ModelService[] {
  const all = listLabelledResources(fleet);
  return listSelectingServices(deployment, fleet).filter((service) =>
    service.spec.endpoints.every((entry) =>
      selectResources(entry, all).every(({ resource }) => resource === deployment),
    ),
  );
}

/** Finds entries whose targets get no requests where their replicas are, in services that can have targets. */
export function* checkUnservedEntries(context: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const { service, entries, hopeless } of findEmptyEntries(context)) {
    if (hopeless) continue;
    for (const { entry, taken, possible } of entries.filter((one) => !one.frozen)) {
      const at = { resource: service, path: ['spec', 'endpoints', entry, 'selector'] };
      const [first] = possible;
      if (taken) {
        const message = 'entries above this one select everything that it selects, so it gets no requests';
        yield warningAt('shadowed-entry', at, message, 'Move it up, or select less above');
      } else if (first) {
        const { why, hint } = explainUnserved(first, context.replicas);
        yield warningAt('unserved-entry', at, `${why}, so the entry gets no requests`, hint);
      }
    }
  }
}

/** Why an entry sends no requests to a resource that it can select, and what to do. */
function explainUnserved(
  { resource }: LabelledResource,
  replicas: readonly RoutedReplica[],
): { readonly why: string; readonly hint: string } {
  const id = resourceIdOf(resource);
  const own = replicas.filter(({ deployment }) => resourceIdOf(deployment) === id);
  const where = sortUnique(own.map(({ cluster }) => cluster.metadata.name));
  if (own.length === 0 && resource.kind === 'ModelDeployment' && resource.spec.replicas > 0) {
    return { why: `no replica of ${id} has a place`, hint: 'Give one a place' };
  }
  if (own.length === 0) return { why: `${id} has no replica`, hint: 'Give it a replica, or correct the selector' };
  if (own.some(({ cluster }) => cluster.spec.gateway.enabled)) {
    const why = `${id} has no replica that the entry selects: its replicas are on ${joinNames(where)}`;
    return { why, hint: 'Place a replica where the entry selects, or correct the selector' };
  }
  const names = joinNames(where);
  const have = where.length === 1 ? 'has' : 'have';
  const why = `${id} has replicas only on ${names}, which ${have} no gateway`;
  return { why, hint: `Declare spec.gateway of ${names}, or place a replica on a cluster with a gateway` };
}

/**
 * Finds entries that can never have a target, in services whose other entries can.
 *
 * @param absent the IDs of resources that are not in the fleet because they have errors: entries may mean one of them
 */
export function findHopelessEntries(fleet: Fleet, absent: readonly string[] = []): Diagnostic<ResourcePath>[] {
  const declared = listLabelledResources(fleet);
  return fleet.services.flatMap((service) => {
    if (absent.some((id) => maySelect(service, id, fleet))) return [];
    const entries = service.spec.endpoints.map((one, entry) => {
      const matching = selectResources(one, declared);
      const forbidden = matching.filter((resource) => !isGranted(service, resource, fleet.grants));
      return { entry, forbidden, hopeless: forbidden.length === matching.length };
    });
    if (entries.every(({ hopeless }) => hopeless)) return [];
    return entries
      .filter(({ hopeless }) => hopeless)
      .map(({ entry, forbidden }) => {
        const at = { resource: service, path: ['spec', 'endpoints', entry, 'selector'] };
        const message = 'the entry selects nothing, so it gets no requests';
        return warningAt('unserved-entry', at, message, formatEntryHint(service, entry, forbidden, fleet));
      });
  });
}

const SELECTABLE_KINDS: ReadonlySet<string> = new Set(['ModelDeployment', 'ModelEndpoint', 'Grant']);

/** Whether a service may select a resource of which only the ID is known, or what a Grant allows it. */
function maySelect({ metadata }: ModelService, id: string, { grants }: Fleet): boolean {
  const [kind = '', name = ''] = id.split(' ');
  const isNear = kind === 'Grant' || grants.length > 0 || name.split('/')[0] === metadata.namespace;
  return SELECTABLE_KINDS.has(kind) && isNear;
}

/** Finds services that can never have a target. */
export function* checkEmptyServices(context: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  for (const { service, entries, hopeless } of findEmptyEntries(context)) {
    if (!hopeless || service.group === 'modelplane.ai') continue;
    const only = service.spec.endpoints.length === 1 ? [0, 'selector'] : [];
    const at = { resource: service, path: ['spec', 'endpoints', ...only] };
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
      return `${resourceIdOf(service)} has no routes: its selector matches nothing in its namespace. ${toSentence(hint)}`;
    });
}

/** Returns the fix for the first entry that a Grant or other labels would mend. */
function formatServiceHint(service: ModelService, entries: readonly EmptyEntry[], fleet: Fleet): string {
  const entry = entries.find(({ forbidden }) => forbidden.length > 0) ?? entries[0];
  return entry ? formatEntryHint(service, entry.entry, entry.forbidden, fleet) : CORRECT_LABELS;
}

const CORRECT_LABELS = 'Correct the selector, or label a deployment or an endpoint';

/**
 * Returns the fix for an entry without targets: the namespace of what it selects if its own has nothing, a Grant if it
 * has other resources, else other labels.
 */
function formatEntryHint(
  service: ModelService,
  entry: number,
  [first]: readonly LabelledResource[],
  fleet: Fleet,
): string {
  if (!first) return hintAtLabels(service, entry, fleet, { otherwise: CORRECT_LABELS, isNew: true });
  const { metadata } = service;
  const { kind, metadata: target } = first.resource;
  const known = listLabelledResources(fleet).map(({ resource }) => resource.metadata.namespace ?? '');
  const { namespace: own = 'default' } = metadata;
  if (!known.includes(own)) {
    const meant = suggestName(own, new Set(known));
    if (meant !== undefined && meant === target.namespace) return `Did you mean namespace '${meant}'?`;
    if (own === 'default') {
      return `${resourceIdOf(first.resource)} matches in another namespace. Set 'namespace: ${target.namespace}': without it, the namespace is 'default'`;
    }
  }
  const spec = `from: [{ namespace: ${metadata.namespace} }], to: [{ kind: ${kind} }]`;
  const grant = `declare a Grant in namespace ${target.namespace}, with ${spec}`;
  const matches = `${resourceIdOf(first.resource)} matches in another namespace`;
  const isMissing = target.namespace === 'default';
  if (isMissing || suggestName(target.namespace ?? '', [own]) !== undefined) {
    const why = isMissing ? ": without it, the namespace is 'default'" : '';
    return `${matches}. If it belongs to the service, set its 'namespace: ${own}'${why}. Otherwise ${grant}`;
  }
  return `${matches}. To allow it, ${grant}`;
}
