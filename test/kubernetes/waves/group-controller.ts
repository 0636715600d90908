import { createHash } from 'node:crypto';
import { type Client, type KubeObject, ok } from '../harness/client';
import { expandGang } from '../harness/gangs';
import { pathOf } from '../harness/resources';

const LABEL = 'leaderworkerset.sigs.k8s.io/';
const REVISION = `${LABEL}template-revision-hash`;

/** How often it looks, in milliseconds: a controller is a little behind what it is asked for. */
const PACE = 250;

interface List {
  readonly items?: readonly KubeObject[];
}

interface Groups {
  readonly replicas: number;
  readonly leaderWorkerTemplate: { readonly size: number };
}

/**
 * Plays the controller of LeaderWorkerSets, which cannot be built here: it makes the StatefulSets of a
 * LeaderWorkerSet with the digest of its template, and writes its status.
 *
 * Facts: pkg/controllers/leaderworkerset_controller.go of kubernetes-sigs/lws.
 */
export class GroupController {
  #stopped = false;

  /** What each LeaderWorkerSet came to, by what asked for it: most looks find nothing to do. */
  readonly #done = new Map<string, string>();

  constructor(private readonly client: Client) {}

  start(): void {
    void this.#run();
  }

  stop(): void {
    this.#stopped = true;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      // Whatever fails is done at the next look.
      await this.#reconcileAll().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, PACE));
    }
  }

  async #reconcileAll(): Promise<void> {
    const { body } = await this.client.get<List>('/apis/leaderworkerset.x-k8s.io/v1/leaderworkersets');
    for (const item of body.items ?? []) {
      if (item.metadata.deletionTimestamp !== undefined) continue;
      await this.#reconcile({ ...item, apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet' });
    }
  }

  async #reconcile(object: KubeObject): Promise<void> {
    const { namespace, name, uid } = object.metadata;
    const { replicas, leaderWorkerTemplate } = object.spec as unknown as Groups;
    const revision = createHash('sha256').update(JSON.stringify(leaderWorkerTemplate)).digest('hex').slice(0, 10);
    await this.#once(`sets of ${uid}`, object.spec, async () => {
      const sets = expandGang(object).map((set) => owned(withRevision(set, name, revision), object));
      for (const set of sets) ok(await this.client.apply(pathOf(set), set), pathOf(set));
      await this.#removeGroups(object, new Set(sets.map(({ metadata }) => metadata.name)));
    });
    const query = `labelSelector=${LABEL}name%3D${name}`;
    const { body } = await this.client.get<List>(`/api/v1/namespaces/${namespace}/pods?${query}`);
    const pods = body.items ?? [];
    const current = pods.filter(
      ({ metadata }) => metadata.labels?.[REVISION] === revision && metadata.deletionTimestamp === undefined,
    );
    const groups = (pods: readonly KubeObject[]): number => Math.floor(pods.length / leaderWorkerTemplate.size);
    const status = {
      observedGeneration: (object.metadata as { readonly generation?: number }).generation,
      replicas,
      updatedReplicas: groups(current),
      readyReplicas: groups(pods.filter(isReady)),
      hpaPodSelector: `${LABEL}name=${name},${LABEL}worker-index=0`,
    };
    await this.#once(`status of ${uid}`, status, async () => {
      const path = `${pathOf(object)}/status`;
      ok(await this.client.patch(path, { status }), path);
    });
  }

  /** Acts where it has not come to an end for the same before. */
  async #once(what: string, wanted: unknown, act: () => Promise<void>): Promise<void> {
    const text = JSON.stringify(wanted);
    if (this.#done.get(what) === text) return;
    await act();
    this.#done.set(what, text);
  }

  /** Removes the workers of groups that are too many: their leaders go with the set of the leaders. */
  async #removeGroups({ metadata: { namespace, name } }: KubeObject, kept: ReadonlySet<string>): Promise<void> {
    const sets = `/apis/apps/v1/namespaces/${namespace}/statefulsets`;
    const { body } = await this.client.get<List>(`${sets}?labelSelector=${LABEL}name%3D${name}`);
    for (const { metadata } of body.items ?? []) {
      if (!kept.has(metadata.name)) await this.client.delete(`${sets}/${metadata.name}`);
    }
  }
}

export function isReady({ metadata, status }: KubeObject): boolean {
  const conditions = (status?.['conditions'] ?? []) as { type: string; status: string }[];
  const ready = conditions.find(({ type }) => type === 'Ready');
  return metadata.deletionTimestamp === undefined && ready?.status === 'True';
}

/** A set that goes with its LeaderWorkerSet. */
function owned(set: KubeObject, { apiVersion, kind, metadata: { name, uid } }: KubeObject): KubeObject {
  const ownerReferences = [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }];
  return { ...set, metadata: { ...set.metadata, ownerReferences } as KubeObject['metadata'] };
}

function withRevision(set: KubeObject, name: string, revision: string): KubeObject {
  const { template, ...spec } = set.spec as unknown as { template: KubeObject };
  const labels = { ...template.metadata.labels, [REVISION]: revision };
  return {
    ...set,
    metadata: { ...set.metadata, labels: { [`${LABEL}name`]: name, [REVISION]: revision } },
    spec: { ...spec, template: { ...template, metadata: { ...template.metadata, labels } } },
  };
}
