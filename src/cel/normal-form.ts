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
  domainAccessOf,
  spanOf,
  stringLiteralOf,
} from './syntax-tree';
import type { Token } from './tokens';
import { parseQuantity } from './values/quantity';

/**
 * A selector in the one form that selectors have which say the same and are only written differently: white space,
 * quotes and parentheses, the order of what `&&` and `||` join, the side on which a bound stands, `isGreaterThan` or
 * `compareTo`, `has` or `in`, `80Gi` or `81920Mi`. The form is CEL and answers alike for every device.
 *
 * Throws a `SelectorError` for what does not compile.
 */
export function toNormalForm(expression: string, features: SelectorFeatures = {}): string {
  const { root, tokens } = compileExpression(expression, features);
  return new NormalFormPrinter(tokens).condition(root);
}

/** The operator of a set of orders, see `relation.ts`. */
const OPERATORS: Readonly<Record<number, string>> = { 1: '<', 2: '==', 3: '<=', 4: '>', 5: '!=', 6: '>=' };

/** A part in its normal form. What is joined is in order, and without repeats. */
interface NormalForm {
  /** What joins the parts, or separates the only one from what stands beside it. */
  readonly op?: '&&' | '||' | '?:';
  readonly parts: readonly string[];
}

class NormalFormPrinter {
  constructor(private readonly tokens: readonly Token[]) {}

  /** A part that is true or false. */
  condition(node: AstNode): string {
    return formatForm(this.#form(node));
  }

  #form(node: AstNode): NormalForm {
    if (node.op === '&&' || node.op === '||') return this.#joined(node.op, node.args);
    if (node.op === '?:') return { op: '?:', parts: [this.#text(node)] };
    if (node.op === '!_') return this.#contrary(this.#single(node.args));
    return { parts: [this.#atom(node)] };
  }

  /** What `&&` or `||` joins answers alike in any order: one false, or one true, outweighs errors. */
  #joined(op: '&&' | '||', sides: readonly AstNode[]): NormalForm {
    const forms = sides.map((side) => this.#form(side));
    const parts = new Set(forms.flatMap((form) => (form.op === op ? form.parts : [encloseForm(form)])));
    const [only] = forms;
    return parts.size === 1 && only ? only : { op, parts: [...parts].sort(compareText) };
  }

  /** The part itself, or what it repeats where all that it joins is the same. */
  #single(node: AstNode): AstNode {
    if (node.op !== '&&' && node.op !== '||') return node;
    const [first] = node.args;
    return this.condition(node) === this.condition(first) ? this.#single(first) : node;
  }

  #contrary(node: AstNode): NormalForm {
    if (node.op === '!_') return this.#form(node.args);
    return { parts: [this.#relation(node, false) ?? `!(${this.condition(node)})`] };
  }

  #atom(node: AstNode): string {
    return this.#relation(node, true) ?? this.#presence(node) ?? this.#membership(node) ?? this.#text(node);
  }

  #relation(node: AstNode, wanted: boolean): string | undefined {
    const relation = relationOf(node, wanted);
    const operator = relation && OPERATORS[relation.orders];
    // Only a bound that is written down has a contrary: nothing is less than, or at least, what is no number.
    if (!relation || !operator || (!wanted && !isWritten(relation.other))) return undefined;
    const [subject, other] = [this.#text(relation.subject), this.#bound(relation.other)];
    return byMethod(node, relation)
      ? `${subject}.compareTo(${other}) ${operator} 0`
      : `${subject} ${operator} ${other}`;
  }

  /** The bound of a comparison: amounts as Kubernetes prints them. */
  #bound(node: AstNode): string {
    const call = callOf(node);
    const literal = stringLiteralOf(call?.args[0]);
    if (call?.name !== 'quantity' || literal === undefined) return this.#text(node);
    return `quantity(${JSON.stringify(parseQuantity(literal).toString())})`;
  }

  /** `has(device.attributes["domain"].name)` and `"name" in device.attributes["domain"]` */
  #presence(node: AstNode): string | undefined {
    const call = callOf(node);
    const access = call?.name === 'has' && !call.receiver ? attributeAccessOf(call.args[0]) : undefined;
    if (access) return `${JSON.stringify(access.name)} in ${this.#names(access)}`;
    const [name, map] = node.op === 'in' ? [stringLiteralOf(node.args[0]), domainAccessOf(node.args[1])] : [];
    return name !== undefined && map ? `${JSON.stringify(name)} in ${this.#names(map)}` : undefined;
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

  /** A part as it is written, but for white space, quotes and how an attribute is reached. */
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

function encloseForm(form: NormalForm): string {
  return form.op ? `(${formatForm(form)})` : formatForm(form);
}

/** Whether a relation is one of `compareTo`, `isLessThan`, `isGreaterThan`, and no operator. */
function byMethod(node: AstNode, { subject, other }: Relation): boolean {
  const sides = childrenOf(node);
  return callOf(node) !== undefined || !sides.includes(subject) || !sides.includes(other);
}

function isWritten(node: AstNode): boolean {
  if (node.op === 'value') return true;
  const call = callOf(node);
  return (
    (call?.name === 'quantity' || call?.name === 'semver') && stringLiteralOf(call.args[0]) !== undefined
  );
}

/** Tokens with a space only where two would become one. */
function joinTokens(tokens: readonly Token[]): string {
  return tokens.reduce((text, { text: next }) => {
    return /[\w"']$/.test(text) && /^[\w"']/.test(next) ? `${text} ${next}` : text + next;
  }, '');
}
