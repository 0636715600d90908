import { compileProgram } from '../cel/program';
import type { Features } from '../cel/selector';
import { type Span, spanOf } from '../cel/spans';
import { accessOf, callOf, namesOf, type Node, nodesOf, type Source, textOf } from '../cel/syntax';
import type { Token } from '../cel/tokens';
import type { Vocabulary } from './vocabulary';

/** An operand of `&&`, `||`, `!` or `?:` that is none of these itself. */
export interface Part {
  readonly node: Node;

  /** Whether the selector can match only where this part does. */
  readonly certain: boolean;

  /** False below a `!`. */
  readonly wanted: boolean;
}

/** A name of a device that a selector reads, or asks for. */
export interface Read {
  readonly node: Node;
  readonly part: Part;
  readonly from: Source;
  readonly domain: string;
  readonly name: string;

  /** Whether it is only asked whether the name is there, as `has` and `in` do. */
  readonly asked: boolean;

  /** Whether it may be absent without the selector failing, as after `.?`. */
  readonly optional: boolean;
}

/** A selector that is looked at, with all names that it can read. */
export class Subject {
  readonly parts: readonly Part[];
  readonly reads: readonly Read[];
  readonly #tokens: readonly Token[];

  constructor(
    readonly expression: string,
    readonly vocabulary: Vocabulary,
    features: Features = {},
  ) {
    const { root, tokens } = compileProgram(expression, features);
    this.#tokens = tokens;
    this.parts = partsOf({ node: root, certain: true, wanted: true });
    this.reads = this.parts.flatMap(readsOf);
  }

  span(node: Node): Span {
    return spanOf(node, this.#tokens);
  }

  text(node: Node): string {
    const { start, end } = this.span(node);
    return this.expression.slice(start, end);
  }

  /** Whether the selector asks for a name somewhere before or beside reading it. */
  guards({ from, domain, name }: Read): boolean {
    return this.reads.some(
      (one) => (one.asked || one.optional) && one.from === from && one.domain === domain && one.name === name,
    );
  }
}

function partsOf(part: Part): Part[] {
  const { node, certain, wanted } = part;
  const below = (child: Node, stays: boolean): Part[] =>
    partsOf({ node: child, certain: certain && stays, wanted });
  if (node.op === '&&') return node.args.flatMap((child) => below(child, wanted));
  if (node.op === '||') return node.args.flatMap((child) => below(child, !wanted));
  if (node.op === '?:') return node.args.flatMap((child) => below(child, false));
  return node.op === '!_' ? partsOf({ node: node.args, certain, wanted: !wanted }) : [part];
}

function readsOf(part: Part): Read[] {
  const asked = new Set(nodesOf(part.node).flatMap(askedIn));
  return nodesOf(part.node).flatMap((node): Read[] => {
    const found = readAt(node);
    const domain = textOf(found?.domain);
    if (!found || domain === undefined) return [];
    const { from, name } = found;
    const optional = node.op === '.?';
    return [{ node, part, from, domain, name, asked: asked.has(node) || node.op === 'in', optional }];
  });
}

/** What a node reads: `m.name`, `m["name"]`, `m.?name`, `"name" in m`. */
function readAt(node: Node) {
  const access = accessOf(node);
  if (access) return access;
  if (node.op === '.?') {
    const names = namesOf(node.args[0]);
    return names && { ...names, name: node.args[1] };
  }
  if (node.op !== 'in') return undefined;
  const [names, name] = [namesOf(node.args[1]), textOf(node.args[0])];
  return names && name !== undefined ? { ...names, name } : undefined;
}

/** The selection whose presence `has` asks for. */
function askedIn(node: Node): readonly Node[] {
  const call = callOf(node);
  return call?.name === 'has' && !call.receiver ? call.args.slice(0, 1) : [];
}
