import { succeeds } from '../../base/errors';
import {
  compareDecimals,
  type Decimal,
  INT64_MAX,
  isInt64,
  multiplyByPowerOfTen,
  roundAwayFromZero,
  signOf,
} from './decimal';

const INT64_DIGITS = 18;
const FLOAT_DIGITS = 400;

/** A number that several quantities share. A change affects all of them. */
interface SharedAmount {
  amount: StoredNumber;
}

/**
 * An exact amount of a resource: memory, cores, devices.
 *
 * It follows `resource.Quantity` of Kubernetes in all behavior that a device selector can observe: the rounding and the
 * limit of {@link parseQuantity}, the values that count as integers, and the side effects of arithmetic. Kubernetes
 * stores a wide number, which has arbitrary precision, behind a pointer, and copies only the pointer before an addition
 * (1.36, `quantityAdd` in `pkg/cel/library/quantity.go` of k8s.io/apiserver). A sum with a wide left operand therefore
 * changes this operand, and continues to share its number.
 */
export class Quantity {
  // Private at run time too: CEL macros iterate over the keys of an object.
  readonly #declared: Amount;
  readonly #computed: boolean;
  #held: SharedAmount;

  constructor(declared: Amount, held: SharedAmount = { amount: declared }, computed = false) {
    this.#declared = declared;
    this.#held = held;
    this.#computed = computed;
  }

  /** Creates a whole number of units. */
  static of(value: bigint): Quantity {
    return new Quantity({ mantissa: value, exponent: 0, scale: 0, format: 'DecimalExponent', wide: false });
  }

  /** Whether it is a sum or a difference. Equality in Kubernetes does not accept such a quantity on its right side. */
  get computed(): boolean {
    return this.#computed;
  }

  /** Compares two amounts: -1, 0 or 1 if this amount is less than, equal to or greater than `other`. */
  compare(other: Quantity): -1 | 0 | 1 {
    return compareDecimals(this.#held.amount, other.#held.amount);
  }

  /** Compares as selectors do: like {@link Quantity.compare}, but makes this number wide if the other is. */
  order(other: Quantity): -1 | 0 | 1 {
    const { amount } = this.#held;
    if (other.#held.amount.wide && !amount.wide) this.#held = { amount: { ...amount, wide: true } };
    return this.compare(other);
  }

  /** Returns the sum, in the format of this quantity, or of `other` if this quantity is zero. */
  add(other: Quantity): Quantity {
    const { amount } = other.#held;
    return this.#plus(other, addNarrow(this.#held.amount, amount) ?? addWide(this.#held.amount, amount));
  }

  /** Returns the difference, in the format that the sum would have. */
  sub(other: Quantity): Quantity {
    const { amount } = other.#held;
    const exact = { ...amount, mantissa: -amount.mantissa };
    // The negation of the smallest 64-bit number is the number itself.
    const wrapped = { ...amount, mantissa: BigInt.asIntN(64, exact.mantissa) };
    return this.#plus(other, addNarrow(this.#held.amount, wrapped) ?? addWide(this.#held.amount, exact));
  }

  /** Returns -1, 0 or 1. */
  sign(): -1 | 0 | 1 {
    return signOf(this.#held.amount.mantissa);
  }

  /** Reports whether Kubernetes reads it as an int64. `1.0`, `1Pi` and `10E` are not integers in Kubernetes. */
  isInteger(): boolean {
    return this.#integer() !== undefined;
  }

  /** Returns the value as an int64. Throws if {@link Quantity.isInteger} is false. */
  asInteger(): bigint {
    const integer = this.#integer();
    if (integer === undefined) throw new Error(`cannot convert value to integer: ${this}`);
    return integer;
  }

  /** Returns the approximate double that Kubernetes computes. */
  asApproximateFloat(): number {
    const { mantissa, exponent, scale } = this.#held.amount;
    const exact = exponent + scale > 0 && exponent < FLOAT_DIGITS;
    const power = exact ? -scale : exponent;
    const base = Number(exact ? multiplyByPowerOfTen(mantissa, exponent + scale) : mantissa);
    return power === 0 || base === 0 ? base : base * Number(`1e${power}`);
  }

  /** Returns the quantity as it was before any change. */
  fresh(): Quantity {
    return new Quantity(this.#declared);
  }

  /**
   * Returns the canonical text.
   *
   * @example
   * String(parseQuantity('1.5Gi')); // '1536Mi'
   */
  toString(): string {
    return formatAmount({ ...this.#held.amount, format: this.#declared.format });
  }

  #plus(other: Quantity, total: StoredNumber): Quantity {
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
    const value = exponent > INT64_DIGITS ? undefined : multiplyByPowerOfTen(mantissa, exponent);
    return value !== undefined && isInt64(value) ? value : undefined;
  }
}

/** Adds two 64-bit numbers at their common scale. Returns `undefined` if a scaled operand or the sum does not fit. */
function addNarrow(a: StoredNumber, b: StoredNumber): StoredNumber | undefined {
  if (a.wide || b.wide) return undefined;
  if (b.mantissa === 0n) return a;
  if (a.mantissa === 0n) return b;
  const total = addWide(a, b);
  const parts = [a, b].map(({ mantissa, exponent }) => multiplyByPowerOfTen(mantissa, exponent - total.exponent));
  return [...parts, total.mantissa].every(isInt64) ? { ...total, wide: false } : undefined;
}

function addWide(a: StoredNumber, b: StoredNumber): StoredNumber {
  const exponent = Math.min(a.exponent, b.exponent);
  const mantissa =
    multiplyByPowerOfTen(a.mantissa, a.exponent - exponent) + multiplyByPowerOfTen(b.mantissa, b.exponent - exponent);
  return { mantissa, exponent, scale: Math.max(a.scale, b.scale), wide: true };
}

/**
 * Parses a quantity as Kubernetes does: amounts below one nano are rounded away from zero, binary amounts are limited
 * to 2^63-1 (so `8Ei` equals `10Ei`), and `5.` and a bare `Mi`, which is zero, are valid.
 *
 * @example
 * parseQuantity('80Gi').compare(parseQuantity('81559Mi')); // 1
 */
export function parseQuantity(text: string): Quantity {
  return new Quantity(parseAmount(text));
}

export function isQuantity(text: string): boolean {
  return succeeds(() => parseAmount(text));
}

/** The format of a quantity: `12M`, `12Mi` or `12e6`. It is kept when the quantity is printed. */
type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** The number of a quantity, as Kubernetes stores it. */
interface StoredNumber extends Decimal {
  /**
   * The number of decimals in the storage of Kubernetes, negative for a power of ten. It affects only the last digit of
   * an approximation.
   */
  readonly scale: number;

  /**
   * Whether Kubernetes stores the number with arbitrary precision instead of as an int64 and a power of ten. Such a
   * number is never an integer in CEL, whatever its value.
   */
  readonly wide: boolean;
}

interface Amount extends StoredNumber {
  readonly format: QuantityFormat;
}

interface Suffix {
  readonly format: QuantityFormat;
  readonly exponent: number;
}

/** The digits of a text without its suffix. `whole` has no leading zeros, and is `0` if it is missing. */
interface ParsedDigits {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

const DECIMAL = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const DECIMAL_NAMES: ReadonlyMap<number, string> = new Map(Object.entries(DECIMAL).map(([name, e]) => [e, name]));
const BINARY_NAMES: readonly string[] = ['', ...Object.keys(BINARY)];
const SUFFIXES: ReadonlyMap<string, Suffix> = new Map([
  ...toSuffixes('DecimalSI', DECIMAL),
  ...toSuffixes('BinarySI', BINARY),
]);

const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eEinumkKMGTP]+[-+]?\d*|[-+]\d*)?)$/;
const NANO = -9;
const NARROW_DIGITS = 18;
const INT32_MAX = 2 ** 31 - 1;
const BINARY_MAX: Decimal = { mantissa: INT64_MAX, exponent: 0 };

function parseAmount(text: string): Amount {
  const [, sign, whole, fraction = '', name] = SHAPE.exec(text) ?? [];
  if (text === '' || whole === undefined || name === undefined) {
    throw new Error(`'${text}' is not a quantity, which is a number and a suffix such as 80Gi, 500m or 1e3`);
  }
  const suffix = SUFFIXES.get(name) ?? parseExponent(name);
  if (!suffix) {
    const known = [...SUFFIXES.keys()].filter((one) => one !== '').join(' ');
    throw new Error(`'${text}' is not a quantity: '${name}' is not a suffix, unlike ${known} and e3`);
  }

  const digits = { negative: sign === '-', whole: whole.replace(/^0+/, '') || '0', fraction };
  const amount = toNarrowAmount(digits, suffix);
  if (amount) return amount;
  if (whole + fraction === '') throw new Error(`'${text}' is not a quantity: it has no digits`);
  return toWideAmount(digits, suffix);
}

/** Formats an amount as its canonical text: no fraction, and the largest exact suffix of its format. */
function formatAmount(amount: Amount): string {
  if (amount.mantissa === 0n) return '0';
  return (amount.format === 'BinarySI' && formatBinary(amount)) || formatDecimal(amount);
}

function toSuffixes(format: QuantityFormat, exponents: Record<string, number>): [string, Suffix][] {
  return Object.entries(exponents).map(([name, exponent]) => [name, { format, exponent }]);
}

function parseExponent(name: string): Suffix | undefined {
  if (!/^[eE][-+]?\d+$/.test(name)) return undefined;
  const exponent = Number(name.slice(1));
  return Math.abs(exponent) <= INT32_MAX ? { format: 'DecimalExponent', exponent } : undefined;
}

/** Returns the amount as an int64 and a power of ten, or `undefined` if Kubernetes estimates that it does not fit. */
function toNarrowAmount({ negative, whole, fraction }: ParsedDigits, { format, exponent }: Suffix): Amount | undefined {
  const magnitude = BigInt(whole + fraction);
  const mantissa = negative ? -magnitude : magnitude;
  if (format === 'BinarySI') {
    // The estimate of Kubernetes is coarse: 99Ti is the last narrow number of Ti, and 1Pi is wide.
    const fits = fraction === '' && whole.length <= 14 - (exponent * 3) / 10;
    return fits ? { mantissa: mantissa << BigInt(exponent), exponent: 0, scale: 0, format, wide: false } : undefined;
  }
  const power = exponent - fraction.length;
  const fits = whole.length + fraction.length <= NARROW_DIGITS && power >= NANO;
  return fits ? { mantissa, exponent: power, scale: -power, format, wide: false } : undefined;
}

/** Returns the amount with arbitrary precision, rounded away from zero to a nano. Limits binary amounts to 2^63-1. */
function toWideAmount({ negative, whole, fraction }: ParsedDigits, { format, exponent }: Suffix): Amount {
  const binary = format === 'BinarySI';
  const magnitude = BigInt(whole + fraction);
  const exact = binary
    ? { mantissa: magnitude << BigInt(exponent), exponent: -fraction.length }
    : { mantissa: magnitude, exponent: exponent - fraction.length };
  const rounded = roundAwayFromZero(exact, NANO);
  const capped = binary && compareDecimals(rounded, BINARY_MAX) > 0;
  const value = capped ? BINARY_MAX : rounded;
  return {
    mantissa: negative ? -value.mantissa : value.mantissa,
    exponent: value.exponent,
    scale: capped || magnitude === 0n ? -Math.min(0, value.exponent) : -NANO,
    format,
    wide: true,
  };
}

/** Returns `undefined` if the amount is not a whole number, or is below 1Ki. */
function formatBinary({ mantissa, exponent }: Amount): string | undefined {
  const unit = 10n ** BigInt(Math.max(0, -exponent));
  if (mantissa % unit !== 0n) return undefined;
  let value = multiplyByPowerOfTen(mantissa / unit, Math.max(0, exponent));
  if (value * BigInt(signOf(value)) < 1024n) return undefined;
  let power = 0;
  while (value % 1024n === 0n) {
    value /= 1024n;
    power++;
  }
  return `${value}${BINARY_NAMES[power]}`;
}

function formatDecimal({ mantissa, exponent, format }: Amount): string {
  let value = mantissa;
  let power = exponent;
  while (value % 10n === 0n) {
    value /= 10n;
    power++;
  }
  while (power % 3 !== 0) {
    value *= 10n;
    power--;
  }
  const name = format === 'DecimalExponent' ? undefined : DECIMAL_NAMES.get(power);
  return `${value}${name ?? (power === 0 ? '' : `e${power}`)}`;
}
