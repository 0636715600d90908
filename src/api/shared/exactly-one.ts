import type { Rule } from '../reading/rule';

/**
 * A rule that exactly one of some fields is set.
 *
 * @param noun what the object is called in messages: `the attribute`
 */
export function exactlyOne(noun: string, forms: readonly string[]): Rule<Readonly<Record<string, unknown>>> {
  return function* (value) {
    const given = forms.filter((form) => value[form] !== undefined);
    if (given.length === 1) return;
    yield {
      code: 'not-exactly-one',
      path: [],
      what: given.length === 0 ? `${noun} has no value` : `${noun} has both ${given.join(' and ')}`,
      hint: `Set exactly one of ${forms.join(', ')}`,
    };
  };
}
