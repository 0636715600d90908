const { default: Sequencer } = require('@jest/test-sequencer');

/** What takes longest, first of all: begun last, it would leave the other cores idle. Jest knows only sizes at first. */
const LONG = [
  'constructs/program',
  'ci/action',
  'examples',
  'stacks/program',
  'stacks/whole-programs',
  'stacks/graph',
  'scheduler/properties',
  'constructs/twins',
  'constructs/api-report',
  'stacks/cluster-workloads',
  'plan/decide-cluster',
  'stacks/examples',
  'stacks/peer-defects',
  'report/diff/pull-request-comment',
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
};

function rank({ path }) {
  const at = LONG.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return at < 0 ? LONG.length : at;
}
