import type { InferenceCluster } from '../../../src/api/inference-cluster';
import type { Fleet } from '../../../src/fleet/fleet';
import { type Client, type KubeObject, ok } from '../harness/client';
import { concurrently } from '../harness/concurrently';
import { templatesAsSets } from '../harness/gangs';
import { deviceClassesOf, nodesOf } from '../harness/nodes';
import { collection, pathOf } from '../harness/resources';
import { until } from '../harness/until';
import type { Watch } from '../harness/watch';

/** One cluster of a fleet, as a part of the one control plane: nodes and namespaces that no other cluster uses. */
export class Site {
  readonly #nodes: readonly KubeObject[];
  readonly #objects = new Map<string, KubeObject>();

  constructor(
    private readonly client: Client,
    private readonly pods: Watch,
    fleet: Fleet,
    readonly cluster: InferenceCluster,
    readonly prefix: string,

    /** What a gang becomes. Default: itself, and the sets that its controller would make. */
    private readonly expand: (object: KubeObject) => KubeObject[] = withSets,
  ) {
    this.#nodes = nodesOf(fleet, cluster, prefix);
  }

  /** Objects of a kind that stand for its nodes, as they were made. */
  nodeObjects(kind: 'Node' | 'ResourceSlice'): KubeObject[] {
    return this.#nodes.filter((object) => object.kind === kind);
  }

  /** What a namespace, or an object in none, is called here: those of all clusters lie in one control plane. */
  namespace(name: string): string {
    return `${this.prefix}-${name}`;
  }

  /** Makes the nodes, and the namespaces that the manifests name. */
  async open(manifests: readonly KubeObject[]): Promise<void> {
    await concurrently(8, this.#nodes, async (object) => {
      const { status } = object;
      ok(await this.client.post(collection(object), { ...object, ...(status && { status }) }), pathOf(object));
    });
    const namespaces = [...new Set(manifests.flatMap(({ metadata }) => metadata.namespace ?? []))];
    await concurrently(4, namespaces, (name) => openNamespace(this.client, this.namespace(name)));
  }

  /** What a manifest becomes here: in its namespace, with gangs as the sets that their controller would make. */
  here(manifest: KubeObject): KubeObject[] {
    const { status: _, metadata, ...rest } = manifest;
    const { name, namespace } = metadata;
    if (namespace === undefined) return [{ ...rest, metadata: { ...metadata, name: this.namespace(name) } }];
    return this.expand({ ...rest, metadata: { ...metadata, namespace: this.namespace(namespace) } });
  }

  async apply(object: KubeObject): Promise<void> {
    this.#objects.set(pathOf(object), object);
    ok(await this.client.apply(pathOf(object), object, '&fieldValidation=Strict'), pathOf(object));
  }

  /** What was applied of a kind, as the API server has it. */
  stored(kind: string): Promise<KubeObject[]> {
    const applied = [...this.#objects].filter(([, object]) => object.kind === kind);
    return Promise.all(applied.map(async ([path]) => ok(await this.client.get(path), path)));
  }

  /** Deletes a workload and its pods, and waits until its name is free again. */
  async remove(object: KubeObject, propagationPolicy: 'Background' | 'Foreground' = 'Background'): Promise<void> {
    await this.client.delete(pathOf(object), { propagationPolicy });
    await until(`${pathOf(object)} is gone`, async () => {
      return (await this.client.get(pathOf(object))).status === 404;
    });
  }

  /** All pods here, as the API server has them. */
  podsHere(): KubeObject[] {
    return [...this.pods.objects.values()].filter(({ metadata }) => metadata.namespace?.startsWith(`${this.prefix}-`));
  }

  /** Whether controllers have done what workloads ask of them: no rollout is under way, and none is yet to begin. */
  async isRolledOut(): Promise<boolean> {
    const answers = await Promise.all(this.workloads().map((one) => this.client.get(pathOf(one))));
    return answers.every(({ body }) => isRolledOut(body));
  }

  /** Workloads that were applied. */
  workloads(): KubeObject[] {
    return [...this.#objects.values()].filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  }

  /** Removes everything, and waits until no pod is left. */
  async close(): Promise<void> {
    const order = ['Deployment', 'StatefulSet', 'Service', 'ResourceClaimTemplate'];
    const objects = [...this.#objects.values()].sort((a, b) => order.indexOf(a.kind!) - order.indexOf(b.kind!));
    await concurrently(8, objects, (object) => this.client.delete(pathOf(object), { propagationPolicy: 'Background' }));
    await until(`the pods of ${this.prefix} are gone`, () => this.podsHere().length === 0);
    await concurrently(8, this.#nodes, (object) => this.client.delete(pathOf(object)));
  }
}

function withSets(object: KubeObject): KubeObject[] {
  return [object, ...templatesAsSets(object)];
}

/** Makes the device classes that fleets name, once for all of them. */
export async function openDeviceClasses(client: Client, fleet: Fleet): Promise<void> {
  for (const object of deviceClassesOf(fleet)) await client.apply(pathOf(object), object);
}

/** Makes a namespace, and waits for the account without which no pod can be made there. */
export async function openNamespace(
  client: Client,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<void> {
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
  ok(await client.apply(pathOf(object), object), pathOf(object));
  const account = `/api/v1/namespaces/${name}/serviceaccounts/default`;
  await until(`${account} is there`, async () => (await client.get(account)).status === 200);
}

/** Of a set only that its controller has seen it: who restarts the pods of a gang is not here. */
function isRolledOut({ kind, metadata, spec, status }: KubeObject): boolean {
  const { observedGeneration, replicas, updatedReplicas, readyReplicas } = (status ?? {}) as Counts;
  const wanted = spec?.['replicas'] as number;
  const counts = kind === 'Deployment' ? [replicas, updatedReplicas, readyReplicas] : [replicas];
  const { generation } = metadata as { readonly generation?: number };
  return observedGeneration === generation && counts.every((count = 0) => count === wanted);
}

interface Counts {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
}
