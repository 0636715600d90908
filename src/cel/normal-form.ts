import { compareText } from '../base/order';
import { type Relation, relationOf } from './attribute-comparison';
import { compileExpression } from './compile-expression';
import type { SelectorFeatures } from './environment';
import {
  type AstNode,
  attributeAccessOf,
  callOf,
  childrenOf,
  type DomainAccess,
  presenceTestOf,
  spanOf,
  stringLiteralOf,
} from './syntax-tree';
import type { Token } from './tokens';
import { isQuantity, parseQuantity } from './values/quantity';

/**
 * Returns the normal form of a selector. Selectors that differ only in spelling have the same normal form: white space,
 * quotes, parentheses, the order of operands of `&&` and `||`, the side of a bound, `isGreaterThan` or `compareTo`,
 * `has` or `in`, `80Gi` or `81920Mi`. The normal form is CEL, and gives the same result as the selector for every
 * device.
 *
 * @throws SelectorError if the selector does not compile
 */
export function toNormalForm(expression: string, features: SelectorFeatures = {}): string {
  const { root, tokens } = compileExpression(expression, features);
  return new NormalFormPrinter(tokens).condition(root);
}

/** The operator of each order set, see `attribute-comparison.ts`. */
const OPERATORS: Readonly<Record<number, string>> = { 1: '<', 2: '==', 3: '<=', 4: '>', 5: '!=', 6: '>=' };

/** The normal form of a node. Operands of `&&` and `||` are sorted and unique. */
interface NormalForm {
  /** The operator that joins the parts. `?:` has one part, which needs parentheses next to another operator. */
  readonly op?: '&&' | '||' | '?:';
  readonly parts: readonly string[];
}

class NormalFormPrinter {
  constructor(private readonly tokens: readonly Token[]) {}

  /** Returns the normal form of a boolean node. */
  condition(node: AstNode): string {
    return formatForm(this.#form(node));
  }

  #form(node: AstNode): NormalForm {
    if (node.op === '&&' || node.op === '||') return this.#joined(node.op, node.args);
    if (node.op === '?:') return { op: '?:', parts: [this.#text(node)] };
    if (node.op === '!_') return this.#negation(this.#single(node.args));
    return { parts: [this.#atom(node)] };
  }

  /** The order of operands of `&&` and `||` does not matter: one false, or one true, outweighs errors. */
  #joined(op: '&&' | '||', sides: readonly AstNode[]): NormalForm {
    const forms = sides.map((side) => this.#form(side));
    const parts = new Set(
      forms.flatMap((form) => (form.op === op ? form.parts : [form.op ? `(${formatForm(form)})` : formatForm(form)])),
    );
    const [only] = forms;
    return parts.size === 1 && only ? only : { op, parts: [...parts].sort(compareText) };
  }

  /** Returns the only distinct operand of `&&` or `||`, or the node itself if there are several. */
  #single(node: AstNode): AstNode {
    if (node.op !== '&&' && node.op !== '||') return node;
    const [first] = node.args;
    return this.condition(node) === this.condition(first) ? this.#single(first) : node;
  }

  #negation(node: AstNode): NormalForm {
    if (node.op === '!_') return this.#form(node.args);
    return { parts: [this.#relation(node, false) ?? `!(${this.condition(node)})`] };
  }

  #atom(node: AstNode): string {
    return this.#relation(node, true) ?? this.#presence(node) ?? this.#membership(node) ?? this.#text(node);
  }

  #relation(node: AstNode, wanted: boolean): string | undefined {
    const relation = relationOf(node, wanted);
    const operator = relation && OPERATORS[relation.orders];
    // Only a comparison with a literal bound has an inverse operator: NaN is neither less than a number nor at least
    // it.
    if (!relation || !operator || (!wanted && !isLiteralBound(relation.other))) return undefined;
    const [subject, other] = [this.#text(relation.subject), this.#bound(relation.other)];
    return isMethodCall(node, relation)
      ? `${subject}.compareTo(${other}) ${operator} 0`
      : `${subject} ${operator} ${other}`;
  }

  /** Formats the bound of a comparison. Quantities get their canonical text, unless they are malformed. */
  #bound(node: AstNode): string {
    const call = callOf(node);
    const literal = stringLiteralOf(call?.args[0]);
    if (call?.name !== 'quantity' || literal === undefined || !isQuantity(literal)) return this.#text(node);
    return `quantity(${JSON.stringify(parseQuantity(literal).toString())})`;
  }

  #presence(node: AstNode): string | undefined {
    const access = presenceTestOf(node);
    return access && `${JSON.stringify(access.name)} in ${this.#names(access)}`;
  }

  /** `architecture in ["Hopper", "Blackwell"]` */
  #membership(node: AstNode): string | undefined {
    if (node.op !== 'in' || node.args[1].op !== 'list') return undefined;
    const values = node.args[1].args.map(stringLiteralOf);
    if (values.length === 0 || values.includes(undefined)) return undefined;
    const listed = [...new Set(values.map((value) => JSON.stringify(value)))].sort(compareText);
    return `${this.#text(node.args[0])} in [${listed.join(', ')}]`;
  }

  #names({ from, domain }: DomainAccess): string {
    return `device.${from}[${this.#text(domain)}]`;
  }

  /** Returns the source of a node without differences in white space, quotes and attribute access. */
  #text(node: AstNode): string {
    const text = stringLiteralOf(node);
    if (text !== undefined) return JSON.stringify(text);
    const access = attributeAccessOf(node);
    if (access && IDENTIFIER.test(access.name)) return `${this.#names(access)}.${access.name}`;
    const { start, end } = spanOf(node, this.tokens);
    return joinTokens(this.tokens.filter((token) => token.start >= start && token.end <= end));
  }
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;

function formatForm({ op, parts }: NormalForm): string {
  return parts.join(` ${op ?? ''} `);
}

/** Reports whether a relation is a call of `compareTo`, `isLessThan` or `isGreaterThan`. */
function isMethodCall(node: AstNode, { subject, other }: Relation): boolean {
  const sides = childrenOf(node);
  return callOf(node) !== undefined || !sides.includes(subject) || !sides.includes(other);
}

function isLiteralBound(node: AstNode): boolean {
  if (node.op === 'value') return true;
  const call = callOf(node);
  return (call?.name === 'quantity' || call?.name === 'semver') && stringLiteralOf(call.args[0]) !== undefined;
}

/** Joins tokens. Adds a space only where two tokens would merge. */
function joinTokens(tokens: readonly Token[]): string {
  return tokens.reduce((text, { text: next }) => {
    return /[\w"']$/.test(text) && /^[\w"']/.test(next) ? `${text} ${next}` : text + next;
  }, '');
}
