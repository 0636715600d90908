import { type Amount, printAmount, readAmount } from './amount';
import { compareDecimals, isInt64, shift, signOf } from './decimal';

const INT64_DIGITS = 18;
const FLOAT_DIGITS = 400;

/** A number that quantities point to. What changes it changes all of them. */
interface Held {
  amount: Omit<Amount, 'format'>;
}

/**
 * An exact amount of a resource: memory, cores, devices.
 *
 * Follows Kubernetes' `resource.Quantity` in all that a device selector can see: the rounding and the cap of
 * {@link parseQuantity}, which values count as integers, and what arithmetic does to its operands. Kubernetes keeps
 * a wide number, one of arbitrary precision, behind a pointer, and copies only the pointer before it adds (1.36,
 * `quantityAdd` in `pkg/cel/library/quantity.go` of k8s.io/apiserver). So a sum whose left side is wide changes that
 * side, and goes on sharing its number.
 */
export class Quantity {
  // Private to the language as well: CEL macros go over the keys of an object.
  readonly #declared: Amount;
  readonly #computed: boolean;
  #held: Held;

  constructor(declared: Amount, held: Held = { amount: declared }, computed = false) {
    this.#declared = declared;
    this.#held = held;
    this.#computed = computed;
  }

  /** A whole number of units. */
  static of(value: bigint): Quantity {
    return new Quantity({ mantissa: value, exponent: 0, scale: 0, format: 'DecimalExponent', wide: false });
  }

  /** Whether it is a sum or a difference: Kubernetes' equality takes none for a quantity on its right. */
  get computed(): boolean {
    return this.#computed;
  }

  /** -1, 0 or 1: this amount is less than, equal to or greater than `other`. */
  compare(other: Quantity): -1 | 0 | 1 {
    return compareDecimals(this.#held.amount, other.#held.amount);
  }

  /** {@link Quantity.compare} as selectors do it, which makes this number wide if the other one is. */
  order(other: Quantity): -1 | 0 | 1 {
    const { amount } = this.#held;
    if (other.#held.amount.wide && !amount.wide) this.#held = { amount: { ...amount, wide: true } };
    return this.compare(other);
  }

  /** The sum. Printed as this quantity was written, or as `other` was where this one is zero. */
  add(other: Quantity): Quantity {
    const { amount } = other.#held;
    return this.#plus(other, narrowSum(this.#held.amount, amount) ?? wideSum(this.#held.amount, amount));
  }

  /** The difference, printed as the sum would be. */
  sub(other: Quantity): Quantity {
    const { amount } = other.#held;
    const exact = { ...amount, mantissa: -amount.mantissa };
    // Among numbers of 64 bits the negation of the least is itself.
    const wrapped = { ...amount, mantissa: BigInt.asIntN(64, exact.mantissa) };
    return this.#plus(other, narrowSum(this.#held.amount, wrapped) ?? wideSum(this.#held.amount, exact));
  }

  /** -1, 0 or 1. */
  sign(): -1 | 0 | 1 {
    return signOf(this.#held.amount.mantissa);
  }

  /** Whether Kubernetes reads it as an int64: `1.0`, `1Pi` and `10E` are no integers for it. */
  isInteger(): boolean {
    return this.#integer() !== undefined;
  }

  /** The value as an int64. Throws where {@link Quantity.isInteger} is false. */
  asInteger(): bigint {
    const integer = this.#integer();
    if (integer === undefined) throw new Error(`cannot convert value to integer: ${this}`);
    return integer;
  }

  /** A floating point number next to the value, the one that Kubernetes computes. */
  asApproximateFloat(): number {
    const { mantissa, exponent, scale } = this.#held.amount;
    const exact = exponent + scale > 0 && exponent < FLOAT_DIGITS;
    const power = exact ? -scale : exponent;
    const base = Number(exact ? shift(mantissa, exponent + scale) : mantissa);
    return power === 0 || base === 0 ? base : base * Number(`1e${power}`);
  }

  /** The quantity as it was before anything changed it. */
  fresh(): Quantity {
    return new Quantity(this.#declared);
  }

  /**
   * The canonical text.
   *
   * @example
   * String(parseQuantity('1.5Gi')); // '1536Mi'
   */
  toString(): string {
    return printAmount({ ...this.#held.amount, format: this.#declared.format });
  }

  #plus(other: Quantity, total: Held['amount']): Quantity {
    const { amount } = this.#held;
    const { format } = amount.mantissa === 0n ? other.#declared : this.#declared;
    const held = amount.wide ? this.#held : { amount: total };
    held.amount = total;
    return new Quantity({ ...total, format }, held, true);
  }

  #integer(): bigint | undefined {
    const { mantissa, exponent, wide } = this.#held.amount;
    if (wide || exponent < 0) return undefined;
    if (mantissa === 0n) return 0n;
    const value = exponent > INT64_DIGITS ? undefined : shift(mantissa, exponent);
    return value !== undefined && isInt64(value) ? value : undefined;
  }
}

/** The sum of two numbers of 64 bits at the scale of both; nothing where it, or one of them there, does not fit. */
function narrowSum(a: Held['amount'], b: Held['amount']): Held['amount'] | undefined {
  if (a.wide || b.wide) return undefined;
  if (b.mantissa === 0n) return a;
  if (a.mantissa === 0n) return b;
  const total = wideSum(a, b);
  const parts = [a, b].map(({ mantissa, exponent }) => shift(mantissa, exponent - total.exponent));
  return [...parts, total.mantissa].every(isInt64) ? { ...total, wide: false } : undefined;
}

function wideSum(a: Held['amount'], b: Held['amount']): Held['amount'] {
  const exponent = Math.min(a.exponent, b.exponent);
  const mantissa = shift(a.mantissa, a.exponent - exponent) + shift(b.mantissa, b.exponent - exponent);
  return { mantissa, exponent, scale: Math.max(a.scale, b.scale), wide: true };
}

/**
 * Reads a quantity as Kubernetes does: amounts below one nano are rounded away from zero, binary ones are capped
 * at 2^63-1 (so `8Ei` equals `10Ei`), and `5.` or a bare `Mi`, which is zero, are valid.
 *
 * Throws an `Error` whose message is a clause that names the text.
 *
 * @example
 * parseQuantity('80Gi').compare(parseQuantity('81559Mi')); // 1
 */
export function parseQuantity(text: string): Quantity {
  return new Quantity(readAmount(text));
}

/** Whether {@link parseQuantity} accepts a text. */
export function isQuantity(text: string): boolean {
  try {
    readAmount(text);
    return true;
  } catch {
    return false;
  }
}
