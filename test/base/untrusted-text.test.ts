import { errorAt, formatDiagnostic } from '../../src/base/diagnostic';
import { disarmCiCommands, showInvisible } from '../../src/base/untrusted-text';

const texts: Record<string, { text: string; want: string }> = {
  'line breaks and tabs stay': { text: 'a\n\tb', want: 'a\n\tb' },
  'control characters are shown': { text: 'a\r\u0007\u009B', want: 'a\\u000d\\u0007\\u009b' },
  'marks of direction are shown': { text: 'a\u202Eb\u2067c\u200E\u061C', want: 'a\\u202eb\\u2067c\\u200e\\u061c' },
  'separators and characters of no width are shown': {
    text: '\u2028\u2029\u200B\u2060\uFEFF\u00AD',
    want: '\\u2028\\u2029\\u200b\\u2060\\ufeff\\u00ad',
  },
  'tags are shown as in JSON': { text: '\u{E0041}', want: '\\udb40\\udc41' },
  'emoji and scripts stay': { text: '👩\u200D💻 می\u200Cخواهم', want: '👩\u200D💻 می\u200Cخواهم' },
};

test.each(Object.entries(texts))('%s', (_, { text, want }) => {
  expect(showInvisible(text)).toBe(want);
});

test.each(['a\u009B\u202Eb\u{E0041}', '##[add-mask]x', '##vso[task]x'])(
  'JSON of %j stays JSON of the same value',
  (value) => {
    expect(JSON.parse(disarmCiCommands(showInvisible(JSON.stringify(value))))).toBe(value);
  },
);

const commands: Record<string, { text: string; want: string }> = {
  'a command': { text: '::stop-commands::x', want: '\\u003a:stop-commands::x' },
  'a command behind spaces': { text: 'a\n \t::error::x', want: 'a\n \t\\u003a:error::x' },
  'a command of the older form': { text: 'a ##[add-mask]x', want: 'a \\u0023#[add-mask]x' },
  'a command of Azure': { text: '##vso[task.x]', want: '\\u0023#vso[task.x]' },
};

test.each(Object.entries(commands))('%s is not run by a CI that reads it', (_, { text, want }) => {
  expect(disarmCiCommands(text)).toBe(want);
});

test.each(['a::b', 'a: b', '## title', '- ::', ':x'])('%s is none', (text) => {
  expect(disarmCiCommands(text)).toBe(text);
});

test('a diagnostic is one line, whatever its place and its values are called', () => {
  const error = errorAt('bad-name', '::stop-commands::x\n.yaml:1:1', "'a\n::error::b\u202E' is wrong", 'Mend\nit');
  expect(formatDiagnostic(error)).toBe(
    "\\u003a:stop-commands::x\\u000a.yaml:1:1: 'a\\u000a::error::b\\u202e' is wrong. Mend\\u000ait.",
  );
});
