import { type Diagnostic, warningAt } from '../base/diagnostic';
import { sortUnique } from '../base/order';
import { joinNames } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import type { Front } from '../routing/gateway-types';
import type { Routing } from '../routing/routing';
import { findReplacedClusters } from './cloud-changes';
import type { FleetDiff } from './fleet-diff';

interface ChangedGateways {
  readonly before: Pick<PlacedFleet, 'routing'>;
  readonly after: Pick<PlacedFleet, 'routing'>;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;
}

/** What a change does to gateways whose host stays: requests do not reach them for a time, or the internet does. */
export function findGatewayWarnings(diff: FleetDiff, change: ChangedGateways): Diagnostic[] {
  return [
    ...findReplacedGateways(diff, change),
    ...findRemovedGateways(diff, change),
    ...findRenamedGateways(diff, change),
    ...findOpenedGateways(diff, change),
  ];
}

/** The host of an ingress gateway that the internet reaches only before, or only after a change. */
interface ReachChange {
  /** The name of the InferenceGateway. */
  readonly gateway: string;
  readonly host: string;
  readonly opened: boolean;
}

/** Lists gateways that become reachable from the internet, and hosts that stay and are no longer so. */
export function listReachChanges(before: Pick<Routing, 'fronts'>, after: Pick<Routing, 'fronts'>): ReachChange[] {
  const former = new Map(before.fronts.map((one) => [one.gateway, one]));
  const changed = after.fronts.flatMap(({ gateway, address: host, reach }): [string, ReachChange][] => {
    const was = former.get(gateway);
    const opened = reach === 'Public';
    if (!was || (was.reach === 'Public') === opened || (!opened && was.address !== host)) return [];
    return [[gateway, { gateway, host, opened }]];
  });
  return [...new Map(changed).values()];
}

function findOpenedGateways({ declarations }: FleetDiff, { before, after, at }: ChangedGateways): Diagnostic[] {
  const opened = listReachChanges(before.routing, after.routing).filter((one) => one.opened);
  return opened.map(({ gateway, host }) => {
    const cause = declarations.find(({ id }) => id === `InferenceGateway ${gateway}`);
    const field = cause?.fields.find((one) => one.field === 'spec.public');
    const what = `${host} becomes reachable from the internet`;
    const hint = "Check auth of its services. For networks only, leave out 'public'";
    return warningAt('access-opened', field?.where ?? cause?.where ?? at, what, hint);
  });
}

/** Ingress gateways that are removed, where other clusters still answer their host. */
function findRemovedGateways({ declarations }: FleetDiff, { before, after, at }: ChangedGateways): Diagnostic[] {
  return before.routing.fronts.flatMap(({ cluster, gateway, hostname }): Diagnostic[] => {
    const others = after.routing.fronts.filter((one) => one.hostname === hostname);
    if (hostname === undefined || others.length === 0 || others.some((one) => one.cluster === cluster)) return [];
    const cause = declarations.find(({ id }) => id === `InferenceGateway ${gateway}`);
    const field = cause?.fields.find((one) => one.field.startsWith('spec.clusters'));
    const what = `the ingress gateway ${hostname} of ${cluster} is removed: clients get no answer while DNS leads them there`;
    const hint = `Before you apply this, take the address of ${cluster} out of DNS, and wait for the TTL of the record`;
    return [warningAt('gateway-down', field?.where ?? cause?.where ?? at, what, hint)];
  });
}

/** Ingress gateways whose cluster is deleted and created again. */
function findReplacedGateways({ cloud }: FleetDiff, { before, after, at }: ChangedGateways): Diagnostic[] {
  const replaced = findReplacedClusters(cloud);
  const later = new Set(after.routing.fronts.map(({ cluster }) => cluster));
  const lost = before.routing.fronts.filter(({ cluster }) => replaced.has(cluster) && later.has(cluster));
  return lost.map(({ cluster, address }) => {
    const others = after.routing.fronts.filter((one) => one.address === address && !replaced.has(one.cluster));
    const what = `the ingress gateway ${address} of ${cluster} is gone until the new cluster serves`;
    return warningAt('gateway-down', replaced.get(cluster)?.[0]?.where ?? at, what, hintAtOthers(cluster, others));
  });
}

function hintAtOthers(cluster: string, others: readonly Front[]): string {
  if (others.length === 0) return keepCluster('the new one serves');
  const names = joinNames(sortUnique(others.map((one) => one.cluster)));
  return `Take the address of ${cluster} out of DNS first; ${names} ${others.length === 1 ? 'answers' : 'answer'} the same host`;
}

/** What keeps a gateway, or replicas, while their cluster is replaced. */
export function keepCluster(until: string): string {
  return `Declare the new cluster next to the old one, and remove the old one when ${until}`;
}

/** Cluster gateways with another host name, to which ingress gateways on other clusters send requests. */
function findRenamedGateways({ declarations }: FleetDiff, { before, after, at }: ChangedGateways): Diagnostic[] {
  const former = new Map(before.routing.edges.map((one) => [one.cluster, one.hostname]));
  return after.routing.edges.flatMap(({ cluster, hostname }): Diagnostic[] => {
    const old = former.get(cluster);
    const senders = listSenders(cluster, before.routing).filter((one) => one !== cluster);
    if (old === undefined || hostname === undefined || old === hostname || senders.length === 0) return [];
    const cause = declarations.find(({ id }) => id === `InferenceCluster ${cluster}`);
    const field = cause?.fields.find((one) => one.field.startsWith('spec.gateway'));
    const what = `the cluster gateway of ${cluster} is ${hostname} instead of ${old}: requests from ${joinNames(senders)} to it may fail until both sides are applied`;
    const hint = 'Apply the clusters right after each other, at a time of few requests';
    return [warningAt('gateway-down', field?.where ?? cause?.where ?? at, what, hint)];
  });
}

/** The clusters with an ingress gateway that sends requests to a cluster. */
function listSenders(cluster: string, { services }: Routing): string[] {
  const sending = services.filter(({ rules }) =>
    rules.some(({ members }) => members.some((one) => one.kind === 'Edge' && one.cluster === cluster)),
  );
  return sortUnique(sending.flatMap(({ gateways }) => gateways.map((one) => one.cluster)));
}
