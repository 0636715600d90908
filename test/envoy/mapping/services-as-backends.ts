import type { Json, JsonObject, Manifest } from '../../../src/manifest/kubernetes/manifest';

/** Where the pods of a Service listen. */
export type PodsOf = (namespace: string, service: string) => readonly { address: string; port: number }[];

/**
 * Routes to Services, and questions to endpoint pickers, as such to the addresses of their pods: Envoy Gateway reads no Services from files. In a
 * cluster it takes the addresses of the pods from their EndpointSlices, and does not go through the Service either.
 */
export function servicesAsBackends(manifests: readonly Manifest[], podsOf: PodsOf): Manifest[] {
  const made = new Map<string, Manifest>();
  const rewritten = manifests.map((manifest) => {
    if (!REFERRING.has(manifest.kind)) return manifest;
    const namespace = manifest.metadata.namespace ?? '';
    const spec = withReferences(manifest.spec ?? {}, (reference) => {
      const { name, weight, namespace: own = namespace } = reference as Record<string, Json>;
      const pods = podsOf(String(own), String(name));
      // From files Envoy Gateway does not know of what kind a policy is, and finds no grant for it.
      const other = manifest.kind === 'HTTPRoute' ? own : namespace;
      const backend = backendOf(String(other), String(name), pods);
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

/** Kinds that refer to Services: rules of the one, processors of the other. */
const REFERRING: ReadonlySet<string> = new Set(['EnvoyExtensionPolicy', 'HTTPRoute']);

const GROUP = 'gateway.envoyproxy.io';

function backendOf(namespace: string, service: string, pods: ReturnType<PodsOf>): Manifest {
  const endpoints = pods.map(({ address, port }) => ({ ip: { address, port } }));
  return {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'Backend',
    metadata: { name: `service-${service}`, namespace, labels: {} },
    spec: { endpoints },
  };
}

/** A route or a policy with every reference to a Service replaced. */
function withReferences(spec: JsonObject, replace: (reference: JsonObject) => JsonObject): JsonObject {
  const holders = ['rules', 'extProc'].filter((field) => Array.isArray(spec[field]));
  const replaced = holders.map((field) => [
    field,
    (spec[field] as JsonObject[]).map((one) => replacedIn(one, replace)),
  ]);
  return { ...spec, ...(Object.fromEntries(replaced) as JsonObject) };
}

function replacedIn(holder: JsonObject, replace: (reference: JsonObject) => JsonObject): JsonObject {
  const references = holder['backendRefs'] as JsonObject[] | undefined;
  if (!references) return holder;
  const backendRefs = references.map((one) => ((one['kind'] ?? 'Service') === 'Service' ? replace(one) : one));
  return { ...holder, backendRefs };
}

/** A grant for Services holds for what stands in for them. */
function grantsBackends(manifest: Manifest): Manifest {
  if (manifest.kind !== 'ReferenceGrant') return manifest;
  const to = ((manifest.spec?.['to'] ?? []) as JsonObject[]).map((one) =>
    one['kind'] === 'Service' ? { group: GROUP, kind: 'Backend' } : one,
  );
  return { ...manifest, spec: { ...manifest.spec, to } };
}
