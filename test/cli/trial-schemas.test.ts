import { compileOutputSchema } from '../output-schema';
import { Workspace } from './cli';

const work = new Workspace();
afterAll(() => work.remove());

const schemas = { 'what-if': compileOutputSchema('what-if'), survival: compileOutputSchema('survival') };

const runs: Record<string, { schema: keyof typeof schemas; args: string }> = {
  'what a drain changes': { schema: 'what-if', args: 'what-if examples/quickstart --drain onprem' },
  'what a loss leaves without a place': {
    schema: 'what-if',
    args: 'what-if examples/quickstart --lose eks-us-east --price gke-us-central/h200=80',
  },
  'what stays through each loss': { schema: 'survival', args: 'survive examples/quickstart' },
  'what is refused': { schema: 'survival', args: 'survive examples/cache --domain region --require 3' },
  'which services are refused': { schema: 'survival', args: 'survive examples/canary --require 1' },
};

test.each(Object.entries(runs))('%s is as its schema says', (_, { schema, args }) => {
  const validate = schemas[schema];
  const document = JSON.parse(work.run(`${args} --json`).out) as object;
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  expect(validate({ ...document, version: 2 })).toBe(false);
  expect(validate({ ...document, outOfDate: undefined })).toBe(false);
});
