import { firstUnmet } from '../../api/label-match';
import { canonicalLabel, CLUSTER, REPLICA_INDEX } from '../../api/labels';
import type { ModelService } from '../../api/model-service';
import type { Fleet } from '../../fleet';
import { mayUse, type Selectable } from '../grants';
import { replicaLabels } from '../units';
import type { Scene } from './scene';

/** An entry of a service that gets nothing to send requests to. */
export interface EmptyEntry {
  readonly entry: number;

  /** Whether an earlier entry has all that it selects. */
  readonly taken: boolean;

  /** What it would select, once a replica is in rotation where it asks. */
  readonly possible: readonly Selectable[];

  /** What it would select, and may not, for want of a Grant. */
  readonly forbidden: readonly Selectable[];
}

/** A service with entries that get nothing. */
export interface Emptiness {
  readonly service: ModelService;
  readonly entries: readonly EmptyEntry[];

  /** Whether the service can never send a request anywhere. */
  readonly hopeless: boolean;
}

/** Services with entries that get nothing. */
export function emptyEntries({ fleet, units, selections }: Scene): Emptiness[] {
  if (selections.length === 0) return [];
  const all = selectablesOf(fleet);
  return selections.flatMap(({ service, rules }): Emptiness[] => {
    const served = new Set(rules.flatMap(({ targets }) => targets.map(({ entry }) => entry)));
    const entries = service.spec.endpoints.flatMap((declared, entry): EmptyEntry[] => {
      if (served.has(entry)) return [];
      const matching = all.filter((one) => couldSelect(declared, one));
      const taken = units.some(
        (unit) => !firstUnmet(declared.selector, unit.labels) && mayUse(service, unit, fleet.grants),
      );
      const possible = matching.filter((one) => mayUse(service, one, fleet.grants));
      const forbidden = matching.filter((one) => !mayUse(service, one, fleet.grants));
      return [{ entry, taken, possible, forbidden }];
    });
    const none = entries.every(({ possible }) => possible.length === 0);
    const hopeless = none && entries.length === service.spec.endpoints.length;
    return entries.length > 0 ? [{ service, entries, hopeless }] : [];
  });
}

function selectablesOf({ deployments, endpoints }: Fleet): Selectable[] {
  return [
    ...deployments.map((resource) => ({ resource, labels: replicaLabels(resource) })),
    ...endpoints.map((resource) => ({ resource, labels: resource.metadata.labels })),
  ];
}

type Entry = ModelService['spec']['endpoints'][number];

/** Labels that say where a replica is do not count: it may be there another day. */
function couldSelect({ selector }: Entry, { resource, labels }: Selectable): boolean {
  const wanted = Object.entries(selector.matchLabels);
  const lasting = wanted.filter(([key]) => !PLACES.has(canonicalLabel(key)));
  if (resource.kind === 'ModelEndpoint' && lasting.length < wanted.length) return false;
  return !firstUnmet({ matchLabels: Object.fromEntries(lasting) }, labels);
}

const PLACES: ReadonlySet<string> = new Set([CLUSTER, REPLICA_INDEX]);
