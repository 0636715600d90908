import type { Json, JsonObject, Manifest } from './manifest';

/** An object that another refers to. */
export interface Reference {
  readonly kind:
    | 'ClusterIssuer'
    | 'ConfigMap'
    | 'DNS record'
    | 'Helm release'
    | 'Issuer'
    | 'Namespace'
    | 'PersistentVolumeClaim'
    | 'PriorityClass'
    | 'ResourceClaimTemplate'
    | 'RuntimeClass'
    | 'Secret'
    | 'ServiceAccount'
    | 'StorageClass';

  /** Absent for kinds that are in no namespace. */
  readonly namespace?: string;
  readonly name: string;

  /** The key that is read. Absent: all of them, or none by name. */
  readonly key?: string;

  /** Of the Secret of a certificate: a name that it has to have. */
  readonly dnsName?: string;
}

/** With the namespace where the reference names one. */
type Found = Reference;

/** How the fields that refer to objects are read, wherever they stand in a spec. */
const FIELDS: Readonly<Record<string, (value: Json) => readonly Found[]>> = {
  secretKeyRef: (value) => named('Secret', value, 'name', 'key'),
  configMapKeyRef: (value) => named('ConfigMap', value, 'name', 'key'),
  secretRef: (value) => named('Secret', value, 'name'),
  nodePublishSecretRef: (value) => named('Secret', value, 'name'),
  configMapRef: (value) => named('ConfigMap', value, 'name'),
  imagePullSecrets: (value) =>
    (Array.isArray(value) ? value : []).flatMap((one) => named('Secret', one, 'name')),
  // A volume names a Secret otherwise than a source of a projected one.
  secret: (value) => [...volume('Secret', value, 'secretName'), ...volume('Secret', value, 'name')],
  configMap: (value) => volume('ConfigMap', value, 'name'),
  persistentVolumeClaim: (value) => named('PersistentVolumeClaim', value, 'claimName'),
  resourceClaimTemplateName: (value) => plain('ResourceClaimTemplate', value),
  serviceAccountName: (value) => plain('ServiceAccount', value),
  storageClassName: (value) => plain('StorageClass', value),
  priorityClassName: (value) => plain('PriorityClass', value),
  runtimeClassName: (value) => plain('RuntimeClass', value),
  // Of Gateway API, Envoy Gateway and cert-manager, which name kinds too.
  certificateRefs: (value) => ofKinds(value, 'tls.crt', 'tls.key'),
  clientCertificateRef: (value) => ofKinds(value, 'tls.crt', 'tls.key'),
  caCertificateRefs: (value) => ofKinds(value, 'ca.crt'),
  credentialRefs: (value) => ofKinds(value),
  valueRef: (value) => ofKinds(value),
  issuerRef: (value) => ofKinds(value),
};

/** What every cluster has. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'ServiceAccount default',
  'PriorityClass system-cluster-critical',
  'PriorityClass system-node-critical',
]);

const CLUSTER_SCOPED: ReadonlySet<string> = new Set([
  'ClusterIssuer',
  'PriorityClass',
  'RuntimeClass',
  'StorageClass',
]);

/** Where users and drivers write what they like: a field there that is called like one of ours means something else. */
const NOT_OURS: ReadonlySet<string> = new Set([
  'metadata',
  'parameters',
  'matchLabels',
  'nodeSelector',
  'volumeAttributes',
]);

const FIELD = new RegExp(`"(${Object.keys(FIELDS).join('|')})":(?!\\[\\])`);

/**
 * Whether a value may hold a reference, by its JSON: no field that names objects is in it otherwise. That it may hold one
 * says nothing.
 */
export function mayRefer(json: string): boolean {
  return FIELD.test(json);
}

/** The objects that a manifest refers to, apart from those that it can do without. */
export function referencesIn({ metadata: { namespace }, spec = {} }: Manifest): Reference[] {
  return found(spec)
    .filter(({ kind, name }) => !BUILT_IN.has(`${kind} ${name}`))
    .map((one) => (namespace === undefined || CLUSTER_SCOPED.has(one.kind) ? one : { namespace, ...one }));
}

function found(value: Json | undefined): Found[] {
  if (Array.isArray(value)) return value.flatMap(found);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    if (inner === undefined || NOT_OURS.has(field)) return [];
    const own = Object.hasOwn(FIELDS, field) ? (FIELDS[field]?.(inner) ?? []) : [];
    return [...own, ...found(inner)];
  });
}

function named(kind: Found['kind'], value: Json, nameField: string, keyField = ''): Found[] {
  if (!isObject(value) || value['optional'] === true) return [];
  const [name, key] = [value[nameField], value[keyField]];
  if (typeof name !== 'string') return [];
  return [{ kind, name, ...(typeof key === 'string' && { key }) }];
}

/** A Secret or ConfigMap as a volume: all of its keys, or those that items name. */
function volume(kind: Found['kind'], value: Json, nameField: string): Found[] {
  const items = isObject(value) && Array.isArray(value['items']) ? value['items'] : [];
  const keys = items.flatMap((item: Json) =>
    isObject(item) && typeof item['key'] === 'string' ? [item['key']] : [],
  );
  const all = named(kind, value, nameField);
  return keys.length > 0 ? all.flatMap((one) => keys.map((key) => ({ ...one, key }))) : all;
}

const NAMED_KINDS: readonly Found['kind'][] = ['ClusterIssuer', 'ConfigMap', 'Issuer', 'Secret'];

/** References that say the kind themselves: one of each key, or one without. */
function ofKinds(value: Json, ...keys: readonly string[]): Found[] {
  if (Array.isArray(value)) return value.flatMap((one) => ofKinds(one, ...keys));
  if (!isObject(value)) return [];
  const kind = NAMED_KINDS.find((one) => one === value['kind']);
  const { namespace } = value;
  if (kind === undefined) return [];
  const all = named(kind, value, 'name').map((one) =>
    typeof namespace === 'string' ? { ...one, namespace } : one,
  );
  return keys.length > 0 ? all.flatMap((one) => keys.map((key) => ({ ...one, key }))) : all;
}

function plain(kind: Found['kind'], value: Json): Found[] {
  return typeof value === 'string' && value !== '' ? [{ kind, name: value }] : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
