import * as fc from 'fast-check';
import { errorAt } from '../../src/base/diagnostic';
import type { DiagnosticCode } from '../../src/base/diagnostic-codes';
import { FleetwrightError } from '../../src/base/errors';
import { FEW_UNLUCKY, unlessUnlucky } from './unlucky';

/** What the making of every fleet throws, and what the property then says. */
const cases: Record<string, { thrown: Error; more?: string[]; reported: RegExp }> = {
  'a bug fails the first time': { thrown: new TypeError('bug'), reported: /failed after 1 tests/ },
  'a refusal of another kind fails the first time': {
    thrown: refused('selects-nothing', 'no-devices'),
    reported: /failed after 1 tests/,
  },
  'when all fleets are unlucky it gives up after few': {
    thrown: refused('selects-nothing'),
    reported: /too many pre-condition failures[^]*Skipped 51 time/,
  },
  'so it does where they are refused for what the property itself brought about': {
    thrown: refused('selects-nothing', 'no-devices'),
    more: ['no-devices'],
    reported: /too many pre-condition failures/,
  },
};

function refused(...codes: DiagnosticCode[]): FleetwrightError {
  return new FleetwrightError(codes.map((code) => errorAt(code, code, 'it is refused', 'Correct it')));
}

test.each(Object.entries(cases))('%s', (_, { thrown, more, reported }) => {
  const property = fc.property(fc.nat(), () => {
    unlessUnlucky(() => {
      throw thrown;
    }, more);
  });
  expect(() => fc.assert(property, { numRuns: 10, ...FEW_UNLUCKY })).toThrow(reported);
});

test('what is made of other fleets is given on', () => {
  expect(unlessUnlucky(() => 'made')).toBe('made');
});
