import { formatProp, type Layout, layoutOf } from '../src/api/props';
import type { Finding, Path } from '../src/api/resource';
import { nearest } from '../src/nearest';
import { fleetAbove } from './fleet-of';
import { DECLARED, type Declaring, isDeclaring, type Kind } from './declared';
import { REFERENCES } from './references';

/** A document as it would stand in a file, apart from its head. */
interface Document {
  readonly document: Readonly<Record<string, unknown>> & { readonly metadata?: object };

  /** What is wrong with props and references, by their paths in the document. */
  readonly findings: readonly Finding[];
}

type Node = Record<string, unknown>;

/** Deeper than any schema: what is below is not worth following, and may lead in a circle. */
const DEEPEST = 32;

/** The document that a construct stands for: each prop in its place, constructs replaced by their names. */
export function documentFor(owner: Declaring): Document {
  const { kind, props } = owner[DECLARED];
  const layout = layoutOf(kind);
  const document = emptyDocument(layout);
  const findings: Finding[] = [];
  for (const [prop, value] of Object.entries(props)) {
    const at = layout.get(prop);
    if (at) put(document, at, new Reader(owner, at, findings).read(value, [prop]));
    else if (value !== undefined) findings.push(unknownProp(kind, prop, layout));
  }
  return { document, findings };
}

/** Maps that hold props are there even when none of their props is: a deployment has a template. */
function emptyDocument(layout: Layout): Node {
  const document: Node = {};
  for (const [prop, at] of layout) if (prop === at.at(-1)) holderOf(document, at);
  return document;
}

function put(document: Node, at: Path, value: unknown): void {
  if (value !== undefined) holderOf(document, at)[String(at.at(-1))] = value;
}

function holderOf(document: Node, at: Path): Node {
  return at.slice(0, -1).reduce<Node>((outer, part) => {
    const inner = outer[part];
    if (isMap(inner)) return inner;
    const made: Node = {};
    outer[part] = made;
    return made;
  }, document);
}

/** Copies the value of one prop. */
class Reader {
  constructor(
    private readonly owner: Declaring,
    private readonly at: Path,
    private readonly findings: Finding[],
  ) {}

  read(value: unknown, path: Path): unknown {
    if (isDeclaring(value)) return this.#name(value, path);
    if (value === undefined) return this.#nothing(path);
    if (isLazy(value)) return this.read(value.produce(), path);
    if (path.length > DEEPEST) return undefined;
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
    this.#say(path, { code: 'missing-field', what: 'the value is undefined', hint });
  }

  #wanted(path: Path): string | undefined {
    return REFERENCES[this.owner[DECLARED].kind]?.[patternOf(path)];
  }

  #say(path: Path, said: Omit<Finding, 'path'>): void {
    this.findings.push({ ...said, path: [...this.at, ...path.slice(1)] });
  }

  /** The name of a construct, where a prop takes one. */
  #name(target: Declaring, path: Path): string {
    const problem = this.#mismatch(target, path);
    if (problem) this.#say(path, problem);
    return target.name;
  }

  #mismatch(target: Declaring, path: Path): Omit<Finding, 'path'> | undefined {
    const { kind } = target[DECLARED];
    const shown = `${kind} ${target.node.path}`;
    const wanted = this.#wanted(path);
    if (wanted !== kind) {
      const what = `${shown} cannot stand here`;
      return {
        code: 'wrong-reference',
        what,
        hint: `Use ${wanted ? `${article(wanted)} ${wanted} or its name` : 'plain data'}`,
      };
    }
    if (fleetAbove(target) !== fleetAbove(this.owner)) {
      const hint = 'Declare it in this fleet too';
      return { code: 'foreign-reference', what: `${shown} belongs to another fleet`, hint };
    }
    if (target.namespace !== undefined && target.namespace !== this.owner.namespace) {
      const what = `${shown} is in namespace '${target.namespace}', and only '${this.owner.namespace}' is looked in`;
      return { code: 'foreign-reference', what, hint: 'Give both the same namespace' };
    }
    return undefined;
  }
}

/** `nodePools[].className` for the class of any pool. */
function patternOf(path: Path): string {
  return formatProp(path).replaceAll(/\[\d+\]/g, '[]');
}

function unknownProp(kind: Kind, prop: string, layout: Layout): Finding {
  const props = [...layout.keys()];
  const meant = nearest(prop, props);
  const hint = meant ? `Use '${meant}'` : `Use one of ${props.join(', ')}`;
  return { code: 'unknown-field', path: ['spec', prop], what: `a ${kind} has no prop '${prop}'`, hint };
}

function article(noun: string): string {
  return /^[AEIOU]/.test(noun) ? 'an' : 'a';
}

/** A `Lazy` of cdk8s, of any copy of it. What it stands for is asked when the fleet is placed. */
function isLazy(value: unknown): value is { produce(): unknown } {
  if (typeof value !== 'object' || value === null) return false;
  return 'produce' in value && typeof value.produce === 'function';
}

function isMap(value: unknown): value is Node {
  if (typeof value !== 'object' || value === null) return false;
  // Not compared with Object.prototype: that of another realm is as good.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
