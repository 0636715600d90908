import { joinSteps, splitSteps } from '../../src/base/numbered-steps';

const cases: Record<string, ReturnType<typeof splitSteps>> = {
  'steps that were joined are found again': {
    before: 'Do this, in this order',
    steps: ['drain it; wait', 'delete it'],
  },
  'so are ten of them': { before: 'Do: all', steps: [...'abcdefghij'] },
  'one is no list': undefined,
};

test.each(Object.entries(cases))('%s', (_, want) => {
  expect(splitSteps(joinSteps(want ?? { before: 'Do', steps: ['it'] }))).toEqual(want);
});

test.each(['a text: 1. one and 2. two', 'vllm: 0.9. Set it', 'a: 1. one; 3. three'])('no steps are in %s', (text) => {
  expect(splitSteps(text)).toBeUndefined();
});
