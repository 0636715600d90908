/**
 * The name of a resource of a cluster: `us_l4`. No name of a cluster has an underscore, so that those of two clusters
 * never meet, and every cloud takes one where Pulumi makes its names from ours.
 */
export function resourceNameOf(cluster: string, part: string): string {
  return `${cluster}_${part}`;
}

/** Registers each part of a plan, and keeps what it becomes by the name by which others refer to it. */
export function registerByName<P extends { readonly name: string }, R>(
  parts: readonly P[],
  register: (part: P) => R,
): ReadonlyMap<string, R> {
  return new Map(parts.map((part) => [part.name, register(part)]));
}

/**
 * What a plan refers to by a name.
 *
 * @throws Error for a name that the plan has not
 */
export function getByName<R>(made: ReadonlyMap<string, R>, name: string): R {
  const found = made.get(name);
  if (found === undefined) throw new Error(`bug: the plan has no '${name}'`);
  return found;
}
