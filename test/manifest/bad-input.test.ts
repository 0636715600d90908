import { endpoint, load, summary } from './build';

interface Case {
  files: string | Record<string, string>;
  want: string[];
}

const OURS = 'apiVersion: fleetwright.dev/v1alpha1';
const OUT = 'or remove the file if it has no manifests';

const cases: Record<string, Case> = {
  'a list is no manifest': {
    files: '- a\n',
    want: [`f.yaml:1:1: this is a list, not a map with apiVersion and kind. Write a manifest, ${OUT}.`],
  },
  'a text is no manifest, and is not repeated': {
    files: '# notes\nhello\n',
    want: [`f.yaml:2:1: this is text, not a map with apiVersion and kind. Write a manifest, ${OUT}.`],
  },
  'a number in a List is no manifest': {
    files: 'apiVersion: v1\nkind: List\nitems: [12]\n',
    want: [`f.yaml:3:9: this is a number, not a map with apiVersion and kind. Write a manifest, ${OUT}.`],
  },
  'a map without apiVersion and kind': {
    files: 'a: 1\n',
    want: [`f.yaml:1:1: this map has no apiVersion and no kind. Write '${OURS}', ${OUT}.`],
  },
  'a map without apiVersion': {
    files: '\nkind: ModelEndpoint\n',
    want: [`f.yaml:2:1: this map has no apiVersion. Write '${OURS}', ${OUT}.`],
  },
  'a map with an empty kind': {
    files: `${OURS}\nkind:\n`,
    want: [`f.yaml:1:1: this map has no kind. Write 'kind: ModelDeployment', ${OUT}.`],
  },
  'a map with a kind of no letters': {
    files: `${OURS}\nkind: ""\n`,
    want: [`f.yaml:1:1: this map has no kind. Write 'kind: ModelDeployment', ${OUT}.`],
  },
  'a kind that is no text': {
    files: `${OURS}\nkind: [ModelEndpoint]\n`,
    want: [`f.yaml:2:1: kind is a list, not text. Write 'kind: ModelDeployment', ${OUT}.`],
  },
  'an apiVersion that is a number': {
    files: 'kind: x\napiVersion: 1\n',
    want: [`f.yaml:2:13: apiVersion is a number, not text. Write '${OURS}', ${OUT}.`],
  },
  'a List without items': {
    files: 'apiVersion: v1\nkind: List\n',
    want: ["f.yaml:1:1: this List has no list of items. Add 'items: []'."],
  },
  'a List whose items are a map': {
    files: 'apiVersion: v1\nkind: List\nitems: {a: 1}\n',
    want: ["f.yaml:3:1: this List has no list of items. Add 'items: []'."],
  },
  'a List that holds itself': {
    files: '&self\napiVersion: v1\nkind: List\nitems:\n  - *self\n',
    want: ['f.yaml:5:5: a List contains another List. Move its items to the outer one.'],
  },
  'a misspelled field has the place of its key': {
    files: endpoint('a', '  rewritPath: /x'),
    want: ["f.yaml:7:3: unknown field 'rewritPath'. Use 'rewritePath'."],
  },
  'a field that has moved has the place of its key': {
    files: 'apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata:\n  name: a\n  namespace: b\nspec: {}\n',
    want: [expect.stringMatching(/^f\.yaml:5:3: /) as string],
  },
  'a missing field has the place of what should hold it': {
    files: endpoint('a').replace(/ {2}url.*\n/, '  rewritePath: /\n'),
    want: [
      "f.yaml:5:1: the field 'url' is missing. Or set 'provider' to a known provider, or 'inside' to a service of a cluster.",
    ],
  },
  'a wrong value has its own place, in a List too': {
    files: `apiVersion: v1\nkind: List\nitems:\n- ${endpoint('a')
      .trimEnd()
      .replaceAll('\n', '\n  ')
      .replace(/url: .*/, 'url: [1]')}\n`,
    want: ['f.yaml:9:5: expected text, got a list. Write a single text.'],
  },
  'a value behind an alias has the place where it is written': {
    files: endpoint('a')
      .replace(/url: .*/, 'url: *it')
      .replace('metadata:', 'metadata: &it'),
    want: ['f.yaml:6:8: expected text, got a map. Write a single text.'],
  },
  'a kind of ours that does not exist': {
    files: endpoint('a').replace('ModelEndpoint', 'ModelEndpiont'),
    want: ["f.yaml:2:7: unknown kind 'ModelEndpiont'. Use 'ModelEndpoint'."],
  },
  'a resource that begins without a separator': {
    files: `${endpoint('a')}${endpoint('b')}`,
    want: [
      "f.yaml:7:1: another resource begins here, and a '---' is missing before it. Write '---' on a line of its own.",
    ],
  },
  'a key that occurs twice': {
    files: endpoint('a', '  url: https://b.example.com'),
    want: ["f.yaml:7:3: the key 'url' occurs twice in this map. Remove one of the two."],
  },
  'a key that occurs twice, next to other problems of the manifest': {
    files: endpoint('a', '  url: 1\n  x: 2').replace('https:', 'ftp:'),
    want: [
      "f.yaml:7:3: the key 'url' occurs twice in this map. Remove one of the two.",
      "f.yaml:6:8: this is not an HTTP URL. Write it as in 'https://api.example.com'.",
      "f.yaml:8:3: unknown field 'x'. Use one of provider, url, inside, private, rewritePath, models, credential, tls, model, timeouts.",
    ],
  },
  'a key that occurs twice in JSON': {
    files: {
      'a.json': `{"apiVersion":"fleetwright.dev/v1alpha1","kind":"ModelEndpoint","metadata":{"name":"a"},"spec":{"url":"https://a.b"},\n "kind":"Grant"}`,
    },
    want: ["a.json:2:2: the key 'kind' occurs twice in this map. Remove one of the two."],
  },
  'one identity in two files names both places, at the later one': {
    files: { 'b.yaml': endpoint('a'), 'a.yaml': `# first\n${endpoint('a')}` },
    want: [
      'b.yaml:4:9: ModelEndpoint default/a is declared twice, first at a.yaml:5:9. Rename or remove one of the two.',
    ],
  },
  'one identity under both groups, with the namespace given and not': {
    files: `${endpoint('a')}---\n${endpoint('default/a').replace('fleetwright.dev', 'modelplane.ai')}`,
    want: [
      'f.yaml:11:9: ModelEndpoint default/a is declared twice, first at f.yaml:4:9. Rename or remove one of the two.',
    ],
  },
  'one identity three times has a problem at each place but the first': {
    files: `${endpoint('a')}---\n${endpoint('a')}---\n${endpoint('a')}`,
    want: [
      'f.yaml:11:9: ModelEndpoint default/a is declared twice, first at f.yaml:4:9. Rename or remove one of the two.',
      'f.yaml:18:9: ModelEndpoint default/a is declared twice, first at f.yaml:4:9. Rename or remove one of the two.',
    ],
  },
  'an alias without an anchor': {
    files: endpoint('a', '  rewritePath: *path'),
    want: [
      'f.yaml:7:16: this alias has no anchor above it. Add the anchor, or put the value in quotes if the asterisk is part of it.',
    ],
  },
  'an alias above its anchor': {
    files: endpoint('a').replace('metadata:', 'status: *u\nmetadata:').replace('url: ', 'url: &u '),
    want: [
      'f.yaml:3:9: this alias has no anchor above it. Add the anchor, or put the value in quotes if the asterisk is part of it.',
    ],
  },
  'an alias inside its own anchor': {
    files: endpoint('a', 'status: &s [*s]'),
    want: ['f.yaml:7:13: this alias is inside its own anchor. Write the value out.'],
  },
  'a merge key': {
    files: endpoint('a', '  <<: {rewritePath: /}'),
    want: [
      "f.yaml:7:3: '<<' merges maps in YAML 1.1 only, and manifests are YAML 1.2. Repeat the fields, or use an alias for a whole value.",
    ],
  },
  'a key that is no text': {
    files: endpoint('a', '  rewritePath: {{ .Values.path }}'),
    want: [
      'f.yaml:7:17: the key of this entry is not text. If double braces are a template, render it first. Otherwise put the key in quotes.',
    ],
  },
  'an expression that starts with an exclamation mark': {
    files: endpoint('a', '  rewritePath: !device.x'),
    want: [
      "f.yaml:7:16: this '!' starts a tag that YAML 1.2 does not have. Put the whole value in quotes if the character is part of it.",
    ],
  },
  'a tag of YAML 1.1': {
    files: endpoint('a', '  rewritePath: !!binary aGk='),
    want: [
      "f.yaml:7:16: this '!' starts a tag that YAML 1.2 does not have. Put the whole value in quotes if the character is part of it.",
    ],
  },
  'a merge that was not finished has one problem, at the first marker': {
    files: `${endpoint('a')}<<<<<<< HEAD\na: 1\n=======\nb: 2\n>>>>>>> other\n`,
    want: ["f.yaml:7:1: '<<<<<<<' is a merge-conflict marker. Finish the merge and remove the markers."],
  },
  'a merge of which only the middle is left, with CRLF line ends': {
    files: `a: 1\r\n=======\r\nb: 2\r\n`,
    want: ["f.yaml:2:1: '=======' is a merge-conflict marker. Finish the merge and remove the markers."],
  },
  'a merge of which only the end is left': {
    files: `a: 1\n>>>>>>> other\n`,
    want: ["f.yaml:2:1: '>>>>>>>' is a merge-conflict marker. Finish the merge and remove the markers."],
  },
  'a binary file': {
    files: 'a: \0',
    want: ['f.yaml:1:4: a NUL character is here, so this is not a text file. Remove it, or save it as UTF-8.'],
  },
  'a carriage return alone ends the line for some parsers only: a comment would hide what follows': {
    files: `# fleet\r${endpoint('a')}`,
    want: [
      'f.yaml:1:8: a carriage return without a line feed is here, which only some programs read as the end of a line. Save the file with LF or CRLF line ends.',
    ],
  },
  'half of a surrogate pair, which no manifest can hold': {
    files: `${OURS}\nkind: InferenceClass\nmetadata:\n  name: a\n  annotations: { a: "\\ud83d" }\nspec: { devices: [] }\n`,
    want: ['f.yaml:5:21: this text has half of a surrogate pair, which is not a character. Write the whole character.'],
  },
  'half of a surrogate pair in a key': {
    files: `${OURS}\nkind: InferenceClass\nmetadata:\n  name: a\n  annotations: { "a\\udc00": b }\nspec: { devices: [] }\n`,
    want: [
      'f.yaml:5:3: a key of this map has half of a surrogate pair, which is not a character. Write the whole character.',
    ],
  },
  'problems of every file and document together': {
    files: { 'b.yaml': 'a: 1\n---\n[]\n', 'a.yaml': 'a: "\n', 'c.yaml': endpoint('a', '  x: 1') },
    want: [
      'a.yaml:1:4: this quote is never closed. Add the closing quote.',
      `b.yaml:1:1: this map has no apiVersion and no kind. Write '${OURS}', ${OUT}.`,
      `b.yaml:3:1: this is a list, not a map with apiVersion and kind. Write a manifest, ${OUT}.`,
      "c.yaml:7:3: unknown field 'x'. Use one of provider, url, inside, private, rewritePath, models, credential, tls, model, timeouts.",
    ],
  },
  'a file with a byte order mark, where columns count without it': {
    files: '\uFEFFa: @x\n',
    want: ["f.yaml:1:4: a value cannot start with '@'. Put the whole value in quotes."],
  },
};

describe('loadManifests reports', () => {
  test.each(Object.entries(cases))('%s', (_, { files, want }) => {
    expect(summary(load(files)).problems).toEqual(want);
  });

  test('marks that only look like those of a merge', () => {
    const text = '  rewritePath: |\n    <<<<<<< HEAD\n    =======\n    >>>>>>> x';
    expect(summary(load(endpoint('a', text))).problems).toEqual([]);
  });

  test('a hundred problems of a manifest, and counts the rest', () => {
    const fields = Array.from({ length: 103 }, (_, index) => `  x${index}: 1`).join('\n');
    const { problems } = summary(load(endpoint('a', fields)));
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toBe('f.yaml:1:1: 3 more problems in this manifest. Correct those above first.');
  });
});
