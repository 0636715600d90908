import type { ModelDeployment } from '../api/model-deployment';
import { qualifiedNameOf } from '../api/resource';
import { sortUnique } from '../base/order';
import { indexDeploymentsById } from '../fleet/fleet';
import { NAMESPACE_NAME_LABEL } from '../manifest/kubernetes/labels-and-annotations';
import { serviceNameOf } from '../manifest/kubernetes/object-names';
import type { PlacedFleet } from '../plan/decision';
import { isUnreachable } from '../plan/reachability-notes';
import { listRoutedDeployments } from '../routing/routed-deployments';
import { servedNamesOf } from '../routing/served-models';
import type { FleetDiff } from './fleet-diff';
import { isOtherModel } from './model-changes';

/** Model names that clients of a deployment can no longer request. */
export interface LostModels {
  readonly deployment: ModelDeployment;
  readonly models: readonly string[];

  /** Whether all are adapters, and no other takes the place of one. */
  readonly adaptersOnly: boolean;

  /** Whether its engines load another model, which cannot serve the names. */
  readonly otherModel: boolean;
}

/** A deployment with replicas that is no longer declared, and whose clients no service sent there. */
export interface RemovedDeployment {
  /** `namespace/name`. */
  readonly former: string;
  readonly replicas: number;

  /** The clusters on which its replicas ran. */
  readonly clusters: readonly string[];

  /** The Service by which clients in a cluster reached its replicas. */
  readonly service: string;

  /** The namespaces of these clients. Absent: its network policy admits others too. */
  readonly namespaces?: readonly string[];
}

/** A deployment with replicas that goes because it gets another name. */
export interface LostName {
  /** `namespace/name`, before and after. */
  readonly former: string;
  readonly deployment: ModelDeployment;

  /** The Service by which clients in a cluster reached its replicas, and the one by which they do then. */
  readonly service: string;
  readonly newService: string;
}

type States = Readonly<Record<'before' | 'after', PlacedFleet>>;

/**
 * Finds model and adapter names that a deployment with replicas no longer serves. Those of a service whose models are
 * known are compared as models of that service.
 */
export function findLostModels({ deployments }: FleetDiff, { before, after }: States): LostModels[] {
  const [earlier, later] = [before, after].map(({ fleet }) => indexDeploymentsById(fleet.deployments));
  const compared = findComparedByService({ before, after });
  return deployments.flatMap(({ deployment: id, serving, model: change }): LostModels[] => {
    const [was, is] = [earlier?.get(id), later?.get(id)];
    if (!was || !is || compared.has(id) || serving.before === 0 || serving.after === 0) return [];
    const [old, now] = [servedNamesOf(was, before.fleet.caches), servedNamesOf(is, after.fleet.caches)];
    const names = new Set([...(now.model === undefined ? [] : [now.model]), ...now.adapters]);
    const model = now.model === undefined || old.model === undefined ? [] : [old.model];
    const models = [...model, ...old.adapters].filter((name) => !names.has(name));
    const isNew = [...names].some((name) => name !== old.model && !old.adapters.includes(name));
    const adaptersOnly = !isNew && models.every((name) => old.adapters.includes(name));
    const otherModel = change !== undefined && isOtherModel(change);
    return models.length > 0 ? [{ deployment: is, models, adaptersOnly, otherModel }] : [];
  });
}

/** The deployments that get requests of a service whose models are known before and after. */
function findComparedByService({ before, after }: States): ReadonlySet<string> {
  const known = new Set(after.routing.services.filter(({ models }) => models.length > 0).map(qualifiedName));
  const services = before.routing.services.filter((one) => one.models.length > 0 && known.has(qualifiedName(one)));
  return new Set(services.flatMap(({ rules }) => rules.flatMap((rule) => rule.members)).map(targetId));
}

function targetId({ target }: { readonly target: { readonly namespace: string; readonly name: string } }): string {
  return qualifiedName(target);
}

function qualifiedName({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** Finds deployments with replicas that are declared under another name, and whose old replicas go. */
export function findLostNames({ deployments, declarations }: FleetDiff, { before, after }: States): LostName[] {
  const [earlier, later] = [before, after].map(({ fleet }) => indexDeploymentsById(fleet.deployments));
  const served = new Set(deployments.filter(({ serving }) => serving.before > 0).map(({ deployment }) => deployment));
  return declarations.flatMap(({ id, action, renamed = '' }): LostName[] => {
    const [[kind, former = ''], [, name = '']] = [id.split(' '), renamed.split(' ')];
    const [was, deployment] = [earlier?.get(former), later?.get(name)];
    if (kind !== 'ModelDeployment' || action !== 'removed' || !was || !deployment || !served.has(former)) return [];
    if (isUnreachable(was, before.fleet)) return [];
    const [service, newService] = [serviceNameOf(was.metadata), serviceNameOf(deployment.metadata)];
    return [{ former: qualifiedNameOf(was), deployment, service, newService }];
  });
}

/** Finds deployments with replicas that are removed, and that clients may use. Requests of services are compared as those of the service. */
export function findRemovedDeployments(
  { deployments, declarations }: FleetDiff,
  { before }: States,
): RemovedDeployment[] {
  const earlier = indexDeploymentsById(before.fleet.deployments);
  const routed = listRoutedDeployments(before.routing);
  const serving = new Map(deployments.map((change) => [change.deployment, change.serving.before]));
  return declarations.flatMap(({ id, action, renamed }): RemovedDeployment[] => {
    const [kind, former = ''] = id.split(' ');
    const [was, replicas = 0] = [earlier.get(former), serving.get(former)];
    if (kind !== 'ModelDeployment' || action !== 'removed' || renamed !== undefined || !was) return [];
    const isUnused = replicas === 0 || routed.has(former) || isUnreachable(was, before.fleet);
    if (isUnused) return [];
    const own = before.replicas.filter(({ deployment }) => deployment === was);
    const clusters = sortUnique(own.map(({ cluster }) => cluster.metadata.name));
    return [{ former, replicas, clusters, service: serviceNameOf(was.metadata), ...admittedBy(was) }];
  });
}

/** The namespaces that a network policy admits, if it names all of them. */
function admittedBy({ spec }: ModelDeployment): Pick<RemovedDeployment, 'namespaces'> {
  const { enabled, from } = spec.template.spec.networkPolicy;
  const names = from.map(({ namespaceSelector }) => namespaceSelector?.matchLabels?.[NAMESPACE_NAME_LABEL]);
  const known = names.flatMap((name) => name ?? []);
  return enabled && known.length > 0 && known.length === names.length ? { namespaces: sortUnique(known) } : {};
}
