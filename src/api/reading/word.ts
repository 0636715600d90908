import { z } from 'zod';

const WORDS = z.registry<{ readonly word: string }>();

/**
 * An object that may be written as one word instead.
 *
 * @param meaning the fields that the word stands for
 */
export function orWord<const W extends string, S extends z.ZodType>(
  word: W,
  meaning: z.input<S>,
  schema: S,
): z.ZodType<z.output<S>, z.input<S> | W> {
  const either = z.preprocess((value) => (value === word ? meaning : value), schema);
  WORDS.add(either, { word });
  // The type of what goes in is lost on the way: it is the word, or what the schema takes.
  return either as unknown as z.ZodType<z.output<S>, z.input<S> | W>;
}

/** The word by which an object may be written. */
export function wordOf(schema: z.core.$ZodType): string | undefined {
  return WORDS.get(schema)?.word;
}
