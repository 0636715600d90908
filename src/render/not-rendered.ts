import { resourceId } from '../api/kinds';
import type { Fleet } from '../fleet';

/** What the fleet declares that has no manifests yet, and what the user has to do about it: sentences for the plan. */
export function notRendered(fleet: Fleet): string[] {
  return routes(fleet);
}

function routes({ gateways, services, endpoints, grants }: Fleet): string[] {
  const declared = [...gateways, ...services, ...endpoints, ...grants].map(resourceId);
  if (declared.length === 0) return [];
  const more = declared.length - MOST_NAMED;
  const names = [...declared.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return [
    `Routes are not made yet (${names}). Inside a cluster, the Service of a deployment reaches its replicas for those whom its networkPolicy names.`,
  ];
}

/** A note is one line, however many services a fleet has. */
const MOST_NAMED = 5;
