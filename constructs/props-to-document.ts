import { formatPropPath, type PropLayout, propLayoutOf } from '../src/api/construct-props';
import type { Path } from '../src/api/resource';
import { type Diagnostic, errorAt, relocate } from '../src/base/diagnostic';
import { suggestName } from '../src/base/name-suggestion';
import { SYSTEM_NAMESPACE } from '../src/manifest/kubernetes/object-names';
import { findFleet } from './fleet-scope';
import { isObjectReference, namespaceOfObject, objectKindAt, type ObjectReference } from './object-reference';
import { DECLARED, isResourceConstruct, type ResourceConstruct, type ResourceKind } from './resource-construct';

/** The document of a construct as in a manifest, without `apiVersion` and `kind`. */
interface PropsDocument {
  readonly document: Readonly<Record<string, unknown>> & { readonly metadata?: object };

  /** The problems of props and references, by their paths in the document. */
  readonly findings: readonly Diagnostic<Path>[];
}

type DocumentNode = Record<string, unknown>;

/** The maximum depth of props, deeper than any schema. It stops circular values. */
const MAX_DEPTH = 32;

/** Converts the props of a construct to a document: each prop at its field, constructs replaced by their names. */
export function propsToDocument(owner: ResourceConstruct): PropsDocument {
  const { kind, props } = owner[DECLARED];
  const layout = propLayoutOf(kind);
  const document = emptyDocument(layout);
  const findings: Diagnostic<Path>[] = [];
  for (const [prop, value] of Object.entries(props)) {
    const at = layout.get(prop);
    if (at) setAt(document, at, new PropReader(owner, at, findings).read(value, [prop]));
    else if (value !== undefined) findings.push(unknownPropFinding(kind, prop, layout));
  }
  return { document, findings };
}

/**
 * Creates a document with all maps that contain props, even if none of the props is set. For example, a deployment
 * always has a template.
 */
function emptyDocument(layout: PropLayout): DocumentNode {
  const document: DocumentNode = {};
  for (const [prop, at] of layout) if (prop === at.at(-1)) ensureParent(document, at);
  return document;
}

function setAt(document: DocumentNode, at: Path, value: unknown): void {
  if (value !== undefined) ensureParent(document, at)[String(at.at(-1))] = value;
}

function ensureParent(document: DocumentNode, at: Path): DocumentNode {
  return at.slice(0, -1).reduce<DocumentNode>((outer, part) => {
    const inner = outer[part];
    if (isMap(inner)) return inner;
    const created: DocumentNode = {};
    outer[part] = created;
    return created;
  }, document);
}

/** Copies the value of one prop. */
class PropReader {
  constructor(
    private readonly owner: ResourceConstruct,
    private readonly at: Path,
    private readonly findings: Diagnostic<Path>[],
  ) {}

  read(value: unknown, path: Path): unknown {
    if (isResourceConstruct(value)) return this.#readReference(value, path);
    if (isObjectReference(value)) return this.#readObject(value, path);
    if (value === undefined) return this.#readUndefined(path);
    if (isLazy(value)) return this.read(value.produce(), path);
    if (path.length > MAX_DEPTH) return undefined;
    if (Array.isArray(value)) return value.map((item, index) => this.read(item, [...path, index]));
    if (!isMap(value)) return value;
    const entries = Object.entries(value).map(([key, item]) => [key, this.read(item, [...path, key])] as const);
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
  }

  /** Handles an undefined prop. It may be omitted, unless it is a required reference. */
  #readUndefined(path: Path): undefined {
    if (path.length === 1 || !this.#expectedKind(path)) return;
    const hint = 'Pass a construct or a name. It is also undefined in a circular import';
    this.#report(path, errorAt('missing-field', undefined, 'the value is undefined', hint));
  }

  #expectedKind(path: Path): string | undefined {
    return REFERENCE_PROPS[this.owner[DECLARED].kind]?.[patternOf(path)];
  }

  #report(path: Path, problem: Diagnostic<undefined>): void {
    this.findings.push(relocate(problem, () => [...this.at, ...path.slice(1)]));
  }

  /** Reads a reference: the name of the construct. Reports a construct where the prop takes none. */
  #readReference(target: ResourceConstruct, path: Path): string {
    const problem = this.#mismatch(target, path);
    if (problem) this.#report(path, problem);
    return target.name;
  }

  /** Reads an object of Kubernetes: its name. Reports one where the prop does not take its kind or namespace. */
  #readObject(object: ObjectReference, path: Path): string {
    const { kind, name } = object;
    const expected = objectKindAt(patternOf(path));
    const namespace = namespaceOfObject(object);
    const wanted = namespaceOfObjects(this.owner);
    if (expected !== kind) {
      const hint = `Use ${expected ? `${articleOf(expected)} ${expected} or its name` : 'plain data'}`;
      this.#report(path, errorAt('wrong-reference', undefined, `${kind} ${name} is not allowed here`, hint));
    } else if (namespace !== undefined && wanted !== undefined && namespace !== wanted) {
      const what = `${kind} ${name} is in namespace '${namespace}', and a reference must be to namespace '${wanted}'`;
      this.#report(path, errorAt('foreign-reference', undefined, what, 'Use the same namespace for both'));
    }
    return name;
  }

  #mismatch(target: ResourceConstruct, path: Path): Diagnostic<undefined> | undefined {
    const { kind } = target[DECLARED];
    const shown = `${kind} ${target.node.path}`;
    const expected = this.#expectedKind(path);
    if (expected !== kind) {
      const what = `${shown} is not allowed here`;
      return errorAt(
        'wrong-reference',
        undefined,
        what,
        `Use ${expected ? `${articleOf(expected)} ${expected} or its name` : 'plain data'}`,
      );
    }
    if (findFleet(target) !== findFleet(this.owner)) {
      const hint = 'Declare it in this fleet too';
      return errorAt('foreign-reference', undefined, `${shown} belongs to another fleet`, hint);
    }
    if (target.namespace !== undefined && target.namespace !== this.owner.namespace) {
      const what = `${shown} is in namespace '${target.namespace}', and a reference must be to namespace '${this.owner.namespace}'`;
      return errorAt('foreign-reference', undefined, what, 'Use the same namespace for both');
    }
    return undefined;
  }
}

/** The namespace of the objects that a resource names. Undefined for clusters and fleets, which name several. */
function namespaceOfObjects({ [DECLARED]: { kind }, namespace }: ResourceConstruct): string | undefined {
  return kind === 'InferenceGateway' ? SYSTEM_NAMESPACE : namespace;
}

/** The path of a prop without indexes: `nodePools[].className` for the class of any pool. */
function patternOf(path: Path): string {
  return formatPropPath(path).replaceAll(/\[\d+\]/g, '[]');
}

function unknownPropFinding(kind: ResourceKind, prop: string, layout: PropLayout): Diagnostic<Path> {
  const props = [...layout.keys()];
  const meant = suggestName(prop, props);
  const hint = meant ? `Use '${meant}'` : `Use one of ${props.join(', ')}`;
  return errorAt('unknown-field', ['spec', prop], `${articleOf(kind)} ${kind} has no prop '${prop}'`, hint);
}

function articleOf(noun: string): string {
  return /^[AEIOU]/.test(noun) ? 'an' : 'a';
}

/** Whether a value is a `Lazy` of any copy of cdk8s. It is evaluated when the fleet is placed. */
function isLazy(value: unknown): value is { produce(): unknown } {
  if (typeof value !== 'object' || value === null) return false;
  return 'produce' in value && typeof value.produce === 'function';
}

function isMap(value: unknown): value is DocumentNode {
  if (typeof value !== 'object' || value === null) return false;
  // Object.prototype of another realm is a different object, so the prototype chain is compared.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Kinds whose constructs can be passed instead of their names. */
type ReferableKind = 'InferenceClass' | 'InferenceCluster' | 'ModelCache';

/** Props that take a construct or its name, by kind: the path of the prop, and the kind that it refers to. */
export const REFERENCE_PROPS: Partial<Record<ResourceKind, Readonly<Record<string, ReferableKind>>>> = {
  InferenceCluster: { 'nodePools[].className': 'InferenceClass' },
  InferenceGateway: { 'clusters[]': 'InferenceCluster' },
  ModelDeployment: {
    modelCacheRef: 'ModelCache',
    'loraAdapters[].modelCacheRef.name': 'ModelCache',
    'model.hardware[]': 'InferenceClass',
  },
};
