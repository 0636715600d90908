import type { Json, JsonObject, Manifest } from './manifest';

/** An object that another names by group, kind and name, as Gateway API does everywhere. */
export interface ObjectRef {
  readonly group: string;
  readonly kind: string;
  readonly name: string;

  /** Where it is: the namespace that the reference names, or that of the object that refers. */
  readonly namespace: string;
}

/** What references of Gateway API mean that name no kind, by the field that they stand in. */
const DEFAULTS: Readonly<Record<string, Pick<ObjectRef, 'group' | 'kind'>>> = {
  backendRef: { group: '', kind: 'Service' },
  backendRefs: { group: '', kind: 'Service' },
  certificateRefs: { group: '', kind: 'Secret' },
  parentRefs: { group: 'gateway.networking.k8s.io', kind: 'Gateway' },
};

/** What a manifest refers to by group, kind and name, wherever it stands in its spec. */
export function objectRefs({ metadata: { namespace = '' }, spec = {} }: Manifest): ObjectRef[] {
  return found(spec, namespace);
}

function found(value: Json | undefined, own: string, field = ''): ObjectRef[] {
  if (Array.isArray(value)) return value.flatMap((one) => found(one, own, field));
  if (typeof value !== 'object' || value === null) return [];
  const usual = DEFAULTS[field];
  const { kind = usual?.kind, name, namespace = own } = value as JsonObject;
  const { group = (kind === usual?.kind && usual?.group) || '' } = value as JsonObject;
  const inner = Object.entries(value as JsonObject).flatMap(([key, one]) => found(one, own, key));
  if (typeof kind !== 'string' || typeof name !== 'string') return inner;
  return [{ group: String(group), kind, name, namespace: String(namespace) }, ...inner];
}
