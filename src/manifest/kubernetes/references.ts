import type { Json, JsonObject, Manifest } from './manifest';

/** A reference from an object to another object. */
export interface ReferencedObject {
  readonly kind:
    | 'ClusterIssuer'
    | 'ConfigMap'
    | 'CustomResourceDefinition'
    | 'CSIDriver'
    | 'DNS record'
    | 'Helm release'
    | 'Issuer'
    | 'Kueue device class mapping'
    | 'LocalQueue'
    | 'Namespace'
    | 'PersistentVolumeClaim'
    | 'PodGroup'
    | 'PriorityClass'
    | 'Queue'
    | 'ResourceClaimTemplate'
    | 'RuntimeClass'
    | 'Secret'
    | 'ServiceAccount'
    | 'StorageClass'
    | 'VolumeSnapshot';

  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;

  /** The key that is read. Absent if all keys are read, or no specific key. */
  readonly key?: string;

  /** For the Secret of a certificate, a DNS name that the certificate must include. */
  readonly dnsName?: string;
}

type ReferenceReader = (value: Json) => readonly ReferencedObject[];

/** Readers of the fields that refer to objects, by field name, at any depth of a spec. */
const REFERENCE_FIELDS: Readonly<Record<string, ReferenceReader>> = {
  secretKeyRef: (value) => readNamed('Secret', value, 'name', 'key'),
  configMapKeyRef: (value) => readNamed('ConfigMap', value, 'name', 'key'),
  secretRef: (value) => readNamed('Secret', value, 'name'),
  nodePublishSecretRef: (value) => readNamed('Secret', value, 'name'),
  configMapRef: (value) => readNamed('ConfigMap', value, 'name'),
  imagePullSecrets: (value) => (Array.isArray(value) ? value : []).flatMap((one) => readNamed('Secret', one, 'name')),
  // A secret volume uses `secretName`, a source of a projected volume uses `name`.
  secret: (value) => [...readVolume('Secret', value, 'secretName'), ...readVolume('Secret', value, 'name')],
  configMap: (value) => readVolume('ConfigMap', value, 'name'),
  persistentVolumeClaim: (value) => readNamed('PersistentVolumeClaim', value, 'claimName'),
  resourceClaimTemplateName: (value) => readPlain('ResourceClaimTemplate', value),
  schedulingGroup: (value) => readNamed('PodGroup', value, 'podGroupName'),
  serviceAccountName: (value) => readPlain('ServiceAccount', value),
  dataSource: (value) =>
    isObject(value) && value['kind'] === 'VolumeSnapshot' ? readNamed('VolumeSnapshot', value, 'name') : [],
  storageClassName: (value) => readPlain('StorageClass', value),
  priorityClassName: (value) => readPlain('PriorityClass', value),
  runtimeClassName: (value) => readPlain('RuntimeClass', value),
  // Fields of Gateway API, Envoy Gateway and cert-manager, which include the kind.
  certificateRefs: (value) => readTyped(value, 'tls.crt', 'tls.key'),
  clientCertificateRef: (value) => readTyped(value, 'tls.crt', 'tls.key'),
  caCertificateRefs: (value) => readTyped(value, 'ca.crt'),
  credentialRefs: (value) => readTyped(value),
  valueRef: (value) => readTyped(value),
  issuerRef: (value) => readTyped(value),
};

/** The claim templates that the driver makes for ComputeDomains. */
export function listMadeClaimTemplates(
  objects: readonly { readonly kind: string; readonly spec?: JsonObject | undefined }[],
): string[] {
  return objects.flatMap(({ kind, spec }) => {
    const channel = kind === 'ComputeDomain' ? spec?.['channel'] : undefined;
    const template = isObject(channel) ? channel['resourceClaimTemplate'] : undefined;
    return isObject(template) && typeof template['name'] === 'string' ? [template['name']] : [];
  });
}

const BUILT_IN: ReadonlySet<string> = new Set([
  'ServiceAccount default',
  'PriorityClass system-cluster-critical',
  'PriorityClass system-node-critical',
]);

const CLUSTER_SCOPED: ReadonlySet<string> = new Set([
  'ClusterIssuer',
  'CSIDriver',
  'PriorityClass',
  'RuntimeClass',
  'StorageClass',
]);

/** Fields with free content of users and drivers, where a field of the same name is not a reference. */
const FREE_FORM_FIELDS: ReadonlySet<string> = new Set([
  'metadata',
  'parameters',
  'matchLabels',
  'nodeSelector',
  'volumeAttributes',
]);

/** The reader of each field, and null for fields with free content. A fleet has millions of fields to look up. */
const READERS: ReadonlyMap<string, ReferenceReader | null> = new Map([
  ...Object.entries(REFERENCE_FIELDS),
  ...[...FREE_FORM_FIELDS].map((field) => [field, null] as const),
]);

const FIELD = new RegExp(`"(${Object.keys(REFERENCE_FIELDS).join('|')})":(?!\\[\\])`);

/** Whether a value can contain a reference, by a quick search of its JSON. True does not mean that it contains one. */
export function mayHaveReferences(json: string): boolean {
  return FIELD.test(json);
}

/** Finds the objects that a manifest refers to, without optional references and built-in objects. */
export function findReferences({ metadata: { namespace }, spec = {} }: Manifest): ReferencedObject[] {
  return collectReferences(spec)
    .filter(({ kind, name }) => !BUILT_IN.has(`${kind} ${name}`))
    .map((one) => (namespace === undefined || CLUSTER_SCOPED.has(one.kind) ? one : { namespace, ...one }));
}

/** Adds to one list: a fleet has millions of fields, and lists of lists of them would be most of the work. */
function collectReferences(value: Json | undefined, found: ReferencedObject[] = []): ReferencedObject[] {
  if (Array.isArray(value)) for (const one of value) collectReferences(one, found);
  else if (isObject(value)) {
    for (const field in value) {
      const inner = value[field];
      const read = inner === undefined ? null : READERS.get(field);
      if (inner === undefined || read === null) continue;
      if (read) found.push(...read(inner));
      if (typeof inner === 'object') collectReferences(inner, found);
    }
  }
  return found;
}

function readNamed(kind: ReferencedObject['kind'], value: Json, nameField: string, keyField = ''): ReferencedObject[] {
  if (!isObject(value) || value['optional'] === true) return [];
  const [name, key] = [value[nameField], value[keyField]];
  if (typeof name !== 'string') return [];
  return [{ kind, name, ...(typeof key === 'string' && { key }) }];
}

/** Reads a Secret or ConfigMap volume: one reference for each key in `items`, or one without a key. */
function readVolume(kind: ReferencedObject['kind'], value: Json, nameField: string): ReferencedObject[] {
  const items = isObject(value) && Array.isArray(value['items']) ? value['items'] : [];
  const keys = items.flatMap((item: Json) => (isObject(item) && typeof item['key'] === 'string' ? [item['key']] : []));
  return forEachKey(readNamed(kind, value, nameField), keys);
}

/** Makes one reference for each key, or returns the references as they are if there are no keys. */
function forEachKey(references: ReferencedObject[], keys: readonly string[]): ReferencedObject[] {
  return keys.length > 0 ? references.flatMap((one) => keys.map((key) => ({ ...one, key }))) : references;
}

const NAMED_KINDS: readonly ReferencedObject['kind'][] = ['ClusterIssuer', 'ConfigMap', 'Issuer', 'Secret'];

/** Reads references that include the kind: one for each of `keys`, or one without a key. */
function readTyped(value: Json, ...keys: readonly string[]): ReferencedObject[] {
  if (Array.isArray(value)) return value.flatMap((one) => readTyped(one, ...keys));
  if (!isObject(value)) return [];
  const kind = NAMED_KINDS.find((one) => one === value['kind']);
  const { namespace } = value;
  if (kind === undefined) return [];
  const named = readNamed(kind, value, 'name');
  return forEachKey(typeof namespace === 'string' ? named.map((one) => ({ ...one, namespace })) : named, keys);
}

function readPlain(kind: ReferencedObject['kind'], value: Json): ReferencedObject[] {
  return typeof value === 'string' && value !== '' ? [{ kind, name: value }] : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A reference by group, kind and name, as in Gateway API. */
export interface ObjectRef {
  readonly group: string;
  readonly kind: string;
  readonly name: string;

  /** The namespace in the reference, or else that of the referring object. */
  readonly namespace: string;
}

/** The default group and kind of Gateway API references, by field. */
const DEFAULTS: Readonly<Record<string, Pick<ObjectRef, 'group' | 'kind'>>> = {
  backendRef: { group: '', kind: 'Service' },
  backendRefs: { group: '', kind: 'Service' },
  certificateRefs: { group: '', kind: 'Secret' },
  parentRefs: { group: 'gateway.networking.k8s.io', kind: 'Gateway' },
};

/** Finds the references by group, kind and name at any depth of the spec of a manifest. */
export function findObjectRefs({ metadata: { namespace = '' }, spec = {} }: Manifest): ObjectRef[] {
  return collectObjectRefs(spec, namespace);
}

function collectObjectRefs(
  value: Json | undefined,
  defaultNamespace: string,
  field = '',
  found: ObjectRef[] = [],
): ObjectRef[] {
  if (Array.isArray(value)) for (const one of value) collectObjectRefs(one, defaultNamespace, field, found);
  else if (isObject(value)) {
    found.push(...readObjectRef(value, defaultNamespace, field));
    for (const key in value) collectObjectRefs(value[key], defaultNamespace, key, found);
  }
  return found;
}

function readObjectRef(value: JsonObject, defaultNamespace: string, field: string): ObjectRef[] {
  const defaults = DEFAULTS[field];
  const { kind = defaults?.kind, name, namespace = defaultNamespace } = value;
  const { group = (kind === defaults?.kind && defaults?.group) || '' } = value;
  if (typeof kind !== 'string' || typeof name !== 'string') return [];
  return [{ group: String(group), kind, name, namespace: String(namespace) }];
}
