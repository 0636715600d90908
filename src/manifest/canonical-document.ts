import { parseResource, type Resource } from '../api/kinds';
import { API_VERSION } from '../api/resource';
import { isDeepEqual } from '../base/deep-equal';

/** A manifest as plain data. */
interface ResourceDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: object;
  readonly spec: Resource['spec'];
}

/** Converts a resource to a document, with all defaults filled in. */
export function documentOf({ group, kind, metadata, spec }: Resource): ResourceDocument {
  const { name, namespace, labels, annotations } = metadata;
  return {
    apiVersion: `${group}/${API_VERSION}`,
    kind,
    metadata: { name, ...(namespace !== undefined && { namespace }), labels, annotations },
    spec,
  };
}

/**
 * Converts a resource to the shortest document that parses to the same resource, without fields that equal their
 * defaults. Equal resources give equal documents, however they were declared.
 */
export function toCanonicalDocument(resource: Resource): object {
  const known = SHORTEST_SPECS.get(resource.spec);
  const document = structuredClone({ ...documentOf(resource), ...(known !== undefined && { spec: known }) });
  const isSame = (): boolean => {
    const parsed = parseResource(document);
    return 'resource' in parsed && isDeepEqual(parsed.resource, resource);
  };
  if (!isSame()) throw new Error(`bug: ${resource.kind} ${resource.metadata.name} does not read back`);
  if (known !== undefined) prune(document.metadata, isSame);
  else {
    prune(document, isSame);
    SHORTEST_SPECS.set(resource.spec, structuredClone(document.spec));
  }
  return document;
}

/** The shortest spec that parses to a spec. Deployments with equal specs share one, and to shorten it takes a hundred parses. */
const SHORTEST_SPECS = new WeakMap<object, Resource['spec']>();

/** Deletes each field whose removal `isSame` accepts, outer fields first. */
function prune(value: unknown, isSame: () => boolean): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) prune(item, isSame);
    return;
  }
  const holder = value as Record<string, unknown>;
  for (const [key, item] of Object.entries(holder)) {
    delete holder[key];
    if (isSame()) continue;
    // Each kept key is deleted and set again, so the kept keys stay in their original order.
    holder[key] = item;
    prune(item, isSame);
  }
}
