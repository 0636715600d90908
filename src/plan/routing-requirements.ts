import type { InferenceCluster } from '../api/inference-cluster';
import { resourceIdOf } from '../api/kinds';
import { groupBy, type Groups, sortUnique } from '../base/order';
import { SYSTEM_NAMESPACE } from '../manifest/kubernetes/object-names';
import type { ReferencedObject } from '../manifest/kubernetes/references';
import { hasInferencePools, INFERENCE_POOL_KIND, INFERENCE_POOL_PLURAL } from '../provision/releases/inference-pool';
import { findExternalReferences, type OwnedReference } from '../render/external-references';
import { BUILT_IN_NAMESPACES } from '../render/namespaces';
import { renderGateways } from '../render/routing/cluster-routing';
import type { ClusterContext } from '../render/routing/routing-object';
import { listServiceReferences } from '../render/routing/service-references';
import type { RoutedService, Routing, ServiceListener } from '../routing/routing';
import type { SecretKey } from '../routing/traffic-types';

/** Finds the objects that gateways and routes of a cluster require: certificates, keys, credentials and DNS records. */
export function findRoutingRequirements(routing: Routing, place: ClusterContext): OwnedReference[] {
  const references = [...findGatewayRequirements(routing, place), ...findServiceRequirements(routing, place.cluster)];
  const ofGateways = findGatewayReferences(routing, place.cluster);
  return [
    ...references.flatMap((one) => {
      const owners = ofGateways.get(referenceId(one.reference));
      return owners ? owners.map((owner) => ({ ...one, owner })) : [one];
    }),
    ...findSecretKeys(routing, place),
    ...findHostNames(routing, place),
    ...findPoolKind(routing, place),
  ];
}

function findGatewayRequirements(routing: Routing, place: ClusterContext): OwnedReference[] {
  const manifests = renderGateways(routing, place);
  const namespaces = manifests.flatMap(({ metadata }) => metadata.namespace ?? []);
  const owner = resourceIdOf(place.cluster);
  return [...toNamespaces(namespaces, place.cluster), ...findExternalReferences(manifests)].map((reference) => ({
    owner,
    reference,
  }));
}

/** Keys and credentials are left to `findSecretKeys`. */
function findServiceRequirements(routing: Routing, cluster: InferenceCluster): OwnedReference[] {
  return listServiceReferences(routing, cluster).flatMap(({ service, namespaces, references }) => {
    const owner = serviceIdOf(service);
    return [...toNamespaces(namespaces, cluster), ...references].map((reference) => ({ owner, reference }));
  });
}

/** The owners of the issuers and keys that ingress gateways on a cluster name, by the ID of the object. */
function findGatewayReferences(routing: Routing, cluster: InferenceCluster): ReadonlyMap<string, string[]> {
  const { fronts, edges, egresses, services } = routing;
  const own = fronts.filter(isOn(cluster));
  const inside = [
    ...own.map(({ client }) => client),
    ...[...edges, ...egresses].filter(isOn(cluster)).map(({ tls }) => tls),
  ];
  const issuers = [
    ...own.flatMap(({ gateway, tls }) => (tls ? [{ owner: gatewayIdOf(gateway), ...tls }] : [])),
    ...inside.map((tls) => ({ owner: resourceIdOf(cluster), ...tls })),
  ];
  const named = issuers.map(({ owner, issuer, secret }) => {
    if (!issuer) return { owner, id: referenceId({ kind: 'Secret', namespace: SYSTEM_NAMESPACE, name: secret }) };
    const namespace = issuer.kind === 'Issuer' ? SYSTEM_NAMESPACE : undefined;
    return { owner, id: referenceId({ ...issuer, ...(namespace && { namespace }) }) };
  });
  const keys = listListenersOn(cluster, services).flatMap(({ listener }) => findGatewayKeys(listener));
  const byId = groupBy([...named, ...keys], ({ id }) => id);
  return new Map([...byId].map(([id, all]) => [id, sortUnique(all.map(({ owner }) => owner))]));
}

/** The Secrets of keys that a service takes from its gateway: those in the namespace of gateways. */
function findGatewayKeys({ gateway, auth }: ServiceListener): { readonly owner: string; readonly id: string }[] {
  const secrets = auth.kind === 'ApiKeys' ? auth.keys.map(({ secret }) => secret) : [];
  return secrets
    .filter(({ namespace }) => namespace === SYSTEM_NAMESPACE)
    .map(({ namespace, name }) => ({
      owner: gatewayIdOf(gateway),
      id: referenceId({ kind: 'Secret', namespace, name }),
    }));
}

function gatewayIdOf(name: string): string {
  return `InferenceGateway ${name}`;
}

function referenceId({ kind, namespace = '', name }: ReferencedObject): string {
  return `${kind} ${namespace}/${name}`;
}

function toNamespaces(names: readonly string[], { spec }: InferenceCluster): ReferencedObject[] {
  if (spec.namespaces === 'Managed') return [];
  const distinct = [...new Set(names)].filter((name) => !BUILT_IN_NAMESPACES.has(name));
  return distinct.map((name) => ({ kind: 'Namespace', name }));
}

/** Finds the required keys of Secrets. Manifests name only the Secrets. */
function findSecretKeys({ services, egresses }: Routing, { cluster }: ClusterContext): OwnedReference[] {
  const keys = listListenersOn(cluster, services).flatMap(({ service, listener: { gateway, auth } }) =>
    (auth.kind === 'ApiKeys' ? auth.keys : []).map(({ secret }) =>
      secret.namespace === SYSTEM_NAMESPACE
        ? { owner: gatewayIdOf(gateway), reference: { kind: 'Secret' as const, ...secret } }
        : toWantedSecret(service, secret),
    ),
  );
  const backends = egresses.filter(isOn(cluster)).flatMap((egress) => egress.backends);
  const credentials = backends.flatMap(({ service, credential }) =>
    credential ? [toWantedSecret(service, credential.secret)] : [],
  );
  return [...keys, ...credentials];
}

/** A service on one of its gateways. */
interface Listening {
  readonly service: RoutedService;
  readonly listener: ServiceListener;
}

/** The listeners of lists of services, by cluster. Lists do not change after they are created. */
const LISTENERS = new WeakMap<Routing['services'], Groups<string, Listening>>();

function listListenersOn({ metadata }: InferenceCluster, services: Routing['services']): readonly Listening[] {
  const known = LISTENERS.get(services) ?? groupBy(listListeners(services), ({ listener }) => listener.cluster);
  LISTENERS.set(services, known);
  return known.get(metadata.name) ?? [];
}

function listListeners(services: Routing['services']): Listening[] {
  return services.flatMap((service) => service.gateways.map((listener) => ({ service, listener })));
}

/** Whether a gateway is on a cluster. */
function isOn({ metadata: { name } }: InferenceCluster): (place: { readonly cluster: string }) => boolean {
  return ({ cluster }) => cluster === name;
}

/** Finds the DNS records of gateways, and the DNS names that user-provided certificates must contain. */
function findHostNames({ fronts, edges, egresses }: Routing, { cluster }: ClusterContext): OwnedReference[] {
  const owner = resourceIdOf(cluster);
  const gateways = fronts.filter(isOn(cluster));
  const ownEdges = edges.filter(isOn(cluster));
  const certificates = [
    ...gateways.flatMap(({ gateway, tls, client }) => [
      ...(tls ? [{ ...tls, owner: gatewayIdOf(gateway) }] : []),
      { ...client, owner },
    ]),
    ...[...ownEdges, ...egresses.filter(isOn(cluster))].map(({ tls }) => ({ ...tls, owner })),
  ].filter(({ issuer }) => !issuer);
  const hosts = [
    ...gateways.map((one) => ({ ...one, owner: gatewayIdOf(one.gateway) })),
    ...ownEdges.map((one) => ({ ...one, owner })),
  ];
  return [
    ...certificates.flatMap(({ secret, dnsNames, owner: holder }) =>
      dnsNames.map((dnsName): OwnedReference => {
        return { owner: holder, reference: { kind: 'Secret', namespace: SYSTEM_NAMESPACE, name: secret, dnsName } };
      }),
    ),
    // A stack writes the DNS records of zones with a known provider.
    ...hosts.flatMap(({ owner: host, hostname, dns }) =>
      hostname === undefined || dns?.provider !== undefined
        ? []
        : [{ owner: host, reference: { kind: 'DNS record', name: hostname } as const }],
    ),
  ];
}

/** Finds the kind InferencePool, where pools are rendered and Fleetwright does not install their kind. */
function findPoolKind({ edges }: Routing, { cluster }: ClusterContext): OwnedReference[] {
  if (hasInferencePools({ cluster })) return [];
  const { group } = INFERENCE_POOL_KIND;
  const name = `${INFERENCE_POOL_PLURAL}.${group}`;
  return edges
    .filter(isOn(cluster))
    .flatMap(({ backends }) =>
      backends
        .filter(({ picker }) => picker.kind === 'PrefixCache' && picker.pool)
        .map(({ service }) => ({ owner: serviceIdOf(service), reference: { kind: 'CustomResourceDefinition', name } })),
    );
}

type ServiceName = Pick<RoutedService, 'namespace' | 'name'>;

function toWantedSecret(service: ServiceName, secret: SecretKey): OwnedReference {
  return { owner: serviceIdOf(service), reference: { kind: 'Secret', ...secret } };
}

function serviceIdOf({ namespace, name }: ServiceName): string {
  return `ModelService ${namespace}/${name}`;
}
