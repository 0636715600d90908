import { load, summary } from './build';

const INDENT_ALIKE = 'Start all entries of one map or list in the same column';
const NO_ENTRY =
  "this line is not 'key: value'. Add a colon and a space after the key, or indent the line if it continues a text.";
const NO_SPACE = "this line is not 'key: value'. Add a space after the colon.";
const TEMPLATE = 'this line is a template, not YAML. Render the template first, or remove the file.';

interface Case {
  text: string;
  want: string;
}

const cases: Record<string, Case> = {
  'a tab that indents': {
    text: 'a:\n\tb: 1\n',
    want: '2:1: a tab indents this line. Indent with spaces: YAML does not allow tabs.',
  },
  'a tab behind the spaces that indent': {
    text: 'a:\n  \tb: 1\n  c: 2\n',
    want: '2:3: a tab indents this line. Indent with spaces: YAML does not allow tabs.',
  },
  'a quote that is never closed, where it opens': {
    text: "a: \"x\nb: 1\nc: 'y'\n",
    want: '1:4: this quote is never closed. Add the closing quote.',
  },
  'a single quote that is never closed': {
    text: "a: 'x\nb: 1\n",
    want: '1:4: this quote is never closed. Add the closing quote.',
  },
  'a bracket that is not closed, where it opens': {
    text: 'a: [1, [2]\nb: 3\n',
    want: "1:4: this '[' is not closed. Add the closing bracket, and indent the lines in between.",
  },
  'the bracket that is open, not one behind it': {
    text: 'a: [1, 2\nb: [3]\n',
    want: "1:4: this '[' is not closed. Add the closing bracket, and indent the lines in between.",
  },
  'the inner one of two brackets, if that is open': {
    text: 'a: [1, {b: 2\n',
    want: "1:8: this '{' is not closed. Add the closing bracket, and indent the lines in between.",
  },
  'JSON that is cut off': {
    text: '{"a": 1,\n"b": 2',
    want: "1:1: this '{' is not closed. Add the closing bracket, and indent the lines in between.",
  },
  'a bracket that closes nothing': {
    text: 'a: [1]]\nb: 1\n',
    want: "1:7: ']' is not expected here. Put the whole value in quotes if this is part of one.",
  },
  'a list item behind a key': {
    text: 'a: - b\n',
    want: "1:4: a list item ('- ') is where 'key: value' is expected. Move the list below its key, on separate lines.",
  },
  'a list item among keys': {
    text: 'a: 1\n- b\n',
    want: "2:1: a list item ('- ') is where 'key: value' is expected. Move the list below its key, on separate lines.",
  },
  'a key among list items': {
    text: '- a\nb: 1\n',
    want: '2:1: more text is not expected here. Put the whole value in quotes if this is part of one.',
  },
  'a key below a value': {
    text: 'a: 1\n  b: 2\n',
    want: '1:4: this line has a value, but the next line is indented below it. Indent both lines equally, or remove the value.',
  },
  'a list item whose dash is forgotten': {
    text: 'engines:\n  name: vllm\n    members: []\n',
    want: "2:9: this line has a value, but the next line is indented below it. Begin the line with '- ' if it starts an item of a list, or indent both lines equally.",
  },
  'a name of metadata, which is no list': {
    text: 'metadata:\n  name: chat\n    namespace: ml\n',
    want: '2:9: this line has a value, but the next line is indented below it. Indent both lines equally, or remove the value.',
  },
  'two colons on a line': {
    text: 'a: b: c\n',
    want: "1:4: this line has a second ': '. Put the whole value in quotes if the colon is part of it.",
  },
  'a list whose key is forgotten': {
    text: 'engines:\n  - name: vllm\n    - nodeSelector: {}\n',
    want: '3:1: this list item is below a line that has a value already. Put the key of the list on a line of its own between the two, or indent the item like those of its list.',
  },
  'a colon without a space': { text: 'a:1\nb: 2\n', want: `1:1: ${NO_SPACE}` },
  'a colon without a space before a map': { text: 'a: 1\nb:{ c: 1, d: 2 }\n', want: `2:8: ${NO_SPACE}` },
  'a colon without a space in an item of a list': { text: 'a:\n  - b:1\n    c: 2\n', want: `2:5: ${NO_SPACE}` },
  'an address among keys': { text: 'a: 1\nhttps://example.com\nb: 2\n', want: `2:1: ${NO_ENTRY}` },
  'a lone word among keys': { text: 'a: 1\nfoo\nb: 2\n', want: `2:1: ${NO_ENTRY}` },
  'a lone word at the end': { text: 'a: 1\nfoo\n', want: `2:1: ${NO_ENTRY}` },
  'an entry that is indented less than its neighbours': {
    text: 'a:\n    b: 1\n  c: 2\n',
    want: `3:1: the indentation of this line matches no entry above it. ${INDENT_ALIKE}.`,
  },
  'an entry of an item that is indented more than its neighbours': {
    text: 'a:\n  - x: 1\n   y: 2\n',
    want: `3:1: the indentation of this line matches no entry above it. ${INDENT_ALIKE}.`,
  },
  'a text block that is not indented': {
    text: 'a:\n  b: |\n\t x\n',
    want: '3:1: this text is not indented below its key. Indent it with spaces.',
  },
  'a value that starts with a sign that YAML reserves': {
    text: 'a: @x\n',
    want: "1:4: a value cannot start with '@'. Put the whole value in quotes.",
  },
  'a lone asterisk': {
    text: 'a: *\n',
    want: "1:4: no name follows this '*'. Put the whole value in quotes if the character is part of it.",
  },
  'a lone ampersand': {
    text: 'a: & b\n',
    want: "1:4: no name follows this '&'. Put the whole value in quotes if the character is part of it.",
  },
  'a tag with a handle that no one declared': {
    text: 'a: !x!y b\n',
    want: "1:4: this '!' starts a tag that YAML 1.2 does not have. Put the whole value in quotes if the character is part of it.",
  },
  'a backslash that escapes nothing': {
    text: 'a: "\\d"\n',
    want: '1:5: this backslash does not start a known escape. Use single quotes, or write the backslash twice.',
  },
  'a comparison that looks like a text block': {
    text: 'a: >=1\n',
    want: "1:5: a value that begins with '>' is the start of a text of several lines. Put the whole value in quotes.",
  },
  'a comment without a space before it': {
    text: 'a: [1]#c\n',
    want: "1:7: '#' follows without a space. Put a space before the comment, or quote the value.",
  },
  'a missing comma': {
    text: '{"a": 1 "b": 2}',
    want: '1:7: a comma is missing between two entries. Separate entries in brackets with commas.',
  },
  'two JSON values one after the other': {
    text: '{"a": 1}{"b": 2}',
    want: "1:9: '{' is not expected here. Put the whole value in quotes if this is part of one.",
  },
  'a map on the line that starts the document': {
    text: '--- a: 1\n',
    want: "1:5: a map starts on the line of '---'. Start it on the next line.",
  },
  'a directive without a document': {
    text: '%a: 1\n',
    want: "2:1: a line above starts with '%' and is not followed by '---'. Remove that line, or add '---' below it.",
  },
  'a template, whatever the parser says to it': {
    text: '{{- if .Values.x }}\na: 1\n',
    want: `1:3: ${TEMPLATE}`,
  },
  'a space that only looks like one': {
    text: 'a:\u00A01\nb: 1\n',
    want: '1:1: this line contains a special space character. Replace it with a plain space.',
  },
  "an error that has no words of ours, in the parser's": {
    text: 'a: &x &y b\n',
    want: '1:7: a node can have at most one anchor. Correct the YAML at this position.',
  },
};

describe('a syntax error is one line at its place:', () => {
  test.each(Object.entries(cases))('%s', (_, { text, want }) => {
    expect(summary(load(text)).problems).toEqual([`f.yaml:${want}`]);
  });

  test('in the document that has it, not in those next to it', () => {
    const text = 'a: [\n---\n- b\n---\nc: "\n';
    expect(load(text).problems.map(({ code, at }) => `${at} ${code}`)).toEqual([
      'f.yaml:1:4 bad-yaml',
      'f.yaml:3:1 no-manifest',
      'f.yaml:5:4 bad-yaml',
    ]);
  });

  test('with CRLF line ends at the same place', () => {
    expect(load('a: 1\r\nb: @\r\n').problems[0]?.at).toBe('f.yaml:2:4');
  });
});
