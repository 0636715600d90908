import { scalesToZero } from '../api/engine-copies';
import { qualifiedNameOf } from '../api/resource';
import { type Diagnostic, warningAt } from '../base/diagnostic';
import { formatRoundPercent } from '../base/figures';
import { formatAmount } from '../base/money';
import { groupBy } from '../base/order';
import { joinNames, pluralize } from '../base/text';
import { indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { computePlacedCost } from '../plan/plan-cost';
import type { RoutedService, RouteMember } from '../routing/routing';
import { createAcceleratorCounter } from './copies-changes';
import type { FleetDiff } from './fleet-diff';
import { keyOfEntry } from './entry-findings';
import { listFrozen } from './replica-changes';
import type { ServiceChange } from './route-changes';
import { partOf } from './traffic-share-changes';

/** The two states of a change, and its place, for what no declaration causes. */
interface ChangedRequests {
  readonly before: PlacedFleet;
  readonly after: PlacedFleet;
  readonly at: string;
}

/**
 * Finds deployments that got requests of services, get none after the change, and keep their devices. One whose entry
 * stays and selects nothing is a finding of the gate, and one that scales to zero keeps no devices.
 */
export function findUnrequested({ routes }: FleetDiff, { before, after, at }: ChangedRequests): Diagnostic[] {
  const requested = new Set(after.routing.services.flatMap((service) => membersOf(service).map(targetOf)));
  const declared = indexDeploymentsById(after.fleet.deployments);
  const frozen = listFrozen(after);
  const lost = [...listFormerRequests(routes.services)].flatMap(([id, requests]) => {
    const deployment = declared.get(id);
    if (!deployment || requested.has(id) || frozen.has(id) || scalesToZero(deployment)) return [];
    const count = after.schedule.placements.filter((one) => one.deployment === id && !one.draining).length;
    const isMisspelt = requests.every(({ service }) => keepsEntry(service, id, { before, after }));
    return count === 0 || isMisspelt ? [] : [{ id, requests, count }];
  });
  if (lost.length === 0) return [];
  const describeKept = createKeptText(after);
  return lost.map(({ id, requests, count }) => {
    const former = joinNames(requests.map(formatFormer), MAX_NAMED);
    const isService = requests.some(({ service }) => service === id);
    const what = `${isService ? 'the deployment ' : ''}${id} gets no requests any more (before: ${former}), and keeps ${describeKept(id, count)}`;
    return warningAt('no-requests', requests.flatMap(({ where }) => where ?? [])[0] ?? at, what, HINT);
  });
}

const HINT = "If it is not needed, remove it or set 'replicas: 0'; else select it in an entry of a service";

const MAX_NAMED = 3;

/** What a deployment got of a service before a change. */
interface FormerRequests {
  readonly service: string;

  /** From 0 to 1. 0: it was a fallback. */
  readonly part: number;
  readonly where: string | undefined;
}

/** What deployments got of services that no longer send them requests, by deployment. */
function listFormerRequests(services: readonly ServiceChange[]): ReadonlyMap<string, readonly FormerRequests[]> {
  const all = services.flatMap(({ service, targets, causes }) => {
    const gone = targets.filter(({ before, after, external }) => before && !after && !external);
    return [...groupBy(gone, ({ target }) => target)].map(([target, parts]) => {
      const part = Math.max(...parts.map(({ before }) => partOf(before)));
      return { target, service, part, where: causes[0]?.where };
    });
  });
  return groupBy(all, ({ target }) => target);
}

function formatFormer({ service, part }: FormerRequests): string {
  return part > 0 ? `${formatRoundPercent(part)} of ${service}` : `a fallback of ${service}`;
}

/** Whether the entry of a service that selected a deployment is still declared, and selects nothing. */
function keepsEntry(service: string, id: string, { before, after }: Omit<ChangedRequests, 'at'>): boolean {
  const [was, is] = [before, after].map(({ fleet }) => fleet.services.find((one) => qualifiedNameOf(one) === service));
  const [old, now] = [before, after].map(({ routing }) => {
    return routing.services.filter((one) => nameOf(one) === service).flatMap(membersOf);
  });
  const keys = new Set(
    (old ?? []).flatMap(({ entry, target }) => {
      const declared = was?.spec.endpoints[entry];
      return declared && nameOf(target) === id ? [keyOfEntry(declared)] : [];
    }),
  );
  const used = new Set((now ?? []).map(({ entry }) => entry));
  return is?.spec.endpoints.some((one, e) => !used.has(e) && keys.has(keyOfEntry(one))) === true;
}

/** Creates a function that says what the replicas of a deployment keep: `4 GPUs ($32,299 a month)`. */
function createKeptText(after: PlacedFleet): (id: string, replicas: number) => string {
  const countAccelerators = createAcceleratorCounter(after);
  const { deployments, currency } = computePlacedCost(after);
  return (id, replicas) => {
    const gpus = countAccelerators(id);
    const { perMonth, unknown } = deployments.find(({ deployment }) => deployment === id)?.cost ?? { unknown: 1 };
    const amount = perMonth === undefined ? 'price unknown' : `${formatAmount(perMonth, currency)} a month`;
    const least = perMonth !== undefined && unknown > 0 ? 'at least ' : '';
    return `${gpus > 0 ? pluralize(gpus, 'GPU') : pluralize(replicas, 'replica')} (${least}${amount})`;
  };
}

function membersOf({ rules }: RoutedService): RouteMember[] {
  return rules.flatMap(({ members }) => members.filter(({ kind }) => kind === 'Edge'));
}

function targetOf({ target }: RouteMember): string {
  return nameOf(target);
}

function nameOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}
