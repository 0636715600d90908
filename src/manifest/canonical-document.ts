import { parseResource, type Resource } from '../api/kinds';
import { API_VERSION } from '../api/resource';
import { isDeepEqual } from '../base/deep-equal';

/** The document that says all that a resource says, with every default filled in. */
export function documentOf({ group, kind, metadata, spec }: Resource): object {
  const { name, namespace, labels, annotations } = metadata;
  return {
    apiVersion: `${group}/${API_VERSION}`,
    kind,
    metadata: { name, ...(namespace !== undefined && { namespace }), labels, annotations },
    spec,
  };
}

/**
 * The shortest document that says all that a resource says: without what means the same when it is left out.
 * The same resource always gives the same document, whichever way it was declared.
 */
export function toCanonicalDocument(resource: Resource): object {
  const document = structuredClone(documentOf(resource));
  const isSame = (): boolean => {
    const parsed = parseResource(document);
    return 'resource' in parsed && isDeepEqual(parsed.resource, resource);
  };
  if (!isSame()) throw new Error(`bug: ${resource.kind} ${resource.metadata.name} does not read back`);
  prune(document, isSame);
  return document;
}

/** Tries to do without every field, outer ones first, and keeps those that matter. */
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
    // Set again, every key that stays comes after those that went: the order stays.
    holder[key] = item;
    prune(item, isSame);
  }
}
