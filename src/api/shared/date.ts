import type { z } from 'zod';
import { formed } from './names';

/** A day: `2026-07-20`. */
export const date: z.ZodString = formed({
  noun: 'a day',
  code: 'bad-date',
  pattern: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  max: 10,
  hint: "Write year, month and day, as in '2026-07-20'",
});
