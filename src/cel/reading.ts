import type { PreparedDevice } from './device';
import { compileProgram, type Program } from './program';
import { type Span, spanOf } from './spans';
import { type Access, accessOf, type Call, callOf, isNamed, type Node } from './syntax';
import { lookUp } from './values';

/** An expression, read part by part against one device. */
export class Reading {
  readonly root: Node;
  readonly #program: Program;

  constructor(
    readonly expression: string,
    readonly device: PreparedDevice,
  ) {
    this.#program = compileProgram(expression);
    this.root = this.#program.root;
  }

  /** Where a part stands in the expression. */
  span(node: Node): Span {
    return spanOf(node, this.#program.tokens);
  }

  /** The text of a part, on one line. */
  text(node: Node): string {
    const { start, end } = this.span(node);
    return this.expression.slice(start, end).replace(/\s*\n\s*/g, ' ');
  }

  /** The value of a part. Throws where its evaluation does, and for parts inside a macro. */
  value(node: Node): unknown {
    const { start, end } = this.span(node);
    return compileProgram(this.expression.slice(start, end)).run(this.device);
  }

  /** The name of an attribute or capacity, with its domain unless that is the driver's. */
  key({ domain, name }: Access): string {
    const own = this.value(domain);
    return own === this.device.device.driver ? name : `${String(own)}/${name}`;
  }

  /** The value of an attribute or capacity, if the device publishes it. */
  published({ from, domain, name }: Access): unknown {
    return lookUp(lookUp(this.device.device[from], String(this.value(domain))), name);
  }

  /** What a part is called in a sentence: `memory`, `cudaComputeCapability.major()`, or its text. */
  label(node: Node): string {
    const access = accessOf(node);
    if (access) return this.key(access);
    if (node.op === '.' && isNamed(node.args[0], 'device')) return node.args[1];
    const call = callOf(node);
    if (call && !call.receiver) return this.#callLabel(node, call);
    const receiver = call?.receiver;
    const suffix = receiver && this.expression.slice(this.span(receiver).end, this.span(node).end);
    return receiver && suffix?.startsWith('.') ? `${this.label(receiver)}${suffix}` : this.text(node);
  }

  /** `ip(address)` */
  #callLabel(node: Node, { name, args }: Call): string {
    const [only, ...others] = args;
    return only && others.length === 0 ? `${name}(${this.label(only)})` : this.text(node);
  }
}
