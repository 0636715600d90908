import { escapeMarkdown, formatCode, formatFoldedSection } from '../../../src/report/document/write-markdown';

/** What GitHub reads in the text of a comment once escapes of Markdown are gone. */
const shown = (markdown: string): string => markdown.replace(/\\([^\w\s])/g, '$1').replaceAll('&lt;', '<');

/** What GitHub makes links, mentions and images of, wherever it is in a text: its filters run on the rendered text. */
const EFFECTS: Record<string, { text: string; effect: RegExp }> = {
  'a mention': { text: 'hi @user', effect: /@\w/ },
  'a mention that is escaped already': { text: 'hi \\@user', effect: /@\w/ },
  'a mention of a team': { text: '(@org/team)', effect: /@\w/ },
  'an issue': { text: 'closes #1', effect: /#\d/ },
  'an issue elsewhere': { text: 'fixes org/repo#1', effect: /#\d/ },
  'an issue in the old form': { text: 'fixes gh-12', effect: /GH-\d/i },
  'a URL': { text: 'see https://evil.example/x', effect: /:\/\// },
  'a URL without a scheme': { text: 'see www.evil.example', effect: /www\./ },
  'an address of mail': { text: 'a@evil.example mailto:b', effect: /@\w|mailto:\w/ },
  'an emoji that looks like a verdict': { text: 'all :white_check_mark: :+1: :100:', effect: /:[\w+]+:/ },
  'marks of direction': { text: 'a\u202Eb\u2066c\u200Fd', effect: /\p{Bidi_Control}/u },
  'characters of no width': { text: 'a\u200Bb\uFEFFc\u{E0041}d', effect: /[\u200B\uFEFF\u{E0000}-\u{E007F}]/u },
  'control characters': { text: 'a\u001B[2Jb\u009Bc', effect: /\p{Cc}/u },
};

test.each(Object.entries(EFFECTS))('%s in a text has no effect in a comment', (_, { text, effect }) => {
  expect(text).toMatch(effect);
  expect(shown(escapeMarkdown(text))).not.toMatch(effect);
  expect(shown(escapeMarkdown(`- ${text} ${text}`))).not.toMatch(effect);
});

test('markup is escaped, and places stay as they are', () => {
  expect(escapeMarkdown('fleet/a-b.yaml:35:13: *x* <b> [y](z)')).toBe(
    String.raw`fleet/a-b.yaml:35:13: \*x\* &lt;b\> \[y\]\(z\)`,
  );
});

test('code and folded sections show what no one sees, and are not left', () => {
  expect(formatCode('a\u202E``b\n`')).toBe('``` a\\u202e``b ` ```');
  const section = formatFoldedSection('a <b> & c', ['x\u202E', '```', '</details>'], 10_000);
  expect(section).toContain('<summary>a &lt;b> &amp; c</summary>\n\n````text\nx\\u202e\n```\n</details>\n````\n');
});
