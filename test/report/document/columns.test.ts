import { alignColumns } from '../../../src/report/document/write-terminal';

const ROWS = [
  ['NAME', 'GPUS', 'MACROS'],
  ['aws/p5.48xlarge', '8', 'H100-8x h100'],
  ['gcp/a', '16', '-'],
];

const cases: Record<string, { width?: number; want: string[] }> = {
  'columns are aligned, numbers to the right': {
    want: ['NAME             GPUS  MACROS', 'aws/p5.48xlarge     8  H100-8x h100', 'gcp/a              16  -'],
  },
  'a table that fits stays': {
    width: 35,
    want: ['NAME             GPUS  MACROS', 'aws/p5.48xlarge     8  H100-8x h100', 'gcp/a              16  -'],
  },
  'the widest words are cut where it does not': {
    width: 30,
    want: ['NAME         GPUS  MACROS', 'aws/p5.48x…     8  H100-8x h1…', 'gcp/a          16  -'],
  },
  'words stay readable, and numbers whole': {
    width: 5,
    want: ['NAME      GPUS  MACROS', 'aws/p5.…     8  H100-8x…', 'gcp/a       16  -'],
  },
};

test.each(Object.entries(cases))('%s', (_, { width, want }) => {
  expect(alignColumns(ROWS, width)).toEqual(want);
});
