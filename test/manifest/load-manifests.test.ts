import { endpoint, load, summary } from './build';

interface Case {
  files: string | Record<string, string>;
  want: string[];
  ignored?: string[];
}

const json = (name: string) =>
  JSON.stringify({
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'ModelEndpoint',
    metadata: { name },
    spec: { url: 'https://x.example.com' },
  });
const indented = (text: string) => text.trimEnd().replaceAll('\n', '\n  ');
const list = (...items: string[]) =>
  `apiVersion: v1\nkind: List\nitems:\n${items.map((item) => `- ${indented(item)}\n`).join('')}`;

const cases: Record<string, Case> = {
  'reads every document of a file, sorted by identity and not by place': {
    files: `${endpoint('b')}---\n${endpoint('a')}`,
    want: ['ModelEndpoint default/a', 'ModelEndpoint default/b'],
  },
  'reads files in any order': {
    files: { 'b.yaml': endpoint('a'), 'a.yaml': endpoint('b') },
    want: ['ModelEndpoint default/a', 'ModelEndpoint default/b'],
  },
  'reads JSON': { files: { 'a.json': json('a') }, want: ['ModelEndpoint default/a'] },
  'reads JSON that is indented with tabs': {
    files: { 'a.json': JSON.stringify(JSON.parse(json('a')), undefined, '\t') },
    want: ['ModelEndpoint default/a'],
  },
  'reads the items of a List as if each were a document': {
    files: list(endpoint('a'), endpoint('b')),
    want: ['ModelEndpoint default/a', 'ModelEndpoint default/b'],
  },
  'reads a List in JSON': {
    files: `{"apiVersion":"v1","kind":"List","items":[${json('a')},${json('b')}]}`,
    want: ['ModelEndpoint default/a', 'ModelEndpoint default/b'],
  },
  'reads an empty List as nothing': { files: 'apiVersion: v1\nkind: List\nitems: []\n', want: [] },
  'skips empty documents, whatever comments they hold': {
    files: `---\n# nothing\n---\n${endpoint('a')}---\nnull\n---\n~\n---\n`,
    want: ['ModelEndpoint default/a'],
  },
  'reads an empty file as nothing': { files: '', want: [] },
  'takes CRLF line ends': {
    files: endpoint('a').replaceAll('\n', '\r\n'),
    want: ['ModelEndpoint default/a'],
  },
  'takes a byte order mark': { files: `\uFEFF${endpoint('a')}`, want: ['ModelEndpoint default/a'] },
  'takes the marks that end documents': { files: `${endpoint('a')}...\n`, want: ['ModelEndpoint default/a'] },
  'takes the other group for the kinds that both have': {
    files: endpoint('a').replace('fleetwright.dev', 'modelplane.ai'),
    want: ['ModelEndpoint default/a'],
  },
  'reads an anchored value where an alias repeats it': {
    files: endpoint('a').replace('url: ', 'url: &url ').concat('  rewritePath: *url\n'),
    want: ['ModelEndpoint default/a'],
  },
  'lets one name are in two namespaces, and under two kinds': {
    files: [endpoint('a'), endpoint('x/a'), 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n'].join('---\n'),
    want: ['ModelEndpoint default/a', 'ModelEndpoint x/a'],
    ignored: ['1 v1 Secret'],
  },
  'counts what is not ours, by version and kind, also in a List': {
    files: [
      'apiVersion: apps/v1\nkind: Deployment\n',
      list('apiVersion: v1\nkind: Service\n', 'apiVersion: apps/v1\nkind: Deployment\n', endpoint('a')),
      'apiVersion: modelplane.ai/v1alpha1\nkind: ServingStack\n',
    ].join('---\n'),
    want: ['ModelEndpoint default/a'],
    ignored: ['2 apps/v1 Deployment', '1 modelplane.ai/v1alpha1 ServingStack', '1 v1 Service'],
  },
  'takes a List of another API group for what it is': {
    files: 'apiVersion: example.com/v1\nkind: List\nitems: [1]\n',
    want: [],
    ignored: ['1 example.com/v1 List'],
  },
  'leaves a tag in one item of a List to whom it belongs': {
    files: list('apiVersion: v1\nkind: Secret\ndata: !Ref x\n', endpoint('a')),
    want: ['ModelEndpoint default/a'],
    ignored: ['1 v1 Secret'],
  },
  'takes an anchor whose name looks like a key': {
    files: endpoint('a', 'status:\n  a: &x: 1'),
    want: ['ModelEndpoint default/a'],
  },
  'leaves documents that are not ours alone whatever their values are': {
    files: `apiVersion: v1\nkind: ConfigMap\ndata: {a: 1, a: 2, b: *nowhere, [c]: !Ref d, <<: {}}\n`,
    want: [],
    ignored: ['1 v1 ConfigMap'],
  },
};

describe('loadManifests', () => {
  test.each(Object.entries(cases))('%s', (_, { files, want, ignored = [] }) => {
    expect(summary(load(files))).toEqual({ ids: want, ignored, problems: [] });
  });
});
