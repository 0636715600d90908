import { isQuantity, parseQuantity } from '../cel/values/quantity';
import type { ReplicaChange } from '../plan/replica-moves';
import type { FieldChange } from './field-changes';

const REQUESTED: ReadonlySet<unknown> = new Set(['cpu', 'memory']);

/**
 * Compares the CPU and memory that pods request, by the fields of their template that change. Undefined: other fields
 * change too, which say more about why pods are replaced.
 */
export function compareRequests(fields: readonly FieldChange[]): ReplicaChange['requests'] {
  const requests = fields.filter(isRequest);
  if (requests.length === 0 || !fields.every((field) => isRequest(field) || isSharedMemory(field))) return undefined;
  const [direction, ...others] = new Set(requests.map(directionOf));
  return others.length === 0 ? direction : 'other';
}

function isRequest({ path }: FieldChange): boolean {
  const [resources, kind, name] = path.slice(-3);
  return resources === 'resources' && (kind === 'requests' || kind === 'limits') && REQUESTED.has(name);
}

/** Its size follows from the memory that a pod requests. */
function isSharedMemory({ path }: FieldChange): boolean {
  return path.at(-2) === 'emptyDir' && path.at(-1) === 'sizeLimit';
}

function directionOf({ before, after }: FieldChange): NonNullable<ReplicaChange['requests']> {
  const [was, is] = [String(before), String(after)];
  if (!isQuantity(was) || !isQuantity(is)) return 'other';
  return parseQuantity(is).compare(parseQuantity(was)) > 0 ? 'more' : 'less';
}
