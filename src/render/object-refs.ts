import type { Json, JsonObject, Manifest } from './manifest';

/** An object that another names by group, kind and name, as Gateway API does everywhere. */
export interface ObjectRef {
  readonly group: string;
  readonly kind: string;
  readonly name: string;

  /** Where it is: the namespace that the reference names, or that of the object that refers. */
  readonly namespace: string;
}

/** What a manifest refers to by group, kind and name, wherever it stands in its spec. */
export function objectRefs({ metadata: { namespace = '' }, spec = {} }: Manifest): ObjectRef[] {
  return found(spec, namespace);
}

function found(value: Json | undefined, own: string): ObjectRef[] {
  if (Array.isArray(value)) return value.flatMap((one) => found(one, own));
  if (typeof value !== 'object' || value === null) return [];
  const { group = '', kind, name, namespace = own } = value as JsonObject;
  const inner = Object.values(value as JsonObject).flatMap((one) => found(one, own));
  if (typeof kind !== 'string' || typeof name !== 'string') return inner;
  return [{ group: String(group), kind, name, namespace: String(namespace) }, ...inner];
}
