const cases: Record<string, () => void> = {
  'jest.mock': () => jest.doMock('../src/base/order', () => ({})),
  'jest.isolateModules': () => jest.isolateModules(() => undefined),
  'jest.resetModules': () => jest.resetModules(),
};

test.each(Object.entries(cases))('%s is refused where modules are shared with other files', (name, action) => {
  expect(action).toThrow(`${name} takes modules of one's own`);
});
