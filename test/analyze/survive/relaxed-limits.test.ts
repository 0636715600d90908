import { survive } from '../../../src/analyze/survive/survive';
import type { Resource } from '../../../src/api/kinds';
import { formatSurvival } from '../../../src/report/analyze/survival-text';
import type { Doc } from '../../api/build';
import { cluster, deployment, nodeClassWith } from '../../scheduler/build';
import { settled } from '../what-if/build';
import { terminalLines } from '../../../src/report/document/write-terminal';

const H100 = nodeClassWith('h100', { price: 10 });
const on = (name: string, nodes: number) => cluster(name, { a: `h100 x ${nodes}` });
const q = (spec: Doc) => deployment('ml/q', { replicas: 2, spec });

const rows: Record<string, { resources: Resource[]; want: RegExp }> = {
  'keeps replicas off all nodes, another value of it is tried with them': {
    resources: [H100, on('eu', 1), on('us', 1), q({ placement: { maxPerCluster: 1 } })],
    want: /^With 2 more nodes and 'maxPerCluster: 2' instead of 1 of ml\/q all replicas fit after any one loss/m,
  },
  'keeps none off, none is tried': {
    resources: [H100, on('eu', 1), on('us', 1), q({ placement: { maxPerCluster: 2 } })],
    want: /^With 2 more nodes all replicas fit after any one loss/m,
  },
};

test.each(Object.entries(rows))('where a limit of placement %s', (_, { resources, want }) => {
  expect(terminalLines(formatSurvival(survive(settled(...resources)))).join('\n')).toMatch(want);
});
