import { type DeviceRow, type Ending, endingIn, endingOf, type Expected, truthTable } from './truth';

interface Row extends DeviceRow {
  readonly name: string;
  readonly expression: string;
  readonly expected: Expected;
  readonly envType?: string;
  readonly features?: Readonly<Record<string, boolean>>;
}

interface Table {
  readonly cases: readonly Row[];
  readonly 'v0.36.2OnlyCases': readonly Row[];
  readonly featureCombinations: readonly Row[];
}

/** Rows that end in another way here. A row that no longer does has to leave this list. */
const EXCEPTIONS: Readonly<Record<string, { readonly ours: Ending; readonly because: string }>> = {
  expensive: {
    ours: 'compile-error',
    because: 'a bound of its cost rejects it at once, as the API server does; the table only evaluates it',
  },
};

/** A stored expression may use everything, a new one only what the feature gates allow. */
function featuresOf({ envType, features }: Row) {
  if (envType !== 'NewExpressions') return undefined;
  return {
    listAttributes: features?.['enableListTypeAttributes'] ?? false,
    consumableCapacity: features?.['enableConsumableCapacity'] ?? false,
  };
}

describe('the table of the DRA compiler', () => {
  const table = truthTable<Table>('dra-cel-cases.json');
  const rows = [...table.cases, ...table['v0.36.2OnlyCases'], ...table.featureCombinations];

  test.each(rows.map((row) => [row.name, row] as const))('%s', (name, row) => {
    const exception = EXCEPTIONS[name];
    const got = endingOf(row.expression, row, featuresOf(row));
    expect(got).toBe(exception?.ours ?? endingIn(row.expected));
    if (exception) expect(got).not.toBe(endingIn(row.expected));
  });

  test('every exception is a row', () => {
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(EXCEPTIONS)));
  });
});
