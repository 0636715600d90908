/** An object of Kubernetes that another tool made: a resource of cdk8s-plus, such as `Secret.fromSecretName()`. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** Props that take an object or its name, by the end of their path, and the kind of the object. */
const OBJECT_PROPS: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)claimName$/, 'PersistentVolumeClaim'],
  [/(^|\.)serviceAccountName$/, 'ServiceAccount'],
  [/(^|\.)secretName$/, 'Secret'],
  [/\.name$/, 'Secret'],
];

/** The kind of object that a prop takes in place of a name, by its path without indexes. */
export function objectKindAt(path: string): string | undefined {
  return OBJECT_PROPS.find(([pattern]) => pattern.test(path))?.[1];
}

/** Whether a value is a construct for an object of Kubernetes. */
export function isObjectReference(value: unknown): value is ObjectReference {
  if (typeof value !== 'object' || value === null || !('node' in value)) return false;
  return 'kind' in value && typeof value.kind === 'string' && 'name' in value && typeof value.name === 'string';
}
