import type { Named } from './places';

/** What requests to a service begin with: `/team-a/chat/`. */
export function pathOf({ namespace, name }: Named): string {
  return `/${namespace}/${name}/`;
}

/** Where its members are asked whether they serve: `/team-a/chat/-/ready`. No API has a path like that. */
export function readyPathOf(service: Named): string {
  return `${pathOf(service)}-/ready`;
}
