import { withoutStackTraces } from '../../stacks/runtime/disable-stack-traces';

const unlimited = Error.stackTraceLimit;
afterEach(() => void (Error.stackTraceLimit = unlimited));

test('nothing that is registered has a stack trace, whatever limit it sets itself', () => {
  const stack = withoutStackTraces(() => {
    Error.stackTraceLimit = Infinity;
    return new Error('bad').stack;
  });
  expect(stack).toBe('Error: bad');
});

function fail(): never {
  throw new Error('bad');
}

test('afterwards all is as it was, also where registering fails', () => {
  const { prepareStackTrace, stackTraceLimit } = Error;
  expect(() => withoutStackTraces(fail)).toThrow('bad');
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  expect(Error.prepareStackTrace).toBe(prepareStackTrace);
});
