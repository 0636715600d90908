import { formatCount } from './figures';

/** An amount of money. */
export function formatMoney(amount: number): string {
  return amount.toFixed(2);
}

/** `+12.50`, `-3.00`. */
export function formatSignedMoney(amount: number): string {
  return amount < 0 ? formatMoney(amount) : `+${formatMoney(amount)}`;
}

/** The signs of currencies that are written before an amount. */
const CURRENCY_SIGNS: Readonly<Record<string, string>> = { USD: '$' };

/** An amount for people, with separators of thousands, and cents only below 100: `$40,179`, `$0.98`, `40,179 EUR`. */
export function formatAmount(amount: number, currency: string): string {
  const sign = CURRENCY_SIGNS[currency];
  const size = Math.abs(amount);
  const figure = size < 100 && !Number.isInteger(size) ? size.toFixed(2) : formatCount(size);
  const minus = amount < 0 ? '-' : '';
  return sign === undefined ? `${minus}${figure} ${currency}` : `${minus}${sign}${figure}`;
}

/** An amount with its sign: `+$40,179`, `-$3`, `$0`. */
export function formatSignedAmount(amount: number, currency: string): string {
  return `${amount > 0 ? '+' : ''}${formatAmount(amount, currency)}`;
}
