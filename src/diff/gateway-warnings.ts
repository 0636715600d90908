import { type Diagnostic, warningAt } from '../base/diagnostic';
import { sortUnique } from '../base/order';
import { decapitalize, joinNames } from '../base/text';
import type { Fleet } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import { listLostClusters } from '../plan/warnings/cluster-warnings';
import type { Front } from '../routing/gateway-types';
import type { Routing } from '../routing/routing';
import { findReplacedClusters } from './cloud-changes';
import type { FleetDiff } from './fleet-diff';
import { findMovedHosts, type HostPlace, isWrittenByStack, type MovedHost } from './moved-hosts';
import { findOpenedGateways } from './reach-changes';

interface ChangedGateways {
  readonly before: Pick<PlacedFleet, 'fleet' | 'routing'>;
  readonly after: Pick<PlacedFleet, 'fleet' | 'routing'>;

  /** Where the change is, for what no declaration causes. */
  readonly at: string;
}

/** What a change does to gateways whose host stays: requests do not reach them for a time, or the internet does. */
export function findGatewayWarnings(diff: FleetDiff, change: ChangedGateways): Diagnostic[] {
  return [
    ...findReplacedGateways(diff, change),
    ...findReplacedEdges(diff, change),
    ...findRemovedGateways(diff, change),
    ...findHostsElsewhere(diff, change),
    ...findRenamedGateways(diff, change),
    ...findOpenedGateways(diff, change),
  ];
}

/** Ingress gateways that are removed, where other clusters still answer their host. */
function findRemovedGateways({ declarations }: FleetDiff, { before, after, at }: ChangedGateways): Diagnostic[] {
  const formerHosts = new Set(before.routing.fronts.map(({ cluster, hostname }) => `${cluster} ${hostname}`));
  const lost = listUnanswering(before.fleet, after.fleet);
  return before.routing.fronts.flatMap(({ cluster, gateway, hostname }): Diagnostic[] => {
    const others = after.routing.fronts.filter((one) => one.hostname === hostname);
    const isKept = others.some((one) => one.cluster === cluster || formerHosts.has(`${one.cluster} ${hostname}`));
    if (hostname === undefined || !isKept || others.some((one) => one.cluster === cluster)) return [];
    const cause = declarations.find(({ id }) => id === `InferenceGateway ${gateway}`);
    const field = cause?.fields.find((one) => one.field.startsWith('spec.clusters'));
    const [effect, hint] = lost.has(cluster)
      ? [
          `${cluster} is lost, so clients that DNS sends there already get no answer`,
          `Take the address of ${cluster} out of DNS now. You need not wait for that before you apply this`,
        ]
      : [
          'clients get no answer while DNS sends them there',
          `Before you apply this, take the address of ${cluster} out of DNS, and wait for the TTL of the record`,
        ];
    const what = `the ingress gateway ${hostname} of ${cluster} is removed: ${effect}`;
    return [warningAt('gateway-down', field?.where ?? cause?.where ?? at, what, hint)];
  });
}

/** Clusters that are lost, or were when they were removed. One that is lost no longer answers again. */
function listUnanswering(before: Fleet, after: Fleet): ReadonlySet<string> {
  const kept = new Set(after.clusters.map(({ metadata }) => metadata.name));
  const removed = [...listLostClusters(before)].filter((name) => !kept.has(name));
  return new Set([...listLostClusters(after), ...removed]);
}

/** Host names of which the record leads to gateways that no longer answer them: those that do have other addresses. */
function findHostsElsewhere({ declarations }: FleetDiff, { before, after, at }: ChangedGateways): Diagnostic[] {
  return findMovedHosts(before.routing, after.routing).map((moved) => {
    const { host, from, to } = moved;
    const ids = new Set([...from, ...to].map(declarationOf));
    const causes = declarations.filter(({ id }) => ids.has(id));
    const field = causes.flatMap(({ fields }) => fields).find((one) => /^spec\.(hostname|clusters)/.test(one.field));
    const added = causes.find(({ action }) => action === 'added');
    const what = `${host} moves from ${describePlaces(from)} to ${describePlaces(to)}, which has another address: requests get no answer while DNS returns the old one`;
    return warningAt('gateway-down', (field ?? added ?? causes[0])?.where ?? at, what, hintOfMove(moved));
  });
}

function declarationOf({ gateway, cluster }: HostPlace): string {
  return gateway === undefined ? `InferenceCluster ${cluster}` : `InferenceGateway ${gateway}`;
}

function hintOfMove({ host, from, to, dns }: MovedHost): string {
  const change = isWrittenByStack(dns)
    ? 'A stack changes the record; wait for its TTL'
    : `Change the DNS record of ${host} when the new gateway has its address`;
  const isStaying = from.every((one) => one.gateway !== undefined && to.some(({ cluster }) => cluster === one.cluster));
  const [old] = from;
  return isStaying && old
    ? `Keep 'hostname: ${host}' on InferenceGateway ${old.gateway}, and give the other host to the new gateway. Otherwise: ${decapitalize(change)}`
    : change;
}

/** `the ingress gateway public on eu, us`, `the cluster gateway of us`. */
function describePlaces(places: readonly HostPlace[]): string {
  const clusters = joinNames(sortUnique(places.map(({ cluster }) => cluster)));
  const names = sortUnique(places.flatMap(({ gateway }) => gateway ?? []));
  return names.length > 0
    ? `the ingress gateway ${joinNames(names)} on ${clusters}`
    : `the cluster gateway of ${clusters}`;
}

/** Ingress gateways whose cluster is deleted and created again. */
function findReplacedGateways({ cloud }: FleetDiff, { before, after, at }: ChangedGateways): Diagnostic[] {
  const replaced = findReplacedClusters(cloud);
  const later = new Set(after.routing.fronts.map(({ cluster }) => cluster));
  const lost = before.routing.fronts.filter(({ cluster }) => replaced.has(cluster) && later.has(cluster));
  return lost.map((front) => {
    const { cluster, address } = front;
    const others = after.routing.fronts.filter((one) => one.address === address && !replaced.has(one.cluster));
    const what = `the ingress gateway ${address} of ${cluster} is gone until the new cluster serves`;
    return warningAt('gateway-down', replaced.get(cluster)?.[0]?.where ?? at, what, hintAtOthers(front, others));
  });
}

/** Cluster gateways of clusters that are created again, to which ingress gateways on other clusters send requests. */
function findReplacedEdges({ cloud }: FleetDiff, { before, after, at }: ChangedGateways): Diagnostic[] {
  const replaced = findReplacedClusters(cloud);
  return after.routing.edges.flatMap(({ cluster, hostname, dns }): Diagnostic[] => {
    if (!replaced.has(cluster) || hostname === undefined || isWrittenByStack(dns)) return [];
    const senders = listSenders(cluster, before.routing);
    if (senders.length === 0) return [];
    const what = `the cluster gateway ${hostname} of ${cluster} gets a new address: requests from ${joinNames(senders)} do not reach it while DNS returns the old one`;
    const hint = 'Set the new address in DNS when the new cluster has it';
    return [warningAt('gateway-down', replaced.get(cluster)?.[0]?.where ?? at, what, hint)];
  });
}

function hintAtOthers({ cluster, hostname, dns }: Front, others: readonly Front[]): string {
  if (others.length === 0) return keepCluster('the new one serves');
  const names = joinNames(sortUnique(others.map((one) => one.cluster)));
  // The load balancer of a new cluster has another address.
  const next =
    hostname === undefined || isWrittenByStack(dns) ? '' : '. Add the new address when the new cluster serves';
  return `Take the address of ${cluster} out of DNS first; ${names} ${others.length === 1 ? 'answers' : 'answer'} the same host${next}`;
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
    if (old === undefined || hostname === undefined || old === hostname) return [];
    const senders = listSenders(cluster, before.routing);
    if (senders.length === 0) return [];
    const cause = declarations.find(({ id }) => id === `InferenceCluster ${cluster}`);
    const field = cause?.fields.find((one) => one.field.startsWith('spec.gateway'));
    const what = `the cluster gateway of ${cluster} is ${hostname} instead of ${old}: requests from ${joinNames(senders)} to it may fail until both sides are applied`;
    const hint = 'Apply the clusters right after each other, at a time of few requests';
    return [warningAt('gateway-down', field?.where ?? cause?.where ?? at, what, hint)];
  });
}

/** The other clusters with an ingress gateway that sends requests to a cluster. */
function listSenders(cluster: string, { services }: Routing): string[] {
  const sending = services.filter(({ rules }) =>
    rules.some(({ members }) => members.some((one) => one.kind === 'Edge' && one.cluster === cluster)),
  );
  const clusters = sending.flatMap(({ gateways }) => gateways.map((one) => one.cluster));
  return sortUnique(clusters.filter((one) => one !== cluster));
}
