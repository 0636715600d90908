import { formatPropPath, type PropLayout, propLayoutOf } from '../src/api/construct-props';
import type { Path } from '../src/api/resource';
import { type Diagnostic, errorAt, relocate } from '../src/base/diagnostic';
import { suggestName } from '../src/base/name-suggestion';
import { findFleet } from './fleet-scope';
import {
  DECLARED,
  isResourceConstruct,
  type ResourceConstruct,
  type ResourceKind,
} from './resource-construct';

/** A document as it would stand in a file, apart from its head. */
interface PropsDocument {
  readonly document: Readonly<Record<string, unknown>> & { readonly metadata?: object };

  /** What is wrong with props and references, by their paths in the document. */
  readonly findings: readonly Diagnostic<Path>[];
}

type DocumentNode = Record<string, unknown>;

/** Deeper than any schema: what is below is not worth following, and may lead in a circle. */
const MAX_DEPTH = 32;

/** The document that a construct stands for: each prop in its place, constructs replaced by their names. */
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

/** Maps that hold props are there even when none of their props is: a deployment has a template. */
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
    const made: DocumentNode = {};
    outer[part] = made;
    return made;
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
    if (isResourceConstruct(value)) return this.#name(value, path);
    if (value === undefined) return this.#nothing(path);
    if (isLazy(value)) return this.read(value.produce(), path);
    if (path.length > MAX_DEPTH) return undefined;
    if (Array.isArray(value)) return value.map((item, index) => this.read(item, [...path, index]));
    if (!isMap(value)) return value;
    const entries = Object.entries(value).map(
      ([key, item]) => [key, this.read(item, [...path, key])] as const,
    );
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
  }

  /** A prop that is written and has no value may be left out, but for a reference that is needed. */
  #nothing(path: Path): undefined {
    if (path.length === 1 || !this.#wanted(path)) return;
    const hint = 'Pass a construct or a name. A file that imports itself over others sees it too early';
    this.#say(path, errorAt('missing-field', undefined, 'the value is undefined', hint));
  }

  #wanted(path: Path): string | undefined {
    return REFERENCE_PROPS[this.owner[DECLARED].kind]?.[patternOf(path)];
  }

  #say(path: Path, said: Diagnostic<undefined>): void {
    this.findings.push(relocate(said, () => [...this.at, ...path.slice(1)]));
  }

  /** The name of a construct, where a prop takes one. */
  #name(target: ResourceConstruct, path: Path): string {
    const problem = this.#mismatch(target, path);
    if (problem) this.#say(path, problem);
    return target.name;
  }

  #mismatch(target: ResourceConstruct, path: Path): Diagnostic<undefined> | undefined {
    const { kind } = target[DECLARED];
    const shown = `${kind} ${target.node.path}`;
    const wanted = this.#wanted(path);
    if (wanted !== kind) {
      const what = `${shown} cannot stand here`;
      return errorAt(
        'wrong-reference',
        undefined,
        what,
        `Use ${wanted ? `${articleOf(wanted)} ${wanted} or its name` : 'plain data'}`,
      );
    }
    if (findFleet(target) !== findFleet(this.owner)) {
      const hint = 'Declare it in this fleet too';
      return errorAt('foreign-reference', undefined, `${shown} belongs to another fleet`, hint);
    }
    if (target.namespace !== undefined && target.namespace !== this.owner.namespace) {
      const what = `${shown} is in namespace '${target.namespace}', and only '${this.owner.namespace}' is looked in`;
      return errorAt('foreign-reference', undefined, what, 'Give both the same namespace');
    }
    return undefined;
  }
}

/** `nodePools[].className` for the class of any pool. */
function patternOf(path: Path): string {
  return formatPropPath(path).replaceAll(/\[\d+\]/g, '[]');
}

function unknownPropFinding(kind: ResourceKind, prop: string, layout: PropLayout): Diagnostic<Path> {
  const props = [...layout.keys()];
  const meant = suggestName(prop, props);
  const hint = meant ? `Use '${meant}'` : `Use one of ${props.join(', ')}`;
  return errorAt('unknown-field', ['spec', prop], `a ${kind} has no prop '${prop}'`, hint);
}

function articleOf(noun: string): string {
  return /^[AEIOU]/.test(noun) ? 'an' : 'a';
}

/** A `Lazy` of cdk8s, of any copy of it. What it stands for is asked when the fleet is placed. */
function isLazy(value: unknown): value is { produce(): unknown } {
  if (typeof value !== 'object' || value === null) return false;
  return 'produce' in value && typeof value.produce === 'function';
}

function isMap(value: unknown): value is DocumentNode {
  if (typeof value !== 'object' || value === null) return false;
  // Not compared with Object.prototype: that of another realm is as good.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The kinds whose constructs stand for their name in props of others. */
type ReferableKind = 'InferenceClass' | 'InferenceCluster' | 'ModelCache';

/** Where props take a construct or its name, by kind: the path of the prop, and what it refers to. */
export const REFERENCE_PROPS: Partial<Record<ResourceKind, Readonly<Record<string, ReferableKind>>>> = {
  InferenceCluster: { 'nodePools[].className': 'InferenceClass' },
  InferenceGateway: { 'clusters[]': 'InferenceCluster' },
  ModelDeployment: { modelCacheRef: 'ModelCache', 'loraAdapters[].modelCacheRef.name': 'ModelCache' },
};
