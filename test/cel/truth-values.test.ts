import { compileExpression } from '../../src/cel/compile-expression';
import { prepareDevice } from '../../src/cel/device';
import { SelectorError } from '../../src/cel/selector';
import { parseQuantity } from '../../src/cel/values/quantity';
import parsed from '../truth/oracle-quantity-parse.json';
import { truthTable } from './truth';

interface Table {
  readonly cases: readonly {
    readonly name: string;
    readonly expression: string;
    readonly expected: { readonly kind: string; readonly type?: string; readonly value?: unknown };
  }[];
}

const anyDevice = prepareDevice({ driver: '', attributes: {}, capacity: {} });

/** The value of an expression of any type, as the tables write values. */
function valueOf(expression: string): unknown {
  const value = compileExpression(expression).run(anyDevice);
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'object' ? String(value) : value;
}

/** What came after the version of Kubernetes that is followed: 1.36 changes the left side of a sum of wide amounts. */
const LATER = new Set(['add_does_not_mutate_receiver']);

describe.each(['quantity-cases.json', 'semver-cases.json'])('%s', (file) => {
  const table = truthTable<Table>(file);

  test.each(table.cases.map((row) => [row.name, row] as const))('%s', (name, { expression, expected }) => {
    if (LATER.has(name)) expect(valueOf(expression)).not.toBe(expected.value);
    else if (expected.kind === 'value') expect(valueOf(expression)).toBe(expected.value);
    else if (expected.kind === 'compile-error') expect(() => valueOf(expression)).toThrow(SelectorError);
    else {
      expect(() => compileExpression(expression)).not.toThrow();
      expect(() => valueOf(expression)).toThrow();
    }
  });
});

/** Texts whose print differs. Kubernetes printed this one wrongly, and prints it as we do since. */
const PRINTED: Readonly<Record<string, string>> = { '1000E': '1e21' };

describe('the parser of quantities agrees with that of Kubernetes', () => {
  const rows = parsed.cases.map(([input = '', print, exact]) => ({ input: input ?? '', print, exact }));

  test('on what is a quantity', () => {
    const accepted = rows.filter(({ input }) => quantity(input) !== undefined).map(({ input }) => input);
    expect(accepted).toEqual(rows.filter(({ print }) => print !== null).map(({ input }) => input));
    expect([rows.length, accepted.length]).toEqual([1326, 827]);
  });

  test('on the value', () => {
    const wrong = rows.filter(({ input, exact }) => exact && quantity(input)?.compare(parseQuantity(exact)) !== 0);
    expect(wrong).toEqual([]);
  });

  test('on the print, where Kubernetes does not just repeat the text', () => {
    const wrong = rows.filter(({ input, print }) => {
      if (!print || print === input) return false;
      return String(quantity(input)) !== (PRINTED[input] ?? print);
    });
    expect(wrong).toEqual([]);
    const printed = rows.filter(({ input }) => input in PRINTED).map(({ input, print }) => [input, print]);
    expect(printed).toEqual([['1000E', '1']]);
  });
});

function quantity(text: string) {
  try {
    return parseQuantity(text);
  } catch {
    return undefined;
  }
}
