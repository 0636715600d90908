import type { PriceSource } from '../../src/cost/cost';

/** Figures that name sources themselves, whatever their places in a list, and without that list. */
export function withNamedSources<T extends { readonly sources: readonly PriceSource[] }>({
  sources,
  ...figures
}: T): Omit<T, 'sources'> {
  const nameOf = (place: number): string => {
    const { source, asOf, discounts } = sources[place] ?? { source: 'nobody', discounts: [] };
    return [source, asOf ?? 'undated', ...discounts].join(', ');
  };
  const text = JSON.stringify(figures, (key, value: unknown) =>
    key === 'sources' ? (value as number[]).map(nameOf).sort() : value,
  );
  return JSON.parse(text) as Omit<T, 'sources'>;
}
