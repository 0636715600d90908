import { parsed } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const bad: Record<string, BadRow> = {
  'the alias group has no such kind': {
    change: { apiVersion: 'modelplane.ai/v1alpha1' },
    want: ["apiVersion: modelplane.ai has no kind Fleet. Use 'fleetwright.dev/v1alpha1'."],
  },
  'labels that we write are refused': {
    change: { 'spec.defaults.labels': { 'fleetwright.dev/pool': 'x' } },
    want: [
      "spec.defaults.labels.fleetwright.dev/pool: Fleetwright sets the label 'fleetwright.dev/pool'. Use another prefix.",
    ],
  },
  'a budget is a rule of a file': {
    change: { 'spec.budget': { perMonth: 1000 } },
    want: [
      "spec.budget: the field 'budget' is not allowed here. Write it as a rule of a file, as in 'rules: [{ name: limit, budget: { perMonth: 150000 } }]', and name the file in 'policies'.",
    ],
  },
  'rules and rows are not written in place of a file': {
    change: { 'spec.policies': [{ name: 'limit' }], 'spec.prices': { 'gcp/a3-highgpu-8g': 1 } },
    want: [
      'spec.prices: expected text, got a map. Write it into a file of its own, and the path of the file here.',
      'spec.policies: expected text, got a list. Write it into a file of its own, and the path of the file here.',
    ],
  },
  'tolerations follow their rules': {
    change: { 'spec.defaults.tolerations': [{}] },
    want: [
      'spec.defaults.tolerations.0.key: a toleration with operator Equal needs a key. Set the key of the taint, or use operator Exists to tolerate all taints.',
    ],
  },
  'a domain stands for a label key': {
    change: { 'spec.domains': { rack: 'a b' } },
    want: [
      "spec.domains.rack: 'a b' is not a label key. Use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, after an optional DNS name and '/'.",
    ],
  },
  'the name of a domain is a DNS label, so that it is no label key itself': {
    change: { 'spec.domains': { 'example.com/rack': 'rack' } },
    want: [
      "spec.domains.example.com/rack: 'example.com/rack' is not a DNS label. Use lowercase letters, digits and '-', with a letter or digit at both ends.",
    ],
  },
  'a rule matches names of namespaces, or their beginning': {
    change: { 'spec.namespaces': [{ match: ['*-team'] }] },
    want: [
      "spec.namespaces.0.match.0: '*-team' is not a namespace. Use a name, or a prefix with '*' at the end, as in 'team-*'.",
    ],
  },
  'a typo names the field that was meant': {
    change: { 'spec.default': {} },
    want: ["spec.default: unknown field 'default'. Use 'defaults'."],
  },
};

describe('Fleet', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('Fleet'), change))).toEqual(want);
  });

  test('a fleet adds nothing by default', () => {
    expect(parsed('Fleet', 'main', {}).spec).toEqual({
      additions: { clusters: [], gateways: [] },
      defaults: { labels: {}, tolerations: [], cacheImages: {} },
      domains: {},
      namespaces: [],
      otherParts: [],
      snapshots: [],
    });
  });
});
