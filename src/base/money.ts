/** An amount of money. */
export function formatMoney(amount: number): string {
  return amount.toFixed(2);
}

/** `+12.50`, `-3.00`. */
export function formatSignedMoney(amount: number): string {
  return amount < 0 ? formatMoney(amount) : `+${formatMoney(amount)}`;
}
