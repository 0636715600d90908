import type { JsonObject, Manifest } from '../../../src/manifest/kubernetes/manifest';

/**
 * Policies that keep sessions where they are, with what Envoy Gateway makes of that (`buildXdsCluster` and
 * `buildConsistentHashPolicy`, v1.9.1) patched in: what holds its objects in file mode dies of the size of their tables,
 * which is a number without a sign. Ours are patched in afterwards, as in a cluster.
 *
 * @param gateway the only Gateway of the manifests
 */
export function tablesAsPatches(manifests: readonly Manifest[], gateway: string): Manifest[] {
  return manifests.flatMap((manifest) => {
    const header = headerOf(manifest);
    if (header === undefined) return [manifest];
    const { loadBalancer: _, ...spec } = manifest.spec ?? {};
    const { namespace = '' } = manifest.metadata;
    const targets = new Set((spec['targetRefs'] as JsonObject[]).map(({ name }) => String(name)));
    const routes = manifests.filter(
      ({ kind, metadata }) => kind === 'HTTPRoute' && metadata.namespace === namespace && targets.has(metadata.name),
    );
    const jsonPatches = routes.flatMap((route) => patchesOf(route, gateway, header));
    return [{ ...manifest, spec }, ...(jsonPatches.length > 0 ? [patches(manifest, gateway, jsonPatches)] : [])];
  });
}

/** The header whose value is the session, of a policy that has one. */
function headerOf({ kind, spec }: Manifest): string | undefined {
  const { type, consistentHash } = (spec?.['loadBalancer'] ?? {}) as JsonObject;
  if (kind !== 'BackendTrafficPolicy' || type !== 'ConsistentHash') return undefined;
  const [header] = (consistentHash as { headers: { name: string }[] }).headers;
  return header?.name;
}

function patches({ metadata }: Manifest, gateway: string, jsonPatches: readonly JsonObject[]): Manifest {
  return {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyPatchPolicy',
    metadata: { name: `table-${metadata.name}`, namespace: 'fleetwright-system', labels: {} },
    spec: {
      targetRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: gateway },
      type: 'JSONPatch',
      // Before ours, which are about what these make.
      priority: -1,
      jsonPatches,
    },
  };
}

function patchesOf({ metadata, spec }: Manifest, gateway: string, header: string): JsonObject[] {
  const route = `httproute/${metadata.namespace}/${metadata.name}`;
  const rules = (spec?.['rules'] ?? []) as JsonObject[];
  const clusters = rules.flatMap((rule, i) => (rule['backendRefs'] ? [`${route}/rule/${i}`] : []));
  if (clusters.length === 0) return [];
  return [
    ...clusters.map((name) => ({
      type: 'type.googleapis.com/envoy.config.cluster.v3.Cluster',
      name,
      operation: { op: 'add', path: '/load_balancing_policy', value: MAGLEV },
    })),
    {
      type: 'type.googleapis.com/envoy.config.route.v3.RouteConfiguration',
      name: `fleetwright-system/${gateway}/https`,
      operation: {
        op: 'add',
        jsonPath: `..routes[?(@.name=~"^${route}/rule/")].route`,
        path: 'hash_policy',
        value: [{ header: { header_name: header } }],
      },
    },
  ];
}

const MAGLEV: JsonObject = {
  policies: [
    {
      typed_extension_config: {
        name: 'envoy.load_balancing_policies.maglev',
        typed_config: {
          '@type': 'type.googleapis.com/envoy.extensions.load_balancing_policies.maglev.v3.Maglev',
          table_size: 65_537,
        },
      },
    },
  ],
};
