import { type CompiledExpression, compileExpression } from '../compile-expression';
import type { PreparedDevice } from '../device';
import {
  type AstNode,
  type AttributeAccess,
  attributeAccessOf,
  type CallNode,
  callOf,
  isIdentifier,
  type SourceSpan,
  spanOf,
} from '../syntax-tree';
import { CelIpAddress, IpPrefix } from '../values/ip-address';
import { lookUp } from '../values/kinds';
import { NamedFormat } from '../values/named-formats';
import { Quantity } from '../values/quantity';
import { Semver } from '../values/semver';
import { Url } from '../values/url';

/** An expression and a device. It describes and evaluates parts of the expression for this device. */
export class BoundExpression {
  readonly root: AstNode;
  readonly #program: CompiledExpression;

  constructor(
    readonly expression: string,
    readonly device: PreparedDevice,
  ) {
    this.#program = compileExpression(expression);
    this.root = this.#program.root;
  }

  /** Returns the span of a node in the expression. */
  span(node: AstNode): SourceSpan {
    return spanOf(node, this.#program.tokens);
  }

  /** Returns the text of a node on one line. */
  text(node: AstNode): string {
    const { start, end } = this.span(node);
    return this.expression.slice(start, end).replace(/(?<![^\S\n])[^\S\n]*\n\s*/g, ' ');
  }

  /** Evaluates a node. Throws if the evaluation fails, or if the node is inside a macro. */
  value(node: AstNode): unknown {
    const { start, end } = this.span(node);
    return compileExpression(this.expression.slice(start, end)).run(this.device);
  }

  /** Returns the name of an attribute or capacity, with its domain unless it is the domain of the driver. */
  key({ domain, name }: AttributeAccess): string {
    const domainName = this.value(domain);
    return domainName === this.device.device.driver ? name : `${String(domainName)}/${name}`;
  }

  /** Returns the value of an attribute or capacity, or `undefined` if the device does not publish it. */
  published({ from, domain, name }: AttributeAccess): unknown {
    return lookUp(lookUp(this.device.device[from], String(this.value(domain))), name);
  }

  /** Returns the label of a node in a sentence: `memory`, `cudaComputeCapability.major()`, or its text. */
  label(node: AstNode): string {
    const access = attributeAccessOf(node);
    if (access) return this.key(access);
    if (node.op === '.' && isIdentifier(node.args[0], 'device')) return node.args[1];
    const call = callOf(node);
    if (call && !call.receiver) return this.#callLabel(node, call);
    const receiver = call?.receiver;
    const suffix = receiver && this.expression.slice(this.span(receiver).end, this.span(node).end);
    return receiver && suffix?.startsWith('.') ? `${this.label(receiver)}${suffix}` : this.text(node);
  }

  /** `ip(address)` */
  #callLabel(node: AstNode, { name, args }: CallNode): string {
    const [only, ...others] = args;
    return only && others.length === 0 ? `${name}(${this.label(only)})` : this.text(node);
  }
}

/** Classes whose values are formatted without quotes. */
const UNQUOTED_CLASSES = [Quantity, Semver, CelIpAddress, IpPrefix, Url, NamedFormat];

const MAX_VALUES = 5;

/** Formats a value as in a selector. Returns `undefined` if there is no short form. */
export function formatCelValue(value: unknown): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (UNQUOTED_CLASSES.some((type) => value instanceof type)) return String(value);
  if (!Array.isArray(value)) return undefined;
  const listed = formatCelValueList(value);
  return listed === undefined ? undefined : `[${listed}]`;
}

/** Formats a list of values, shortened to the first few: `"a", "b"`. */
export function formatCelValueList(values: readonly unknown[]): string | undefined {
  const texts = values.slice(0, MAX_VALUES).map(formatCelValue);
  if (texts.includes(undefined)) return undefined;
  const more = values.length - texts.length;
  return texts.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
