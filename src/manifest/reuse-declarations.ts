import type { Resource } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { Interner } from '../base/interning';

/** The content of a manifest file without problems and ignored documents. */
export interface FileReading {
  readonly resources: readonly {
    readonly resource: Resource;
    readonly start: number;
    readonly end: number;
  }[];

  /** The number of manifests, as counted for the limits. */
  readonly documents: number;

  /** The number of values that aliases repeat, as counted for the limits. */
  readonly repeated: number;
}

/** The content of files, by the text of the file. */
export type FileReadings = ReadonlyMap<string, FileReading>;

type Spec = ModelDeployment['spec'];

/**
 * Shares equal specs and template specs of deployments as one object. Results that only depend on such a part can then
 * be cached by object identity.
 */
export class DeclarationInterner {
  readonly #specs = new Interner<Spec>();
  readonly #templates = new Interner<Spec['template']['spec']>();

  /** Returns an equal resource whose parts are shared with equal parts of other resources. */
  of(resource: Resource): Resource {
    if (resource.kind !== 'ModelDeployment') return resource;
    const { spec } = resource;
    return { ...resource, spec: this.#specs.intern(JSON.stringify(spec), () => this.#shared(spec)) };
  }

  #shared(spec: Spec): Spec {
    const { template } = spec;
    const shared = this.#templates.intern(JSON.stringify(template.spec), () => template.spec);
    return { ...spec, template: { ...template, spec: shared } };
  }
}
