import { type Amount, printAmount, readAmount } from './amount';
import { compareDecimals, isInt64, shift, signOf } from './decimal';

const NANO = -9;
const INT64_DIGITS = 18;
const FLOAT_DIGITS = 400;

/**
 * An exact, immutable amount of a resource: memory, cores, devices.
 *
 * Follows Kubernetes' `resource.Quantity` in all that a device selector can see: the rounding and the cap of
 * {@link parseQuantity}, and which values count as integers.
 */
export class Quantity {
  // Private to the language as well: CEL macros go over the keys of an object.
  readonly #amount: Amount;

  constructor(amount: Amount) {
    this.#amount = amount;
  }

  /** A whole number of units. */
  static of(value: bigint): Quantity {
    return new Quantity({ mantissa: value, exponent: 0, format: 'DecimalExponent', wide: false });
  }

  /** -1, 0 or 1: this amount is less than, equal to or greater than `other`. */
  compare(other: Quantity): -1 | 0 | 1 {
    return compareDecimals(this.#amount, other.#amount);
  }

  /** The sum. Printed as this quantity was written, or as `other` was where this one is zero. */
  add(other: Quantity): Quantity {
    const [a, b] = [this.#amount, other.#amount];
    const format = a.mantissa === 0n ? b.format : a.format;
    const narrow = !a.wide && !b.wide;
    if (narrow && b.mantissa === 0n) return new Quantity({ ...a, format });
    if (narrow && a.mantissa === 0n) return new Quantity({ ...b, format });

    const exponent = Math.min(a.exponent, b.exponent);
    const left = shift(a.mantissa, a.exponent - exponent);
    const right = shift(b.mantissa, b.exponent - exponent);
    const fits = narrow && [left, right, left + right].every(isInt64);
    return new Quantity({ mantissa: left + right, exponent, format, wide: !fits });
  }

  /** The difference, printed as the sum would be. */
  sub(other: Quantity): Quantity {
    return this.add(new Quantity({ ...other.#amount, mantissa: -other.#amount.mantissa }));
  }

  /** -1, 0 or 1. */
  sign(): -1 | 0 | 1 {
    return signOf(this.#amount.mantissa);
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
    const { mantissa, exponent, wide } = this.#amount;
    // A wide amount is a number of nanos there, which shows in the last digit.
    const inNanos = wide && exponent > NANO && exponent < FLOAT_DIGITS;
    const power = inNanos ? NANO : exponent;
    const base = Number(inNanos ? shift(mantissa, exponent - NANO) : mantissa);
    return power === 0 || base === 0 ? base : base * Number(`1e${power}`);
  }

  /**
   * The canonical text.
   *
   * @example
   * String(parseQuantity('1.5Gi')); // '1536Mi'
   */
  toString(): string {
    return printAmount(this.#amount);
  }

  #integer(): bigint | undefined {
    const { mantissa, exponent, wide } = this.#amount;
    if (wide || exponent < 0) return undefined;
    if (mantissa === 0n) return 0n;
    const value = exponent > INT64_DIGITS ? undefined : shift(mantissa, exponent);
    return value !== undefined && isInt64(value) ? value : undefined;
  }
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
