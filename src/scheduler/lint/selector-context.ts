import { compileExpression } from '../../cel/compile-expression';
import type { SelectorFeatures } from '../../cel/selector';
import {
  allNodesOf,
  type AstNode,
  attributeAccessOf,
  callOf,
  type DeviceField,
  domainAccessOf,
  type SourceSpan,
  spanOf,
  stringLiteralOf,
} from '../../cel/syntax-tree';
import type { Token } from '../../cel/tokens';
import type { KnownAttributes } from './known-attributes';

/** An operand of `&&`, `||`, `!` or `?:` that is not such an operation itself. */
export interface SelectorPart {
  readonly node: AstNode;

  /** Whether the selector can match only if this part does. */
  readonly certain: boolean;

  /** False below a `!`. */
  readonly wanted: boolean;
}

/** An attribute or capacity name that a selector reads, or tests for presence. */
export interface AttributeRead {
  readonly node: AstNode;
  readonly part: SelectorPart;
  readonly from: DeviceField;
  readonly domain: string;
  readonly name: string;

  /** Whether the selector only tests the presence of the name, as `has` and `in` do. */
  readonly tested: boolean;

  /** Whether the name may be absent without an error, as after `.?`. */
  readonly optional: boolean;
}

/** A parsed selector, with the names that it can read. */
export class SelectorContext {
  readonly parts: readonly SelectorPart[];
  readonly reads: readonly AttributeRead[];
  readonly #tokens: readonly Token[];

  constructor(
    readonly expression: string,
    readonly vocabulary: KnownAttributes,
    features: SelectorFeatures = {},
  ) {
    const { root, tokens } = compileExpression(expression, features);
    this.#tokens = tokens;
    this.parts = partsOf({ node: root, certain: true, wanted: true });
    this.reads = this.parts.flatMap(readsOf);
  }

  span(node: AstNode): SourceSpan {
    return spanOf(node, this.#tokens);
  }

  text(node: AstNode): string {
    const { start, end } = this.span(node);
    return this.expression.slice(start, end);
  }

  /** Whether the selector tests the presence of a name anywhere. */
  guards({ from, domain, name }: AttributeRead): boolean {
    return this.reads.some(
      (read) => (read.tested || read.optional) && read.from === from && read.domain === domain && read.name === name,
    );
  }
}

function partsOf(part: SelectorPart): SelectorPart[] {
  const { node, certain, wanted } = part;
  const below = (child: AstNode, stays: boolean): SelectorPart[] =>
    partsOf({ node: child, certain: certain && stays, wanted });
  if (node.op === '&&') return node.args.flatMap((child) => below(child, wanted));
  if (node.op === '||') return node.args.flatMap((child) => below(child, !wanted));
  if (node.op === '?:') return node.args.flatMap((child) => below(child, false));
  return node.op === '!_' ? partsOf({ node: node.args, certain, wanted: !wanted }) : [part];
}

function readsOf(part: SelectorPart): AttributeRead[] {
  const tested = new Set(allNodesOf(part.node).flatMap(testedSelectionsIn));
  return allNodesOf(part.node).flatMap((node): AttributeRead[] => {
    const found = readAt(node);
    const domain = stringLiteralOf(found?.domain);
    if (!found || domain === undefined) return [];
    const { from, name } = found;
    const optional = node.op === '.?';
    return [{ node, part, from, domain, name, tested: tested.has(node) || node.op === 'in', optional }];
  });
}

/** The name that a node reads: `m.name`, `m["name"]`, `m.?name`, `"name" in m`. */
function readAt(node: AstNode) {
  const access = attributeAccessOf(node);
  if (access) return access;
  if (node.op === '.?') {
    const names = domainAccessOf(node.args[0]);
    return names && { ...names, name: node.args[1] };
  }
  if (node.op !== 'in') return undefined;
  const [names, name] = [domainAccessOf(node.args[1]), stringLiteralOf(node.args[0])];
  return names && name !== undefined ? { ...names, name } : undefined;
}

/** The selection whose presence `has` tests. */
function testedSelectionsIn(node: AstNode): readonly AstNode[] {
  const call = callOf(node);
  return call?.name === 'has' && !call.receiver ? call.args.slice(0, 1) : [];
}
