import { isDeepStrictEqual } from 'node:util';

/** An object as a program registers it, or as a cluster has it. */
export interface StateObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly generation?: number;
    readonly uid?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** A cluster that objects are applied to. */
export interface StateTarget {
  /** Applies an object and returns what the API server has then. */
  readonly apply: (object: StateObject) => Promise<StateObject>;
  readonly read: (object: StateObject) => Promise<StateObject | undefined>;
  readonly remove: (object: StateObject) => Promise<void>;
}

interface Entry {
  readonly inputs: StateObject;
  readonly outputs: StateObject;

  /** The last update of it failed, so the next one waits again. */
  readonly failed: boolean;
}

const REVISION = 'deployment.kubernetes.io/revision';
const SKIP_AWAIT = 'pulumi.com/skipAwait';

/**
 * The state of a stack and the Kubernetes provider of Pulumi, as far as updates depend on them: what is the same is
 * not applied, outputs stay as they were last seen, an update that failed goes on with what it has not done, and a
 * Deployment is awaited by its revision.
 *
 * Facts: provider/pkg/await/deployment.go of pulumi/pulumi-kubernetes.
 */
export class KubernetesState {
  readonly #entries = new Map<string, Entry>();
  #registered = new Set<string>();

  constructor(
    private readonly target: StateTarget,
    private readonly patience = 30_000,
  ) {}

  /** Begins an update. */
  begin(): void {
    this.#registered = new Set();
  }

  /** Creates, updates or keeps an object, and returns its outputs. */
  async register(inputs: StateObject): Promise<StateObject> {
    const id = idOf(inputs);
    this.#registered.add(id);
    const entry = this.#entries.get(id);
    if (entry && !entry.failed && isDeepStrictEqual(entry.inputs, inputs)) return entry.outputs;
    const applied = await this.target.apply(inputs);
    this.#entries.set(id, { inputs, outputs: applied, failed: true });
    const isAwaited = inputs.kind === 'Deployment' && inputs.metadata.annotations?.[SKIP_AWAIT] === undefined;
    const outputs = isAwaited ? await this.#awaitRevision(inputs, entry) : applied;
    this.#entries.set(id, { inputs, outputs, failed: false });
    return outputs;
  }

  /** Deletes what the program did not register, which happens only when the program has ended well. */
  async end(): Promise<void> {
    for (const [id, { inputs }] of this.#entries) {
      if (this.#registered.has(id)) continue;
      await this.target.remove(inputs);
      this.#entries.delete(id);
    }
  }

  /** Reads all outputs again. */
  async refresh(): Promise<void> {
    for (const [id, entry] of this.#entries) {
      const outputs = await this.target.read(entry.inputs);
      if (outputs) this.#entries.set(id, { ...entry, outputs });
      else this.#entries.delete(id);
    }
  }

  /**
   * The rollout counts as complete when the Deployment is available and has another revision than the state: a outOfDate
   * state takes the pods from before the update for the new ones.
   */
  async #awaitRevision(inputs: StateObject, before: Entry | undefined): Promise<StateObject> {
    const isRollout = !isDeepStrictEqual(templateOf(before?.inputs), templateOf(inputs));
    const last = before && revisionOf(before.outputs);
    const end = Date.now() + this.patience;
    while (Date.now() < end) {
      const live = await this.target.read(inputs);
      if (live && isAvailable(live) && (!isRollout || revisionOf(live) !== last)) return live;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${idOf(inputs)}: timed out waiting to be Ready`);
  }
}

function revisionOf({ metadata: { annotations = {} } }: StateObject): string | undefined {
  return annotations[REVISION];
}

function isAvailable(live: StateObject): boolean {
  const { availableReplicas = 0 } = (live.status ?? {}) as { readonly availableReplicas?: number };
  return revisionOf(live) !== undefined && availableReplicas >= Number(live.spec?.['replicas'] ?? 1);
}

function templateOf(object: StateObject | undefined): unknown {
  return object?.spec?.['template'];
}

function idOf({ kind, metadata: { namespace = '', name } }: StateObject): string {
  return `${kind} ${namespace}/${name}`;
}
