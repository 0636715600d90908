/** A request for devices, as far as numbers go. */
interface Counted {
  readonly count: number;
  readonly firstAvailable: readonly { readonly count: number }[];
}

/** The fewest devices with which a request is met: those of its smallest alternative. */
export function leastOf({ count, firstAvailable }: Counted): number {
  return firstAvailable.length > 0 ? Math.min(...firstAvailable.map((one) => one.count)) : count;
}
