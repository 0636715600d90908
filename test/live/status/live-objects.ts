import type { LiveObject } from '../../../src/manifest/kubernetes/live-object';

/** An object of a cluster. */
export const live = (kind: string, name: string, more: object = {}): LiveObject =>
  ({ apiVersion: 'v1', kind, metadata: { name, namespace: 'ml' }, ...more }) as unknown as LiveObject;

export const condition = (type: string, status: string, more: object = {}) => ({ type, status, ...more });

/** An event about an object that a controller cannot create. */
export function failure(reason: string, [kind, name]: readonly [string, string], message: string, lastTimestamp = '') {
  return live('Event', `${name}.${lastTimestamp}`, {
    reason,
    message,
    lastTimestamp,
    involvedObject: { kind, namespace: 'ml', name },
  });
}
