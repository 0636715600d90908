import type { InferenceCluster } from '../api/inference-cluster';
import type { Manifest } from '../render/manifest';
import { outside, type Wanted } from '../render/must-exist';
import { BUILT_IN_NAMESPACES } from '../render/namespaces';
import type { Reference } from '../render/references';
import { SYSTEM_NAMESPACE } from '../render/names';
import { clusterRouting } from '../render/routing/cluster-routing';
import type { Place } from '../render/routing/meta';
import type { SecretKey } from '../routing/policy';
import type { Routing } from '../routing/routing';

/** What the gateways and routes of a cluster refer to and nobody here makes: certificates, keys, credentials. */
export function routingNeeds(routing: Routing, place: Place): Wanted[] {
  const { gateways, services } = clusterRouting(routing, place);
  const parts = [
    { owner: `InferenceCluster ${place.cluster.metadata.name}`, manifests: gateways },
    ...services.map(({ service, manifests }) => ({
      owner: `ModelService ${service.namespace}/${service.name}`,
      manifests,
    })),
  ];
  const lacking = new Set(outside(parts.flatMap(({ manifests }) => manifests)).map(idOf));
  const referred = parts.flatMap(({ owner, manifests }) =>
    [...namespacesOf(manifests, place.cluster), ...outside(manifests)]
      .filter((one) => one.kind === 'Namespace' || lacking.has(idOf(one)))
      .map((reference) => ({ owner, reference })),
  );
  return [...referred, ...entries(routing, place), ...names(routing, place)];
}

function idOf({ kind, namespace = '', name }: Reference): string {
  return `${kind} ${namespace}/${name}`;
}

function namespacesOf(manifests: readonly Manifest[], { spec }: InferenceCluster): Reference[] {
  if (spec.namespaces === 'Managed') return [];
  const names = new Set(manifests.flatMap(({ metadata }) => metadata.namespace ?? []));
  return [...names]
    .filter((name) => !BUILT_IN_NAMESPACES.has(name))
    .map((name) => ({ kind: 'Namespace', name }));
}

/** The entries of Secrets that are read, of which manifests name the Secrets only. */
function entries({ services, egresses }: Routing, { cluster: { metadata } }: Place): Wanted[] {
  const keys = services.flatMap(({ namespace, name, doors }) =>
    doors
      .filter(({ cluster }) => cluster === metadata.name)
      .flatMap(({ auth }) => (auth.kind === 'ApiKeys' ? auth.keys : []))
      .map(({ secret }) => wanted({ namespace, name }, secret)),
  );
  const credentials = egresses
    .filter(({ cluster }) => cluster === metadata.name)
    .flatMap(({ backends }) =>
      backends.flatMap(({ service, credential }) => (credential ? [wanted(service, credential.secret)] : [])),
    );
  return [...keys, ...credentials];
}

/** The names that people find gateways by, and that certificates which the user brings have to have. */
function names({ fronts, edges, egresses }: Routing, { cluster: { metadata } }: Place): Wanted[] {
  const owner = `InferenceCluster ${metadata.name}`;
  const here = ({ cluster }: { readonly cluster: string }): boolean => cluster === metadata.name;
  const gateways = fronts.filter(here);
  const behind = [...edges.filter(here), ...egresses.filter(here)];
  const certificates = [
    ...gateways.flatMap(({ tls, client }) => [...(tls ? [tls] : []), client]),
    ...behind.map(({ tls }) => tls),
  ].filter(({ issuer }) => !issuer);
  const hosts = [
    ...gateways.map((one) => ({ ...one, owner: `InferenceGateway ${one.gateway}` })),
    ...edges.filter(here).map((one) => ({ ...one, owner })),
  ];
  return [
    ...certificates.flatMap(({ secret, dnsNames }) =>
      dnsNames.map((dnsName): Wanted => {
        return { owner, reference: { kind: 'Secret', namespace: SYSTEM_NAMESPACE, name: secret, dnsName } };
      }),
    ),
    // Those of a zone that says who holds it are written by a stack.
    ...hosts.flatMap(({ owner: of, hostname, dns }) =>
      hostname === undefined || dns?.provider !== undefined
        ? []
        : [{ owner: of, reference: { kind: 'DNS record', name: hostname } as const }],
    ),
  ];
}

function wanted(service: { readonly namespace: string; readonly name: string }, secret: SecretKey): Wanted {
  const owner = `ModelService ${service.namespace}/${service.name}`;
  return { owner, reference: { kind: 'Secret', ...secret } };
}
