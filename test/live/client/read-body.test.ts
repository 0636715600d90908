import { parseForeignJson } from '../../../src/live/client/read-body';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const read: Record<string, string> = {
  'with two hundred levels': nested(200),
  'with many lists that are no deeper than one level': `[${Array.from({ length: 300 }, () => '[]').join()}]`,
  'with brackets in a text': JSON.stringify('['.repeat(300)),
  'with brackets behind a quote in a text': JSON.stringify(`"${'['.repeat(300)}`),
  'with brackets behind a backslash and a quote in a text': JSON.stringify(`\\"${'{'.repeat(300)}`),
};

test.each(Object.entries(read))('an answer %s is read', (_, text) => {
  expect(parseForeignJson(text)).toEqual(JSON.parse(text));
});

const refused: Record<string, string> = {
  'with more levels': nested(201),
  'with more levels behind a text that ends with a backslash': `["\\\\",${nested(200)}]`,
  'with more levels of maps': '{"a":'.repeat(201) + '1' + '}'.repeat(201),
  'that ends within a text': '["a',
  'that ends with a backslash within a text': '["a\\',
};

test.each(Object.entries(refused))('an answer %s is not read', (_, text) => {
  expect(parseForeignJson(text)).toBeUndefined();
});

test('a text of many quotes and backslashes takes no second', () => {
  const text = JSON.stringify(['\\"'.repeat(500_000), '\\'.repeat(500_000)]);
  const start = performance.now();
  parseForeignJson(text);
  expect(performance.now() - start).toBeLessThan(1000);
});
