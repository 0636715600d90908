import { checkExamples, listExamples } from './example-rows';

// Programs take a second each, more where the machine is busy.
jest.setTimeout(60_000);

checkExamples(listExamples().programs);
