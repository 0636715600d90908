import { reported, vocabularyOf } from './build';

test('where classes state a fact of different types, no comparison is judged', () => {
  const device = { name: 'x', driver: 'x.example', claim: 'Synthetic' };
  const vocabulary = vocabularyOf({
    a: { devices: [{ ...device, attributes: { v: { string: '1' } } }] },
    b: { devices: [{ ...device, attributes: { v: { int: 1 } } }] },
  });
  expect(reported('device.attributes["x.example"].v == "1"', vocabulary)).toEqual([]);
});

test('a fact that one class states and another does not is known', () => {
  const vocabulary = vocabularyOf({
    a: { from: 'aws/p5.48xlarge' },
    b: {
      from: 'aws/p5.48xlarge',
      devices: [{ name: 'gpu', attributes: { driverVersion: { version: '1.0.0' } } }],
    },
  });
  expect(reported('A.driverVersion.compareTo(semver("1.0.0")) >= 0', vocabulary)).toEqual([]);
});

test.each([
  'A.architecture == "Hopper" || A.x == 1',
  '!(A.architecture == "Hopper" && A.x == 1)',
  'A.architecture == "Hopper" ? A.x == 1 : A.productName == "y"',
])('%s may match without its part that cannot', (expression) => {
  expect(reported(expression)).toEqual([expect.stringMatching(/^warning unknown-attribute/)]);
});

test.each(['!(A.architecture == "Hopper" || A.x == 1)', '!!(A.architecture == "Hopper" && A.x == 1)'])(
  '%s cannot match without it',
  (expression) => {
    expect(reported(expression)).toEqual([expect.stringMatching(/^error unknown-attribute/)]);
  },
);

test('what is an error in one place and a warning in another is an error', () => {
  expect(reported('(A.x == 1 || A.architecture == "Hopper") && A.x == 2')).toEqual([
    expect.stringMatching(/^error unknown-attribute/),
  ]);
});

test('what is said twice is reported once', () => {
  expect(reported('A.x == 1 || A.x == 2')).toHaveLength(1);
});
