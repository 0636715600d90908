import { terminalLines } from '../../../src/report/document/write-terminal';
import { type CostPart, mergeParts } from '../../../src/report/cost/cost-parts';

const parts = (count: number, text: (at: number) => string): CostPart[] =>
  Array.from({ length: count }, (_, at) => ({ name: `us/${at}`, text: text(at) }));

test.each<[does: string, parts: CostPart[], want: string[]]>([
  [
    'of many replicas with the same change, one line has it',
    parts(20, () => '$0 -> $1'),
    ['20 replicas: us/0, us/1, us/2, 17 more   $0 -> $1 each'],
  ],
  [
    'many that differ are counted',
    parts(20, (at) => `$${at}`),
    ['20 replicas: us/0, us/1, us/2, 17 more   other amounts'],
  ],
  ['few are listed', parts(2, () => '$1'), ['us/0   $1', 'us/1   $1']],
])('%s', (_, all, want) => {
  expect(terminalLines(mergeParts('replica', all))).toEqual(want);
});
