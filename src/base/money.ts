import { formatCount } from './figures';

/** The signs of currencies that are written before an amount. */
const CURRENCY_SIGNS: Readonly<Record<string, string>> = { USD: '$' };

/** Amounts that are rounded to 100 or more are whole. */
const LEAST_WITHOUT_CENTS = 99.995;

/** An amount for people, with separators of thousands, and cents only below 100: `$40,179`, `$0.98`, `40,179 EUR`. */
export function formatAmount(amount: number, currency: string): string {
  const size = Math.abs(amount);
  if (size > 0 && size < 0.005) return `${amount < 0 ? '-' : ''}< ${withCurrency('0.01', currency)}`;
  const figure = size < LEAST_WITHOUT_CENTS && !Number.isInteger(size) ? size.toFixed(2) : formatCount(size);
  return `${amount < 0 ? '-' : ''}${withCurrency(figure, currency)}`;
}

/** The price of one unit, such as a node for an hour, always with cents: `$98.32`, `$1,113.00`. */
export function formatUnitPrice(price: number, currency: string, decimals = 2): string {
  return withCurrency(formatCents(price, decimals), currency);
}

/** A figure with separators of thousands and cents, for a column whose title names the currency: `1,113.07`. */
export function formatCents(amount: number, decimals = 2): string {
  const [whole = '', cents = ''] = amount.toFixed(decimals).split('.');
  return `${formatCount(Number(whole))}.${cents}`;
}

/** Rounds a sum of amounts to cents. */
export function roundCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** An estimate, rounded to three digits: `66607` is `66600`. */
export function roundEstimate(amount: number): number {
  return Number(amount.toPrecision(3));
}

function withCurrency(figure: string, currency: string): string {
  const sign = CURRENCY_SIGNS[currency];
  return sign === undefined ? `${figure} ${currency}` : `${sign}${figure}`;
}

/** An amount with its sign: `+$40,179`, `-$3`, `$0`. */
export function formatSignedAmount(amount: number, currency: string): string {
  return `${amount > 0 ? '+' : ''}${formatAmount(amount, currency)}`;
}

/**
 * The bounds of a difference, the one nearer to 0 first: `-$3 to +$12`, `$0 to +$12`, `-$3`. Both have cents, or neither:
 * `$0 to +$5,843` where the first is 7 cents.
 */
export function formatSignedBounds(bounds: readonly number[], currency: string): string {
  const [low = 0, high = 0] = [Math.min(...bounds), Math.max(...bounds)];
  const ordered = low < 0 && high <= 0 ? [high, low] : [low, high];
  const hasCents = Math.max(-low, high) < LEAST_WITHOUT_CENTS;
  const rounded = ordered.map((amount) => (hasCents ? amount : Math.round(amount)));
  return [...new Set(rounded.map((amount) => formatSignedAmount(amount, currency)))].join(' to ');
}
