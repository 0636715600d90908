import type { ModelService } from '../api/model-service';
import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { sortUnique } from '../base/order';
import { type Fleet, indexDeploymentsById } from '../fleet/fleet';
import type { PlacedFleet } from '../plan/decision';
import type { RoutedService } from '../routing/routing';
import { answersModel } from '../routing/served-models';
import { type AccessChange, compareAccess, fieldOfKey } from './access-changes';
import {
  type EntryLostFinding,
  findEntryFindings,
  isLabelLost,
  omitHeirSteps,
  type ServiceTransition,
  type ShareStepFinding,
} from './entry-findings';
import {
  findSwappedModels,
  listTooFewServing,
  losesEveryPlace,
  type ModelSwappedFinding,
  type NoneLeftFinding,
  type OutageFinding,
  toOutageFinding,
  type TooFewServingFinding,
  toTooFewServingFinding,
} from './deployment-findings';
import { listFailingRequests, type RequestsFailFinding } from './failing-requests';
import { findOutages, type FleetDiff } from './fleet-diff';
import { type BlockedPods, findBlockedPods } from './blocked-pods';
import { findLeftClusters, type LeftClusters } from './left-clusters';
import { findLostLabels } from './lost-labels';
import { type AddressGoneFinding, findGoneAddresses } from './lost-addresses';
import {
  type ClosedGatewayFinding,
  findClosedGateways,
  findLostGateways,
  type NoGatewayFinding,
} from './lost-gateways';
import {
  findLostModels,
  findLostNames,
  findRemovedDeployments,
  type LostModels,
  type LostName,
  type RemovedDeployment,
} from './lost-names';
import type { PeerChange } from './peer-changes';
import { type DownloadRefused, findDownloadsRefused } from './refused-downloads';
import type { Cause } from './replica-causes';
import { listFrozen } from './replica-changes';
import type { ApplyMode } from './serving-during-change';
import {
  findServiceOutages,
  findSilentServices,
  findUnreachedServices,
  type ServiceOutage,
  type SilentService,
  type UnreachedService,
} from './service-outages';

/** A part of a change that `plan --gate` refuses. */
export type GateFinding =
  | OutageFinding
  | TooFewServingFinding
  | EntryLostFinding
  | ShareStepFinding
  | NoneLeftFinding
  | AddressGoneFinding
  | AccessLostFinding
  | ServiceOutageFinding
  | ModelGoneFinding
  | ModelUnansweredFinding
  | RequestsFailFinding
  | ModelSwappedFinding
  | NoGatewayFinding
  | ClosedGatewayFinding
  | ({ readonly kind: 'service-silent' } & SilentService)
  | ({ readonly kind: 'gateway-down' } & UnreachedService)
  | ({ readonly kind: 'names-gone' } & LostModels)
  | ({ readonly kind: 'renamed' } & LostName)
  | ({ readonly kind: 'removed' } & RemovedDeployment)
  | ({ readonly kind: 'cluster-left' } & LeftClusters)
  | ({ readonly kind: 'waves-blocked' } & BlockedPods)
  | PeersLostFinding
  | ({ readonly kind: 'download-refused' } & DownloadRefused);

/** Clients of a service that can no longer use it. */
interface AccessLostFinding extends Pick<AccessChange, 'lostClients' | 'movedClients' | 'refused' | 'instead'> {
  readonly kind: 'access-lost';
  readonly service: ModelService;

  /** The edits of what it accepts. Empty: something else takes the access. */
  readonly causes: readonly Cause[];
}

/** Pods and addresses that the NetworkPolicy of a deployment no longer admits. */
interface PeersLostFinding extends Pick<PeerChange, 'lost' | 'causes'> {
  readonly kind: 'peers-lost';
  readonly deployment: ModelDeployment;
}

/** A service that has no serving replica for some time, because all that it selects is new. */
interface ServiceOutageFinding extends ServiceOutage {
  readonly kind: 'service-outage';
}

/** A model name that clients of a service can no longer request. */
interface ModelGoneFinding {
  readonly kind: 'model-gone';
  readonly service: ModelService;
  readonly model: string;

  /** The name that the same engines serve instead, once they have restarted. */
  readonly renamedTo?: string;
}

/** A service that announces a model that some of its deployments do not answer to, although they answer to the former one. */
interface ModelUnansweredFinding extends Omit<ModelGoneFinding, 'kind' | 'renamedTo'> {
  readonly kind: 'model-unanswered';

  /** The name that it announced before. */
  readonly former: string;
  readonly deployments: readonly ModelDeployment[];
}

/** The two states of a change, and how it is applied. */
export interface GateContext {
  readonly before: PlacedFleet;
  readonly after: PlacedFleet;

  readonly applied: ApplyMode;

  /** Whether it is intended that models, names and addresses are removed, and that names get other models. */
  readonly acceptRemovals: boolean;
}

/** Lists what the gate refuses: labels that entries lose first, then outages, then what happens to the requests of services, by service. */
export function findGateFindings(diff: FleetDiff, context: GateContext): GateFinding[] {
  const services = findTransitionFindings(context);
  const closed = findLostGateways(context);
  const unserved = new Set(closed.flatMap((one) => one.services));
  const down = findOutages(diff, context.applied);
  const outages = down.map((change) => toOutageFinding(change, diff, context));
  const withCauses = services.flatMap((one): GateFinding[] => {
    if (one.kind === 'access-lost') return [{ ...one, causes: findAccessCauses(one, diff) }];
    if (one.kind !== 'entry-lost') return [one];
    if (unserved.has(one.service) || (one.scaledToZero && context.acceptRemovals)) return [];
    const evicted = diff.deployments.filter((change) => {
      return losesEveryPlace(change) && one.stillSelected?.includes(change.deployment);
    });
    return [{ ...one, lost: findLostLabels(one.service, one.entry, diff), ...(evicted.length > 0 && { evicted }) }];
  });
  const emptied = context.acceptRemovals ? [] : diff.deployments.filter(losesEveryPlace);
  const cut = context.acceptRemovals ? [] : findServiceOutages(diff, context);
  const gone = context.acceptRemovals ? [] : findNamesGone(diff, context, cut);
  return [
    // A lost label is why the pods restart, too.
    ...withCauses.filter(isLabelLost),
    ...(context.acceptRemovals ? [] : [...closed, ...findUnreached(diff, context)]),
    ...findSilentServices(diff, context).map((one): GateFinding => ({ kind: 'service-silent', ...one })),
    ...findRefused(diff, context),
    ...outages,
    ...findBlockedPods(diff, context).map((one): GateFinding => ({ kind: 'waves-blocked', ...one })),
    ...cut.map((one): GateFinding => ({ kind: 'service-outage', ...one })),
    ...emptied.map((change): GateFinding => ({ kind: 'none-left', change })),
    ...listTooFewServing(diff, context, down).map((one) => toTooFewServingFinding(one, diff, context)),
    ...(context.acceptRemovals ? [] : findGoneAddresses(diff.routes, context)),
    ...gone,
    ...(context.acceptRemovals
      ? []
      : listFailingRequests(diff, context, new Set([...services, ...gone].flatMap(listModelsGone)))),
    ...(context.acceptRemovals ? [] : findSwappedModels(diff)),
    ...omitHeirSteps(withCauses, diff).filter((one) => !isLabelLost(one)),
  ];
}

/** Deployments of which another tool would leave too few replicas serving. */
export interface WorseTool {
  readonly applied: ApplyMode;
  readonly deployments: readonly string[];

  /** Whether none of their replicas would serve. */
  readonly down: boolean;
}

/** Finds the tools with which the gate would refuse a change that it passes where waves of all clusters follow each other. */
export function findWorseTools(diff: FleetDiff, context: GateContext): WorseTool[] {
  if (context.applied !== 'withWaves') return [];
  return (['perCluster', 'atOnce'] as const).flatMap((applied) => {
    const outages = findOutages(diff, applied);
    const short = listTooFewServing(diff, { ...context, applied }, outages);
    const deployments = [...outages, ...short.map(({ change }) => change)];
    if (deployments.length === 0) return [];
    return [{ applied, deployments: deployments.map(({ deployment }) => deployment), down: short.length === 0 }];
  });
}

/** Lists what happens to the requests of services that are declared before and after. */
function findTransitionFindings(context: GateContext): GateFinding[] {
  const { before, after } = context;
  const earlier = new Map(before.routing.services.map((one) => [idOf(one), one]));
  const later = new Map(after.routing.services.map((one) => [idOf(one), one]));
  const declaredBefore = new Map(before.fleet.services.map((one) => [qualifiedNameOf(one), one]));
  const deployments = indexDeploymentsById(after.fleet.deployments);
  const frozen = listFrozen(after);
  const isFrozen = ({ rules }: RoutedService): boolean =>
    rules.some(({ members }) => members.some(({ target }) => frozen.has(idOf(target))));
  return after.fleet.services.flatMap((service) => {
    const id = qualifiedNameOf(service);
    const [was, declared] = [earlier.get(id), declaredBefore.get(id)];
    if (!was || !declared || isFrozen(was)) return [];
    const change: ServiceTransition = { service, declared, was, is: later.get(id), deployments };
    if (context.acceptRemovals) return findEntryFindings(change);
    return [...findEntryFindings(change), ...findLostAccess(change), ...findGoneModels(change, context)];
  });
}

function findUnreached(diff: FleetDiff, context: GateContext): GateFinding[] {
  const unreached = findUnreachedServices(diff, context).map((one): GateFinding => ({ kind: 'gateway-down', ...one }));
  return [...findClosedGateways(diff.routes, context), ...unreached];
}

function findRefused(diff: FleetDiff, context: GateContext): GateFinding[] {
  if (context.acceptRemovals) return [];
  return findDownloadsRefused(diff, context).map((one) => ({ kind: 'download-refused', ...one }));
}

/** The models that a finding says are gone, behind the service or the deployment that served them: `ml/chat sql`. */
function listModelsGone(finding: GateFinding): string[] {
  if (finding.kind === 'model-gone' || finding.kind === 'model-unanswered')
    return [`${qualifiedNameOf(finding.service)} ${finding.model}`];
  if (finding.kind !== 'names-gone') return [];
  return finding.models.map((model) => `${qualifiedNameOf(finding.deployment)} ${model}`);
}

/** A rename that takes down a service is a finding of that service. */
function findNamesGone(diff: FleetDiff, context: GateContext, cut: readonly ServiceOutage[]): GateFinding[] {
  const reported = new Set(cut.flatMap(({ targets }) => targets.map(({ former }) => former)));
  const renamed = findLostNames(diff, context).filter(({ former }) => !reported.has(former));
  return [
    ...renamed.map((one): GateFinding => ({ kind: 'renamed', ...one })),
    ...findRemovedDeployments(diff, context).map((one): GateFinding => ({ kind: 'removed', ...one })),
    ...findLeftClusters(diff, context).map((one): GateFinding => ({ kind: 'cluster-left', ...one })),
    ...findLostModels(diff, context).map((one): GateFinding => ({ kind: 'names-gone', ...one })),
    ...findLostPeers(diff, context),
  ];
}

function findLostPeers({ peers = [] }: FleetDiff, { after }: GateContext): PeersLostFinding[] {
  const changes = new Map(peers.map((change) => [change.deployment, change]));
  return after.fleet.deployments.flatMap((deployment) => {
    const { lost = [], causes = [] } = changes.get(qualifiedNameOf(deployment)) ?? {};
    return lost.length > 0 ? [{ kind: 'peers-lost' as const, deployment, lost, causes }] : [];
  });
}

function idOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

function findLostAccess({ service, was, is }: ServiceTransition): GateFinding[] {
  if (!is) return [];
  const { lostClients, movedClients, refused, instead } = compareAccess(was, is);
  const lost = { lostClients, movedClients, refused, ...(instead && { instead }) };
  const isKept = lost.lostClients.length + lost.movedClients.length + lost.refused.length === 0;
  return isKept ? [] : [{ kind: 'access-lost', service, causes: [], ...lost }];
}

const AUTH = /^spec\.auth\b/;

/** The edits of the keys of the clients that lose access, or else all edits of what the service accepts. */
function findAccessCauses(
  { service, lostClients, movedClients, refused }: AccessLostFinding,
  { routes }: Pick<FleetDiff, 'routes'>,
): Cause[] {
  const id = qualifiedNameOf(service);
  const causes = routes.services
    .flatMap((one) => (one.service === id ? one.causes : []))
    .filter(({ field }) => AUTH.test(field?.field ?? ''));
  const keys = [...lostClients, ...movedClients.map(({ name }) => name)].map(fieldOfKey);
  const ofKeys = causes.filter(({ field }) => keys.some((key) => isWithin(field?.field ?? '', key)));
  return refused.length > 0 || ofKeys.length === 0 ? causes : ofKeys;
}

/** Whether a field is another one, or a part of it. */
function isWithin(field: string, other: string): boolean {
  return field === other || field.startsWith(`${other}.`);
}

function findGoneModels(change: ServiceTransition, { before, after }: GateContext): GateFinding[] {
  const { service, was, is } = change;
  const { caches } = after.fleet;
  if (!is) return [];
  // An empty list says that the models are unknown.
  const models = new Set(is.models);
  const gone = models.size === 0 ? [] : was.models.filter((model) => !models.has(model));
  return gone.flatMap((model): GateFinding[] => {
    const named = service.spec.servedModelName;
    const answering = named === undefined ? [] : listDeploymentsAnswering(change, model, caches);
    if (named === undefined || answering.length === 0) {
      const isRenamed = named !== undefined && areRenamed(change, named, { before, after });
      return [{ kind: 'model-gone', service, model, ...(isRenamed && { renamedTo: named }) }];
    }
    const lacking = answering.filter((one) => answersModel(one, named, caches) === false);
    if (lacking.length === 0) return [];
    return [{ kind: 'model-unanswered', service, model: named, former: model, deployments: lacking }];
  });
}

/** Whether all deployments that get the requests of a service answer to a name that none of them answered to before. */
function areRenamed(
  change: ServiceTransition,
  name: string,
  { before, after }: Pick<GateContext, 'before' | 'after'>,
): boolean {
  const former = indexDeploymentsById(before.fleet.deployments);
  const renamed = listDeploymentsAnswering(change, name, after.fleet.caches);
  const earlier = renamed.map((one) => former.get(qualifiedNameOf(one)));
  return earlier.length > 0 && earlier.every((one) => one && answersModel(one, name, before.fleet.caches) === false);
}

/** The deployments of a service, if all that get its requests answer to a name: routes do not tell models apart. */
function listDeploymentsAnswering(
  { is, deployments }: ServiceTransition,
  model: string,
  caches: Fleet['caches'],
): ModelDeployment[] {
  const members = is?.rules.flatMap((rule) => rule.members) ?? [];
  const ids = sortUnique(members.filter(({ kind }) => kind === 'Edge').map(({ target }) => idOf(target)));
  const found = ids.flatMap((id) => deployments.get(id) ?? []);
  return found.every((one) => answersModel(one, model, caches)) ? found : [];
}
