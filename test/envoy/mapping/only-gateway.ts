import type { JsonObject, Manifest } from '../../../src/manifest/kubernetes/manifest';

/**
 * The objects of a cluster as if one of its Gateways were the only one: without the others, and without the routes
 * that stand on them. In a cluster every Gateway has pods and ports of its own; Envoy Gateway on a machine would
 * put all of them on the ports of that machine.
 */
export function onlyGateway(manifests: readonly Manifest[], gateway: string): Manifest[] {
  const proxy = proxyOf(manifests, gateway);
  return manifests.filter(({ kind, metadata, spec = {} }) => {
    if (kind === 'Gateway') return metadata.name === gateway;
    if (kind === 'EnvoyPatchPolicy') return part(spec, 'targetRef')['name'] === gateway;
    // Of several in one file only the last would count.
    if (kind === 'EnvoyProxy') return metadata.name === proxy;
    return kind !== 'HTTPRoute' || parentsOf(spec).includes(gateway);
  });
}

/** The name of the EnvoyProxy of a Gateway. */
export function proxyOf(manifests: readonly Manifest[], gateway: string): unknown {
  const holder = manifests.find(({ kind, metadata }) => kind === 'Gateway' && metadata.name === gateway);
  return part(part(holder?.spec ?? {}, 'infrastructure'), 'parametersRef')['name'];
}

function parentsOf(spec: JsonObject): unknown[] {
  return ((spec['parentRefs'] ?? []) as JsonObject[]).map(({ name }) => name);
}

function part(holder: JsonObject, key: string): JsonObject {
  return (holder[key] ?? {}) as JsonObject;
}
