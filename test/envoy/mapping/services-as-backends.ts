import type { Json, JsonObject, Manifest } from '../../../src/render/manifest';

/** Where the pods of a Service listen. */
export type PodsOf = (namespace: string, service: string) => readonly { address: string; port: number }[];

/**
 * Routes to Services as routes to the addresses of their pods: Envoy Gateway reads no Services from files. In a
 * cluster it takes the addresses of the pods from their EndpointSlices, and does not go through the Service either.
 */
export function servicesAsBackends(manifests: readonly Manifest[], podsOf: PodsOf): Manifest[] {
  const made = new Map<string, Manifest>();
  const rewritten = manifests.map((manifest) => {
    if (manifest.kind !== 'HTTPRoute') return manifest;
    const namespace = manifest.metadata.namespace ?? '';
    const spec = withReferences(manifest.spec ?? {}, (reference) => {
      const { name, weight, namespace: other = namespace } = reference as Record<string, Json>;
      const backend = backendOf(String(other), String(name), podsOf);
      made.set(`${other}/${name}`, backend);
      const kept = {
        ...(weight !== undefined && { weight }),
        ...(other !== namespace && { namespace: other }),
      };
      return { group: GROUP, kind: 'Backend', name: backend.metadata.name, ...kept };
    });
    return { ...manifest, spec };
  });
  return [...rewritten.map(grantsBackends), ...made.values()];
}

const GROUP = 'gateway.envoyproxy.io';

function backendOf(namespace: string, service: string, podsOf: PodsOf): Manifest {
  const endpoints = podsOf(namespace, service).map(({ address, port }) => ({ ip: { address, port } }));
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'Backend',
    metadata: { name: `service-${service}`, namespace, labels: {} },
    spec: { endpoints },
  };
}

/** A route with every reference to a Service replaced. */
function withReferences(spec: JsonObject, replace: (reference: JsonObject) => JsonObject): JsonObject {
  const rules = ((spec['rules'] ?? []) as JsonObject[]).map((rule) => {
    const references = rule['backendRefs'] as JsonObject[] | undefined;
    if (!references) return rule;
    const backendRefs = references.map((one) =>
      (one['kind'] ?? 'Service') === 'Service' ? replace(one) : one,
    );
    return { ...rule, backendRefs };
  });
  return { ...spec, rules };
}

/** A grant for Services holds for what stands in for them. */
function grantsBackends(manifest: Manifest): Manifest {
  if (manifest.kind !== 'ReferenceGrant') return manifest;
  const to = ((manifest.spec?.['to'] ?? []) as JsonObject[]).map((one) =>
    one['kind'] === 'Service' ? { group: GROUP, kind: 'Backend' } : one,
  );
  return { ...manifest, spec: { ...manifest.spec, to } };
}
