import * as fc from 'fast-check';
import { gpu } from '../../src/api/select/devices';
import { readWhere } from '../../src/api/select/where';
import { prepareDevice } from '../../src/cel/device';
import { toNormalForm } from '../../src/cel/normal-form';
import { compileSelector } from '../../src/cel/selector';
import edge from '../truth/oracle-edge-cases.json';
import { long } from './build';
import { type DeviceRow, endingOf } from './truth';

/** Selectors that say the same, written with `A` and `C` for the attributes and capacities of a GPU. */
const same: Record<string, readonly string[]> = {
  'white space, quotes and parentheses': [
    'A.architecture == "Hopper"',
    "A.architecture=='Hopper'",
    '((A.architecture) == ("Hopper")) // of ours',
    'A["architecture"] == "Hopper"',
    '"Hopper" == A.architecture',
    '!(A.architecture != "Hopper")',
    '!!(A.architecture == "Hopper")',
  ],
  'the order and number of what is joined': [
    'A.a == 1 && A.b == 2 && A.c == 3',
    '(A.c == 3 && A.a == 1) && A.b == 2',
    'A.b == 2 && (A.c == 3 && (A.a == 1 && A.b == 2))',
  ],
  'the order of alternatives': ['A.a == 1 || A.b == 2 && A.c == 3', '(A.c == 3 && A.b == 2) || A.a == 1'],
  'a bound on either side, in any words': [
    'C.memory.compareTo(quantity("80Gi")) >= 0',
    'C.memory.compareTo(quantity("81920Mi")) > -1',
    '0 <= C.memory.compareTo(quantity("80Gi"))',
    'quantity("80Gi").compareTo(C.memory) <= 0',
    '!C.memory.isLessThan(quantity("80Gi"))',
    '!(quantity("80Gi").isGreaterThan(C.memory))',
    '!(C.memory.compareTo(quantity("80Gi")) < 0)',
  ],
  'the order of numbers': ['A.numa < 2', '2 > A.numa', '!(A.numa >= 2)'],
  presence: ['"x" in A', 'has(A.x)', "'x' in device.attributes['gpu.nvidia.com']", '!!has(A.x)'],
  'the order and number of values': [
    'A.architecture in ["Hopper", "Ampere"]',
    "A.architecture in ['Ampere', 'Hopper', 'Ampere']",
  ],
  'the contrary of what is said twice': ['!(A.a < 2 || A.a < 2)', 'A.a >= 2', '!(A.a < 2 && (A.a < 2 || A.a < 2))'],
  'a denial that is denied twice': [
    'A.c == 3 && (A.a == 1 || A.b == 2)',
    'A.c == 3 && !(!(A.a == 1 || A.b == 2) || !(A.b == 2 || A.a == 1))',
  ],
  'the contrary of a choice': ['!(A.a == 1 && A.b == 2)', '!(A.b == 2 && A.a == 1)'],
};

/** Selectors that are alike and do not say the same. */
const different: Record<string, readonly string[]> = {
  'another bound': ['C.memory.compareTo(quantity("80Gi")) >= 0', 'C.memory.compareTo(quantity("80G")) >= 0'],
  'strict or not': ['A.numa < 2', 'A.numa <= 2'],
  'another domain': ['A.x == 1', 'device.attributes["dra.net"].x == 1'],
  'an attribute and a capacity': ['"x" in A', '"x" in C'],
  'and, or': ['A.a == 1 && A.b == 2', 'A.a == 1 || A.b == 2'],
  'what parentheses join': ['(A.a == 1 || A.b == 2) && A.c == 3', 'A.a == 1 || A.b == 2 && A.c == 3'],
  'white space in a text': ['A.x == "a b"', 'A.x == "ab"'],
  'a text and a number': ['A.x == "1"', 'A.x == 1'],
  'one of one, which differs for versions': ['A.x in ["1.0.0"]', 'A.x == "1.0.0"'],
  'the contrary of a number that may be none': ['!(A.x < double("NaN"))', 'A.x >= double("NaN")'],
};

describe('the normal form', () => {
  test.each(Object.entries(same))('is one for all that differ in %s', (_, expressions) => {
    const forms = new Set(expressions.map((one) => toNormalForm(long(one))));
    expect([...forms]).toHaveLength(1);
    expect(() => compileSelector([...forms][0]!)).not.toThrow();
  });

  test.each(Object.entries(different))('differs for %s', (_, expressions) => {
    const forms = new Set(expressions.map((one) => toNormalForm(long(one))));
    expect(forms.size).toBe(expressions.length);
  });

  test('is one for both doors and for CEL', () => {
    const where = readWhere({ memory: '>= 79Gi', architecture: 'Hopper' });
    const cels = [
      gpu.memory.atLeast('79Gi').cel + ' && ' + gpu.architecture.is('Hopper').cel,
      'condition' in where ? where.condition.cel : '',
      long('!(C.memory.isLessThan(quantity("80896Mi"))) && A.architecture == \'Hopper\''),
    ];
    expect(new Set(cels.map((cel) => toNormalForm(cel))).size).toBe(1);
  });

  const compiling = edge.cases.filter(({ expression, want }) => want !== 'compile-error' && sound(expression));

  test.each(compiling.map(({ expression }) => [expression]))('answers as the selector does: %s', (expression) => {
    const form = toNormalForm(expression);
    expect(endingOf(form, edge.device as DeviceRow)).toBe(endingOf(expression, edge.device as DeviceRow));
    expect(toNormalForm(form)).toBe(form);
  });

  test('answers as the selector does, whatever is joined, denied and left out', () => {
    const devices = [{}, { x: { int: 1 } }, { x: { int: 1 }, y: { string: 'a' } }, { y: { string: 'b' } }];
    const prepared = devices.map((attributes) =>
      prepareDevice({ driver: 'gpu.nvidia.com', attributes, capacity: { c: { value: '40Gi' } } }),
    );
    fc.assert(
      fc.property(selectors, (expression) => {
        const [selector, form] = [compileSelector(expression), compileSelector(toNormalForm(expression))];
        for (const device of prepared) expect(form.match(device).kind).toBe(selector.match(device).kind);
        expect(toNormalForm(form.expression)).toBe(form.expression);
      }),
      { numRuns: 100 },
    );
  });
});

function sound(expression: string): boolean {
  try {
    compileSelector(expression);
    return true;
  } catch {
    return false;
  }
}

const LEAVES = [
  'A.x == 1',
  '2 > A.x',
  'A.x != 1',
  'has(A.x)',
  '("y" in A)',
  'A.y == "a"',
  'A.y in ["b", "a"]',
  'true',
  'C.c.isGreaterThan(quantity("20Gi"))',
  'quantity("40Gi").compareTo(C.c) < 0',
  'A.z',
  'A.y',
  '1 == 2',
];
const leaves = fc.constantFrom(...LEAVES);
const { selectors } = fc.letrec<{ selectors: string; node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    leaves,
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a} && ${b})`),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a} || ${b})`),
    fc.tuple(tie('node'), tie('node'), tie('node')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    tie('node').map((a) => `!(${a})`),
  ),
  selectors: tie('node').map(long),
}));
