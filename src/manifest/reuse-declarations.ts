import { type Resource, resourceIdOf } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { Interner } from '../base/interning';
import type { Origin } from './field-positions';
import type { Limits } from './input-limits';
import type { SourceText } from './source-file';

/** What a file of manifests holds that has nothing wrong and nothing foreign in it. */
export interface FileReading {
  readonly resources: readonly {
    readonly resource: Resource;
    readonly start: number;
    readonly end: number;
  }[];

  /** Manifests in it, as limits count them. */
  readonly documents: number;
}

/** What files hold, by their text. */
export type FileReadings = ReadonlyMap<string, FileReading>;

/** What was read of files so far. */
interface LoadedSoFar {
  readonly limits: Limits;
  readonly resources: Map<string, Resource>;
  readonly origins: Map<string, Origin>;
  readonly added: Resource[];
  documents: number;
}

/** Adds what a file of the same text held; false, and nothing is added, where that could not be without a word. */
export function reuseReading(
  { resources, documents }: FileReading,
  source: SourceText,
  soFar: LoadedSoFar,
): boolean {
  const ids = resources.map(({ resource }) => resourceIdOf(resource));
  if (soFar.documents + documents > soFar.limits.documents) return false;
  if (ids.some((id) => soFar.resources.has(id))) return false;
  soFar.documents += documents;
  for (const [r, { resource, start, end }] of resources.entries()) {
    const id = ids[r] ?? '';
    soFar.resources.set(id, resource);
    soFar.added.push(resource);
    soFar.origins.set(id, { source, start, end });
  }
  return true;
}

type Spec = ModelDeployment['spec'];

/**
 * Makes equal parts of declarations one object, as far as checks ask what is declared there: specs of deployments, and
 * what their templates run. What follows from such a part alone is then found once, however many say the same.
 */
export class DeclarationInterner {
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
