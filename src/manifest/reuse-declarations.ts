import { type Resource, resourceIdOf } from '../api/kinds';
import type { ModelDeployment } from '../api/model-deployment';
import { Interner } from '../base/interning';
import type { Origin } from './field-positions';
import type { Limits } from './input-limits';
import type { SourceText } from './source-file';

/** The content of a manifest file without problems and ignored documents. */
export interface FileReading {
  readonly resources: readonly {
    readonly resource: Resource;
    readonly start: number;
    readonly end: number;
  }[];

  /** The number of manifests, as counted for the limits. */
  readonly documents: number;
}

/** The content of files, by the text of the file. */
export type FileReadings = ReadonlyMap<string, FileReading>;

/** The part of the load state that `reuseReading` changes. */
interface LoadedSoFar {
  readonly limits: Limits;
  readonly resources: Map<string, Resource>;
  readonly origins: Map<string, Origin>;
  readonly added: Resource[];
  documents: number;
}

/**
 * Adds the earlier content of a file with the same text. Returns false, and adds nothing, if that would cause a
 * problem: a duplicate resource or too many documents.
 */
export function reuseReading({ resources, documents }: FileReading, source: SourceText, soFar: LoadedSoFar): boolean {
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
