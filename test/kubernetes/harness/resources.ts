import type { KubeObject } from './client';

/** Where the objects of each kind are, and whether they are in a namespace. */
const PLURALS: Readonly<Record<string, string>> = {
  NetworkPolicy: 'networkpolicies',
  DeviceClass: 'deviceclasses',
  PriorityClass: 'priorityclasses',
};

const CLUSTER_SCOPED = new Set([
  'Namespace',
  'Node',
  'DeviceClass',
  'ResourceSlice',
  'CustomResourceDefinition',
  'PriorityClass',
]);

/** The path of the objects of a kind, in the namespace of an object if it has one. */
export function collection({ apiVersion = '', kind = '', metadata }: KubeObject): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const plural = PLURALS[kind] ?? `${kind.toLowerCase()}s`;
  return CLUSTER_SCOPED.has(kind)
    ? `${root}/${plural}`
    : `${root}/namespaces/${metadata.namespace}/${plural}`;
}

/** The path of an object. */
export function pathOf(object: KubeObject): string {
  return `${collection(object)}/${object.metadata.name}`;
}
