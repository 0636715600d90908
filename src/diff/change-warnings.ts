import { type Diagnostic, warningAt } from '../base/diagnostic';
import { groupBy } from '../base/order';
import { joinNames } from '../base/text';
import type { PlacedFleet } from '../plan/decision';
import type { ClusterNeeds } from '../plan/plan';
import type { RoutedService } from '../routing/routing';
import { fieldOfKey, secretOf } from './access-changes';
import { findDeploymentWarnings } from './deployment-warnings';
import { findDowngrades } from './downgraded-clusters';
import { findEmptiedClusters } from './emptied-clusters';
import { findFewerNodes } from './fewer-nodes';
import type { FleetDiff } from './fleet-diff';
import { findGatewayWarnings } from './gateway-warnings';
import { findIndependentOutages } from './independent-clusters';
import { findRejectedByKueue, nameOf } from './kueue-rejections';
import { findLostRoom } from './lost-room';
import { findLostShares } from './lost-shares';
import { findRefusedNetworks } from './refused-networks';
import { findReplacedNodes } from './replaced-nodes';
import type { Cause } from './replica-causes';
import type { ApplyMode } from './serving-during-change';
import { findServiceWarnings } from './service-warnings';
import { findStaleRoutes } from './stale-routes';
import { findUncheckedMemory } from './unchecked-memory';
import { findUnrequested } from './unrequested-deployments';

/** The two states of a change, and what its manifests refer to. */
export interface ChangeToWarnOf {
  readonly before: PlacedFleet;
  readonly after: PlacedFleet;
  readonly mustExist: readonly ClusterNeeds[];

  /** Where the change is, for what no declaration causes. */
  readonly at: string;

  /** How changes are applied. Default: wave by wave. */
  readonly applied?: ApplyMode;
}

/** Lists what can fail, or what does not happen, when a change is applied to what runs. */
export function findChangeWarnings(diff: FleetDiff, change: ChangeToWarnOf): Diagnostic[] {
  return [
    ...findRejectedByKueue(diff, change),
    ...findDeletedRequirements(diff, change),
    ...findKeysThatStay(diff, change),
    ...findLostShares(diff, change),
    ...findServiceWarnings(diff, change),
    ...findStaleRoutes(diff, change),
    ...findGatewayWarnings(diff, change),
    ...findUnrequested(diff, change),
    ...findIndependentOutages(diff, change.after.fleet, change.at),
    ...findEmptiedClusters(diff, change),
    ...findDeploymentWarnings(diff, change),
    ...findFewerNodes(diff, change),
    ...findDowngrades(diff, change),
    ...findRefusedNetworks(diff, change),
    ...findReplacedNodes(diff, change),
    ...findUncheckedMemory(diff, change),
    ...findLostRoom(diff, change),
  ];
}

/** Finds objects that a change deletes although manifests refer to them. */
function findDeletedRequirements(diff: FleetDiff, { mustExist, at }: ChangeToWarnOf): Diagnostic[] {
  const deleted = new Map(
    diff.objects.filter(({ action }) => action === 'delete').map((one) => [`${one.cluster} ${nameOf(one)}`, one]),
  );
  return mustExist.flatMap(({ cluster, objects }) =>
    objects.flatMap((object) => {
      const found = deleted.get(`${cluster} ${nameOf(object)}`);
      if (!found) return [];
      const what = `manifests of ${cluster} no longer contain ${nameOf(object)}, which ${joinNames(object.for)} need${object.for.length === 1 ? 's' : ''}`;
      const hint = 'Keep the object when manifests are applied, or create it';
      return [warningAt('deleted-requirement', found.causes[0]?.where ?? at, what, hint)];
    }),
  );
}

/** Finds clients without a declared key whose key the Secret of a service still contains. */
function findKeysThatStay(diff: FleetDiff, { before, after, at }: ChangeToWarnOf): Diagnostic[] {
  const [was, is] = [before, after].map(({ routing }) => new Map(routing.services.map((one) => [idOf(one), one])));
  return diff.routes.services.flatMap(({ service, causes }) => {
    const [old, now] = [was?.get(service), is?.get(service)];
    if (!old || !now) return [];
    const kept = secretsOf(now);
    return [...secretsOf(old)].flatMap(([secret, clients]) => {
      const declared = kept.get(secret);
      const gone = declared ? [...clients].filter((client) => !declared.has(client)) : [];
      if (gone.length === 0) return [];
      const verb = gone.length === 1 ? 'keeps' : 'keep';
      const what = `${joinNames(gone)} ${verb} access to ${service}: each entry of Secret ${secret} is a key`;
      const hint = `Delete ${gone.length === 1 ? 'its entry' : 'their entries'} from the Secret`;
      return [warningAt('key-stays', findRemoval(causes, gone)?.where ?? at, what, hint)];
    });
  });
}

/** The edit that removes the key of one of some clients. That of another field of a service says less. */
function findRemoval(causes: readonly Cause[], clients: readonly string[]): Cause | undefined {
  const fields = new Set(clients.map(fieldOfKey));
  return causes.find(({ field }) => field !== undefined && fields.has(field.field)) ?? causes[0];
}

function idOf({ namespace, name }: RoutedService): string {
  return `${namespace}/${name}`;
}

/** The entries that a service declares of each Secret with keys. */
function secretsOf({ gateways }: RoutedService): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = gateways.flatMap(({ auth }) => (auth.kind === 'ApiKeys' ? auth.keys : []));
  const groups = groupBy(keys, secretOf);
  return new Map([...groups].map(([secret, group]) => [secret, new Set(group.map((one) => one.secret.key))]));
}
