/** An object of Kubernetes that another tool made: a resource of cdk8s-plus, such as `Secret.fromSecretName()`. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** Props that take an object or its name, by the end of their path without indexes, and the kind of the object. */
const OBJECT_PROPS: Readonly<Record<string, readonly string[]>> = {
  ConfigMap: ['caRef.name', 'configMap.name', 'configMapKeyRef.name', 'configMapRef.name'],
  PersistentVolumeClaim: ['claimName'],
  Secret: [
    'authSecret.name',
    'certificateRef.name',
    'clientCertificateRef.name',
    'identitySecretRef.name',
    'imagePullSecrets[].name',
    'namespaces[].secrets[]',
    'nodePublishSecretRef.name',
    'pullSecretRef.name',
    'secret.name',
    'secret.secretName',
    'secretKeyRef.name',
    'secretRef.name',
  ],
  ServiceAccount: ['namespaces[].serviceAccounts[]', 'serviceAccountName'],
};

const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries(OBJECT_PROPS).flatMap(([kind, ends]) => ends.map((end): [string, string] => [end, kind])),
);

/**
 * The kind of object that a prop takes in place of a name, by its path without indexes.
 *
 * @example
 * objectKindAt('engines[].members[].template.spec.volumes[].configMap.name'); // 'ConfigMap'
 */
export function objectKindAt(path: string): string | undefined {
  const [field = '', holder] = path.split('.').toReversed();
  return KINDS.get(field) ?? (holder === undefined ? undefined : KINDS.get(`${holder}.${field}`));
}

/** Whether a value is a construct for an object of Kubernetes. */
export function isObjectReference(value: unknown): value is ObjectReference {
  if (typeof value !== 'object' || value === null || !('node' in value)) return false;
  return 'kind' in value && typeof value.kind === 'string' && 'name' in value && typeof value.name === 'string';
}

/** The namespace of an object that a program declares. Undefined for an imported one, and where its chart decides. */
export function namespaceOfObject(object: ObjectReference): string | undefined {
  const metadata: unknown = Reflect.get(object, 'metadata');
  const namespace: unknown =
    typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'namespace') : undefined;
  return typeof namespace === 'string' ? namespace : undefined;
}
