/**
 * The name of a resource of a cluster: `us_l4`. Cluster names have no underscore, so names of two clusters never
 * collide. All clouds accept an underscore where Pulumi derives physical names from resource names.
 */
export function resourceNameOf(cluster: string, part: string): string {
  return `${cluster}_${part}`;
}

/** Registers each part of a plan. Returns the results by name, by which other parts refer to them. */
export function registerByName<P extends { readonly name: string }, R>(
  parts: readonly P[],
  register: (part: P) => R,
): ReadonlyMap<string, R> {
  return new Map(parts.map((part) => [part.name, register(part)]));
}

/**
 * Looks up the result for a name that a plan refers to.
 *
 * @throws Error for a name that the plan does not contain
 */
export function getByName<R>(made: ReadonlyMap<string, R>, name: string): R {
  const found = made.get(name);
  if (found === undefined) throw new Error(`bug: the plan has no '${name}'`);
  return found;
}
