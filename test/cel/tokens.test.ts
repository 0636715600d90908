import {
  findOverrideName,
  redirectToOverrides,
  restoreOriginalNames,
} from '../../src/cel/cel-go-compat/rename-overridden-calls';
import { tokenize } from '../../src/cel/tokens';

function renamed(expression: string): string {
  return redirectToOverrides(expression, tokenize(expression));
}

const cases: Record<string, { expression: string; want: string }> = {
  'renames a call': { expression: 'has(a.b)', want: 'Has(a.b)' },
  'renames a method': { expression: 'a.matches("x")', want: 'a.Matches("x")' },
  'renames over white space and a comment': { expression: 'has // so\n (a.b)', want: 'Has // so\n (a.b)' },
  'renames inside a call': { expression: '[1].map(x, has(x.y))', want: '[1].Map(x, Has(x.y))' },
  'leaves a field alone': { expression: 'a.map == a.has', want: 'a.map == a.has' },
  'leaves a part of a name alone': { expression: 'ahas(x) + has_(x)', want: 'ahas(x) + has_(x)' },
  'leaves a text alone': { expression: `"has(" + 'has('`, want: `"has(" + 'has('` },
  'leaves a text with an escaped quote alone': {
    expression: String.raw`"\" has(" + has(a.b)`,
    want: String.raw`"\" has(" + Has(a.b)`,
  },
  'leaves a text of three quotes alone': {
    expression: '"""a " has(""" + has(a.b)',
    want: '"""a " has(""" + Has(a.b)',
  },
  'leaves a raw text alone': {
    expression: String.raw`r"\" has(" + has(a.b)`,
    want: String.raw`r"\" has(" + Has(a.b)`,
  },
  'leaves a comment alone': { expression: '// has(\nhas(a.b)', want: '// has(\nHas(a.b)' },
  'keeps offsets behind characters of two units': { expression: '"😀" + has(a.b)', want: '"😀" + Has(a.b)' },
};

describe('the names of functions that are replaced', () => {
  test.each(Object.entries(cases))('%s', (_, { expression, want }) => {
    expect(renamed(expression)).toBe(want);
  });

  test('come back in messages, where they are called', () => {
    expect(restoreOriginalNames("no overload for 'list.Map(ast)', Map entry")).toBe(
      "no overload for 'list.map(ast)', Map entry",
    );
  });

  test('are no names of CEL', () => {
    expect(findOverrideName(tokenize('x && Has(a.b)'))).toMatchObject({ text: 'Has', start: 5 });
    expect(findOverrideName(tokenize('a.Has == "Has("'))).toBeUndefined();
  });
});

describe('tokens', () => {
  test('cover all but white space and comments', () => {
    const texts = tokenize('a.b[?"c"] >= 1.5e3 // d\n&& !e').map(({ text }) => text);
    expect(texts).toEqual(['a', '.', 'b', '[', '?', '"c"', ']', '>=', '1.5e3', '&&', '!', 'e']);
  });
});
