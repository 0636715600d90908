import type { Registered } from './registered';

/** An object on the cluster: the value and the owners of each of its fields. */
type Fields = Map<string, { value: unknown; readonly owners: Set<string> }>;

const FIELD_MANAGER = 'pulumi.com/patchFieldManager';

/**
 * A cluster as the Kubernetes provider of Pulumi finds it: objects are applied on the server, also where they exist,
 * each field has owners, and what is destroyed stays if the state says so. Helm creates namespaces and deletes none.
 *
 * Facts: kubernetes.io/docs/reference/using-api/server-side-apply, and provider/pkg/await/await.go of
 * pulumi/pulumi-kubernetes.
 */
export class PlayedCluster {
  readonly #objects = new Map<string, Fields>();
  #runs = 0;

  /** The objects that are there. */
  get objects(): string[] {
    return [...this.#objects.keys()].sort();
  }

  /** Applies what a program registers, as the first run of a stack. Returns the conflicts, one line a field. */
  create(all: readonly Registered[]): string[] {
    this.#runs++;
    return all.flatMap((one) => {
      if (one.type.endsWith(':Release')) return this.#installRelease(one);
      const { apiVersion, metadata } = one.inputs;
      if (typeof apiVersion !== 'string') return [];
      // Without a name of its own, the provider invents one for each resource of each stack.
      const named = (metadata as { annotations?: Record<string, string> }).annotations?.[FIELD_MANAGER];
      return this.apply(one.inputs, named ?? `pulumi-kubernetes-${this.#runs}-${one.name}`);
    });
  }

  /** Destroys what a program registered. */
  destroy(all: readonly Registered[]): void {
    for (const { inputs, retainOnDelete } of all) {
      if (typeof inputs['apiVersion'] === 'string' && !retainOnDelete) this.#objects.delete(idOf(inputs));
    }
  }

  /** Applies an object as a field manager does. With a conflict nothing changes. */
  apply(object: object, manager: string): string[] {
    const id = idOf(object);
    const fields: Fields = this.#objects.get(id) ?? new Map();
    const wanted = fieldsOf(object);
    const conflicts = wanted.flatMap(([path, value]) => {
      const found = fields.get(path);
      const others = [...(found?.owners ?? [])].filter((owner) => owner !== manager);
      const differs = found !== undefined && JSON.stringify(found.value) !== JSON.stringify(value);
      return differs && others.length > 0 ? [`${id}: conflict with ${others.join()}: ${path}`] : [];
    });
    if (conflicts.length > 0) return conflicts;
    for (const [path, value] of wanted) {
      fields.set(path, { value, owners: new Set([...(fields.get(path)?.owners ?? []), manager]) });
    }
    this.#objects.set(id, fields);
    return [];
  }

  /** Runs `kubectl delete TYPE NAME [--namespace NAMESPACE]`. A namespace takes along what is in it. */
  run(command: string): void {
    const [, type = '', name = '', namespace = ''] =
      /^kubectl delete (\S+) (\S+)(?: --namespace (\S+))?$/.exec(command) ?? [];
    const kind = type.split('.')[0];
    for (const id of this.#objects.keys()) {
      const [ownKind = '', own = ''] = id.split(' ');
      const isNamed = ownKind.toLowerCase() === kind && own === (namespace === '' ? name : `${namespace}/${name}`);
      if (isNamed || (kind === 'namespace' && own.startsWith(`${name}/`))) this.#objects.delete(id);
    }
  }

  #installRelease({ inputs }: Registered): string[] {
    const metadata = { name: inputs['namespace'] };
    const known = this.#objects.has(idOf({ kind: 'Namespace', metadata }));
    return known ? [] : this.apply({ apiVersion: 'v1', kind: 'Namespace', metadata }, 'helm');
  }
}

function idOf(object: object): string {
  const { kind, metadata } = object as { kind: string; metadata: { name: string; namespace?: string } };
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

/** The fields that an object sets. Lists count as one field. */
function fieldsOf(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => fieldsOf(inner, `${path}.${key}`));
}
