import { type ApiObject, JsonPatch } from 'cdk8s';
import { findPodSpecs, type Manifest } from '../../src/manifest/kubernetes/manifest';
import type { Cdk8sPlus } from './cdk8s-plus';
import { EmittedObject } from './emitted-object';

/** What an autoscaler scales, as cdk8s-plus has it. */
export interface WorkloadTarget<P extends Cdk8sPlus> {
  readonly kind: string;
  readonly apiVersion: string;
  readonly name: string;
  readonly containers: InstanceType<P['Container']>[];
}

/** A Deployment or LeaderWorkerSet of an engine, as `HorizontalPodAutoscaler` takes it as its target. */
export class Workload<P extends Cdk8sPlus> extends EmittedObject {
  /** Whether an autoscaler has it as its target. */
  hasAutoscaler = false;

  readonly #plus: P;
  readonly #manifest: Manifest;

  /** @internal */
  constructor(manifest: Manifest, apiObject: ApiObject, plus: P) {
    super(manifest, apiObject);
    this.#plus = plus;
    this.#manifest = manifest;
  }

  /** For autoscalers: removes the number of pods from the object, which would undo theirs at each apply. */
  markHasAutoscaler(): void {
    if (!this.hasAutoscaler && this.#manifest.spec?.['replicas'] !== undefined)
      this.apiObject.addJsonPatch(JsonPatch.remove('/spec/replicas'));
    this.hasAutoscaler = true;
  }

  /**
   * For autoscalers. The containers state no resources: the CPU of an engine does not show its load, so an
   * autoscaler without metrics is an error.
   */
  toScalingTarget(): WorkloadTarget<P> {
    const { kind, apiVersion, name } = this;
    const [pod] = findPodSpecs(this.#manifest);
    const containers = (pod?.containers ?? []).map(
      (container) =>
        new this.#plus.Container({
          name: String(container['name']),
          image: String(container['image']),
          resources: {},
        }) as InstanceType<P['Container']>,
    );
    return { kind, apiVersion, name, containers };
  }
}
