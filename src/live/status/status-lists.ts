import type { Collection } from '../collection';
import { LOOKED_AT } from '../doctor/site';
import { AUTOSCALER_REASONS } from './stockouts';

/** What `status` reads of every cluster besides the kinds that are rendered there. */
export const STATUS_LISTS = {
  nodes: LOOKED_AT.nodes,
  slices: LOOKED_AT.slices,
  pods: LOOKED_AT.pods,
  claims: {
    path: '/apis/resource.k8s.io/v1/resourceclaims',
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
  },
} as const satisfies Readonly<Record<string, Collection>>;

/** The events in which autoscalers tell that they cannot help: an API server picks them out, so that no others travel. */
export const EVENT_LISTS: readonly Collection[] = AUTOSCALER_REASONS.map((reason) => ({
  path: `/api/v1/events?fieldSelector=reason%3D${reason}`,
  apiVersion: 'v1',
  kind: 'Event',
}));
