import { editModels } from '../../src/manifest/edit-models';

interface Case {
  spec: string;
  added?: string[];
  gone?: string[];
  want: string | undefined;
}

const document = (spec: string): string =>
  `# Ours.\nkind: ModelEndpoint\nmetadata: { name: a, namespace: ml } # of ml\nspec: ${spec}`;

const cases: Record<string, Case> = {
  'a list of lines keeps its comments': {
    spec: '\n  models:\n  # first\n  - a # one\n  - b\n  provider: OpenAI\n',
    added: ['c:8b'],
    gone: ['b'],
    want: '\n  models:\n  # first\n  - a # one\n  - "c:8b"\n  provider: OpenAI\n',
  },
  'a list at the end of a file without a last line feed': {
    spec: '\n  provider: OpenAI\n  models:\n    - a',
    added: ['b'],
    want: '\n  provider: OpenAI\n  models:\n    - a\n    - b\n',
  },
  'a list on one line': { spec: '{ models: [a, b] }\n', added: ['c'], gone: ['a'], want: '{ models: [b, c] }\n' },
  'a spec without models gets them first': {
    spec: '\n  provider: OpenAI # best\n',
    added: ['a', 'true'],
    want: '\n  models: [a, "true"]\n  provider: OpenAI # best\n',
  },
  'so does one on one line': { spec: '{ provider: X }\n', added: ['a'], want: '{ models: [a], provider: X }\n' },
  'line ends stay': {
    spec: '\r\n  models:\r\n    - a\r\n',
    added: ['b'],
    want: '\r\n  models:\r\n    - a\r\n    - b\r\n',
  },
  'an alias is left alone': { spec: '\n  url: &u [a]\n  models: *u\n', added: ['b'], want: undefined },
  'so are lines of several models': { spec: '\n  models:\n    - a\n    - { b: c }\n', added: ['d'], want: undefined },
};

test.each(Object.entries(cases))('%s', (_, { spec, added = [], gone = [], want }) => {
  const change = { namespace: 'ml', name: 'a', added, gone };
  const other = '---\nkind: ModelEndpoint\nmetadata: { name: a, namespace: other }\nspec: { models: [b] }\n';
  const edited = editModels(`${other}---\n${document(spec)}`, change);
  expect(edited).toBe(want === undefined ? undefined : `${other}---\n${document(want)}`);
});

test('an endpoint that a file does not declare is left alone', () => {
  expect(editModels(document('{ models: [a] }\n'), { namespace: 'x', name: 'a', added: ['b'], gone: [] })).toBe(
    undefined,
  );
});
