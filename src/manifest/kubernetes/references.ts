import type { Json, JsonObject, Manifest } from './manifest';

/** An object that another refers to. */
export interface ObjectReference {
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
type FoundReference = ObjectReference;

/** How the fields that refer to objects are read, wherever they stand in a spec. */
const REFERENCE_FIELDS: Readonly<Record<string, (value: Json) => readonly FoundReference[]>> = {
  secretKeyRef: (value) => readNamed('Secret', value, 'name', 'key'),
  configMapKeyRef: (value) => readNamed('ConfigMap', value, 'name', 'key'),
  secretRef: (value) => readNamed('Secret', value, 'name'),
  nodePublishSecretRef: (value) => readNamed('Secret', value, 'name'),
  configMapRef: (value) => readNamed('ConfigMap', value, 'name'),
  imagePullSecrets: (value) =>
    (Array.isArray(value) ? value : []).flatMap((one) => readNamed('Secret', one, 'name')),
  // A volume names a Secret otherwise than a source of a projected one.
  secret: (value) => [...readVolume('Secret', value, 'secretName'), ...readVolume('Secret', value, 'name')],
  configMap: (value) => readVolume('ConfigMap', value, 'name'),
  persistentVolumeClaim: (value) => readNamed('PersistentVolumeClaim', value, 'claimName'),
  resourceClaimTemplateName: (value) => readPlain('ResourceClaimTemplate', value),
  serviceAccountName: (value) => readPlain('ServiceAccount', value),
  storageClassName: (value) => readPlain('StorageClass', value),
  priorityClassName: (value) => readPlain('PriorityClass', value),
  runtimeClassName: (value) => readPlain('RuntimeClass', value),
  // Of Gateway API, Envoy Gateway and cert-manager, which name kinds too.
  certificateRefs: (value) => readTyped(value, 'tls.crt', 'tls.key'),
  clientCertificateRef: (value) => readTyped(value, 'tls.crt', 'tls.key'),
  caCertificateRefs: (value) => readTyped(value, 'ca.crt'),
  credentialRefs: (value) => readTyped(value),
  valueRef: (value) => readTyped(value),
  issuerRef: (value) => readTyped(value),
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
const FREE_FORM_FIELDS: ReadonlySet<string> = new Set([
  'metadata',
  'parameters',
  'matchLabels',
  'nodeSelector',
  'volumeAttributes',
]);

const FIELD = new RegExp(`"(${Object.keys(REFERENCE_FIELDS).join('|')})":(?!\\[\\])`);

/**
 * Whether a value may hold a reference, by its JSON: no field that names objects is in it otherwise. That it may hold one
 * says nothing.
 */
export function mayHaveReferences(json: string): boolean {
  return FIELD.test(json);
}

/** The objects that a manifest refers to, apart from those that it can do without. */
export function findReferences({ metadata: { namespace }, spec = {} }: Manifest): ObjectReference[] {
  return collectReferences(spec)
    .filter(({ kind, name }) => !BUILT_IN.has(`${kind} ${name}`))
    .map((one) => (namespace === undefined || CLUSTER_SCOPED.has(one.kind) ? one : { namespace, ...one }));
}

function collectReferences(value: Json | undefined): FoundReference[] {
  if (Array.isArray(value)) return value.flatMap(collectReferences);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    if (inner === undefined || FREE_FORM_FIELDS.has(field)) return [];
    const own = Object.hasOwn(REFERENCE_FIELDS, field) ? (REFERENCE_FIELDS[field]?.(inner) ?? []) : [];
    return [...own, ...collectReferences(inner)];
  });
}

function readNamed(
  kind: FoundReference['kind'],
  value: Json,
  nameField: string,
  keyField = '',
): FoundReference[] {
  if (!isObject(value) || value['optional'] === true) return [];
  const [name, key] = [value[nameField], value[keyField]];
  if (typeof name !== 'string') return [];
  return [{ kind, name, ...(typeof key === 'string' && { key }) }];
}

/** A Secret or ConfigMap as a volume: all of its keys, or those that items name. */
function readVolume(kind: FoundReference['kind'], value: Json, nameField: string): FoundReference[] {
  const items = isObject(value) && Array.isArray(value['items']) ? value['items'] : [];
  const keys = items.flatMap((item: Json) =>
    isObject(item) && typeof item['key'] === 'string' ? [item['key']] : [],
  );
  const all = readNamed(kind, value, nameField);
  return keys.length > 0 ? all.flatMap((one) => keys.map((key) => ({ ...one, key }))) : all;
}

const NAMED_KINDS: readonly FoundReference['kind'][] = ['ClusterIssuer', 'ConfigMap', 'Issuer', 'Secret'];

/** References that say the kind themselves: one of each key, or one without. */
function readTyped(value: Json, ...keys: readonly string[]): FoundReference[] {
  if (Array.isArray(value)) return value.flatMap((one) => readTyped(one, ...keys));
  if (!isObject(value)) return [];
  const kind = NAMED_KINDS.find((one) => one === value['kind']);
  const { namespace } = value;
  if (kind === undefined) return [];
  const all = readNamed(kind, value, 'name').map((one) =>
    typeof namespace === 'string' ? { ...one, namespace } : one,
  );
  return keys.length > 0 ? all.flatMap((one) => keys.map((key) => ({ ...one, key }))) : all;
}

function readPlain(kind: FoundReference['kind'], value: Json): FoundReference[] {
  return typeof value === 'string' && value !== '' ? [{ kind, name: value }] : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
export function findObjectRefs({ metadata: { namespace = '' }, spec = {} }: Manifest): ObjectRef[] {
  return collectObjectRefs(spec, namespace);
}

function collectObjectRefs(value: Json | undefined, own: string, field = ''): ObjectRef[] {
  if (Array.isArray(value)) return value.flatMap((one) => collectObjectRefs(one, own, field));
  if (typeof value !== 'object' || value === null) return [];
  const usual = DEFAULTS[field];
  const { kind = usual?.kind, name, namespace = own } = value as JsonObject;
  const { group = (kind === usual?.kind && usual?.group) || '' } = value as JsonObject;
  const inner = Object.entries(value as JsonObject).flatMap(([key, one]) => collectObjectRefs(one, own, key));
  if (typeof kind !== 'string' || typeof name !== 'string') return inner;
  return [{ group: String(group), kind, name, namespace: String(namespace) }, ...inner];
}
