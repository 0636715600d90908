import * as pulumi from '@pulumi/pulumi';
import { loadManifests } from '../../../src/manifest/load-manifests';
import { assemble } from '../../../src/fleet/fleet';
import { FleetStack } from '../../../stacks/index';
import { KubernetesState, type StateObject } from '../../stacks/kubernetes-state';
import { type Client, type KubeObject, ok } from '../harness/client';
import { findCrds, installCrds } from '../harness/crds';
import { deviceClassesOf, nodesOf } from '../harness/nodes';
import { collection, learnKinds, pathOf } from '../harness/resources';
import type { Desk } from '../live/desk';
import { openNamespace } from '../promises/site';
import { fleetOf, type Tags } from './fleet';

const KINDS: ReadonlySet<string> = new Set(['Deployment', 'LeaderWorkerSet', 'ResourceClaimTemplate', 'Service']);

/** A stack of the fleet, whose objects are applied to the control plane as the provider of Pulumi applies them. */
export class Stack {
  /** Workloads that the current update has applied, as `kind name`. */
  readonly applied = new Set<string>();
  readonly #state: KubernetesState;

  constructor(
    private readonly client: Client,
    private readonly desk: Desk,
    private readonly kubeconfig: string,
  ) {
    this.#state = new KubernetesState({
      apply: async (object) => {
        this.applied.add(`${object.kind} ${object.metadata.name}`);
        // A server that is busy closes connections that a request has just begun to use.
        const answer = await client.apply(pathOf(object), object).catch(() => client.apply(pathOf(object), object));
        return ok(answer, pathOf(object)) as StateObject;
      },
      read: async (object) => {
        const { status, body } = await client.get(pathOf(object));
        return status === 200 ? (body as StateObject) : undefined;
      },
      remove: async (object) => void (await client.delete(pathOf(object), { propagationPolicy: 'Background' })),
    });
  }

  /** Makes the control plane the cluster that the fleet declares. */
  async furnish(): Promise<void> {
    const crds = await findCrds();
    const group = /group: leaderworkerset\.x-k8s\.io$/m;
    await installCrds(
      this.client,
      crds.filter(({ text }) => group.test(text)),
    );
    await learnKinds(this.client);
    await openNamespace(this.client, 'ml');
    const { resources } = loadManifests([{ path: 'fleet.yaml', text: fleetOf({}) }]);
    const fleet = assemble(resources);
    const nodes = fleet.clusters.flatMap((cluster) => nodesOf(fleet, cluster, 'waves'));
    for (const object of nodes) ok(await this.client.post(collection(object), object), pathOf(object));
    for (const object of deviceClassesOf(fleet)) ok(await this.client.apply(pathOf(object), object), pathOf(object));
  }

  refresh(): Promise<void> {
    return this.#state.refresh();
  }

  /** Runs the program as an update. */
  async update(tags: Tags, waves: boolean): Promise<void> {
    this.desk.write('fleet/fleet.yaml', fleetOf(tags));
    this.applied.clear();
    this.#state.begin();
    await pulumi.runtime.setMocks(
      { newResource: (args) => this.#register(args), call: ({ inputs }) => inputs as Record<string, unknown> },
      'fleetwright',
      'test',
      false,
    );
    await pulumi.runtime.runInPulumiStack(async () => {
      const kubeconfigs = { local: this.kubeconfig };
      const fleet = this.desk.path('fleet');
      void new FleetStack('fleet', { fleet, kubeconfigs, lockMode: 'ephemeral', ...(waves ? {} : { waves }) });
    });
    await pulumi.runtime.disconnect();
    await this.#state.end();
  }

  async #register({ name, inputs }: pulumi.runtime.MockResourceArgs) {
    const object = inputs as unknown as KubeObject;
    const state = KINDS.has(object.kind ?? '') ? await this.#state.register(inputs as unknown as StateObject) : inputs;
    return { id: `${name}-id`, state };
  }
}
