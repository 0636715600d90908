/** Does something with each item, at most `width` at a time; results in the order of the items. */
export async function concurrently<T, R>(
  width: number,
  items: readonly T[],
  act: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) results[i] = await act(items[i]!, i);
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}

/** Waits. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
