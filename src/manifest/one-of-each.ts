import type { Resource } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { Interner } from '../interner';

type Spec = ModelDeployment['spec'];

/**
 * Makes equal parts of declarations one object, as far as checks ask what is declared there: specs of deployments, and
 * what their templates run. What follows from such a part alone is then found once, however many say the same.
 */
export class OneOfEach {
  readonly #specs = new Interner<Spec>();
  readonly #templates = new Interner<Spec['template']['spec']>();

  /** The resource itself, or the same with parts that others have too. */
  of(resource: Resource): Resource {
    if (resource.kind !== 'ModelDeployment') return resource;
    const { spec } = resource;
    return { ...resource, spec: this.#specs.intern(JSON.stringify(spec), () => this.#shared(spec)) };
  }

  #shared(spec: Spec): Spec {
    const { template } = spec;
    const own = this.#templates.intern(JSON.stringify(template.spec), () => template.spec);
    return { ...spec, template: { ...template, spec: own } };
  }
}
