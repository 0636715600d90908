import { isMap } from '../../base/json';
import { type FieldOwner, isItemOf, isOwnedWhole } from './field-owners';

/** Controllers of a cluster, which complete objects: volumes, revisions, addresses. */
const CONTROLLERS: ReadonlySet<string> = new Set([
  'GoogleContainerEngine',
  'cloud-controller-manager',
  'cluster-autoscaler',
  'csi-provisioner',
  'envoy-gateway',
  'glbc',
  'karpenter',
  'keda',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  // The binary of controllers that are made with Kubebuilder, such as LeaderWorkerSet's.
  'manager',
]);

const CERT_MANAGER = 'cert-manager';

/** Whether a manager is a person or a tool of one, whose fields are kept in the order of the declarations. */
function isForeign({ manager, isExact }: FieldOwner): boolean {
  return isExact && !CONTROLLERS.has(manager) && !manager.startsWith(CERT_MANAGER);
}

/**
 * Labels and annotations with which the tools that apply manifests mark objects, and those that the API server and the
 * webhooks of Kueue add in the name of whoever applies an object.
 */
const MARKS =
  /^(kubernetes\.io\/metadata\.name$|(argocd\.argoproj\.io|[a-z]+\.toolkit\.fluxcd\.io|pulumi\.com|applyset\.kubernetes\.io|kueue\.x-k8s\.io|deployment\.kubernetes\.io)\/|kubectl\.kubernetes\.io\/last-applied-configuration$)/;

/**
 * Adds to the rendered fields of an object those that a person or a tool has set on the cluster.
 *
 * @param seen the live object, restricted to the rendered fields
 */
export function withAddedFields(seen: unknown, live: unknown, owners: readonly FieldOwner[]): unknown {
  return owners
    .filter(isForeign)
    .reduce<unknown>((all, { fields }) => addFields(all, live, { fields, depth: 0 }), seen);
}

interface Owned {
  readonly fields: unknown;
  readonly depth: number;
}

/** Objects of Kubernetes are less deep. The limit keeps a hostile object from exhausting the stack. */
const MAX_DEPTH = 40;

function addFields(seen: unknown, live: unknown, { fields, depth }: Owned): unknown {
  if (!isMap(fields) || depth > MAX_DEPTH) return seen;
  const inner = Object.entries(fields).map(([key, one]) => [key, { fields: one, depth: depth + 1 }] as const);
  if (isMap(live) && (isMap(seen) || isAbsent(seen))) return addToMap(isMap(seen) ? seen : {}, live, inner);
  if (Array.isArray(live) && (Array.isArray(seen) || isAbsent(seen))) return addToList(listOf(seen), live, inner);
  return seen;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

type OwnedFields = readonly (readonly [key: string, owned: Owned])[];
type JsonMap = Readonly<Record<string, unknown>>;

function addToMap(seen: JsonMap, live: JsonMap, owned: OwnedFields): JsonMap {
  const added = owned.flatMap(([key, inner]): [string, unknown][] => {
    const name = key.slice(2);
    if (!key.startsWith('f:') || !Object.hasOwn(live, name) || MARKS.test(name)) return [];
    const before = Object.hasOwn(seen, name) ? seen[name] : undefined;
    const after = isOwnedWhole(inner.fields) ? (before ?? live[name]) : addFields(before, live[name], inner);
    return before === undefined && isEmpty(after) ? [] : [[name, after]];
  });
  return Object.fromEntries([...Object.entries(seen), ...added]);
}

function addToList(seen: readonly unknown[], live: readonly unknown[], owned: OwnedFields): readonly unknown[] {
  const items = [...seen];
  for (const [key, inner] of owned) {
    const item = live.find((one) => isItemOf(key, one));
    if (item === undefined) continue;
    const index = items.findIndex((one) => isItemOf(key, one));
    if (index < 0) items.push(item);
    else items[index] = addFields(items[index], item, inner);
  }
  return items;
}

/** Whether a field has no value. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Whether a value means the same as no value. The API server omits such values. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isMap(value)) return Object.values(value).every(isEmpty);
  return isAbsent(value) || value === '' || value === false || value === 0;
}
