import { z } from 'zod';
import { rules } from '../reading/rule';
import { shortened } from '../wording';

const FORM = /^(?=.)(?:\d{1,6}h)?(?:\d{1,6}m)?(?:\d{1,6}s)?$/;

/** A duration as Go writes it, in whole seconds: `90s`, `30m`, `1h30m`. */
export const duration = z
  .string()
  .max(32)
  .check(
    rules(function* good(value: string) {
      if (FORM.test(value)) return;
      yield {
        code: 'bad-duration',
        path: [],
        what: `'${shortened(value)}' is not a duration`,
        hint: "Write hours, minutes and seconds, as in '90s', '30m' or '1h30m'",
      };
    }),
  );
