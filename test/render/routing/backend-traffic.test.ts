import { formatGatewayDuration } from '../../../src/render/routing/backend-traffic';

test.each([
  [0, '0s'],
  [10, '10s'],
  [0.5, '500ms'],
  [2.5, '2s500ms'],
  [90, '1m30s'],
  [3600, '1h'],
  [360_000, '100h'],
])('%d seconds are %s', (seconds, want) => {
  expect(formatGatewayDuration(seconds)).toBe(want);
  // What Gateway API takes (GEP-2257).
  expect(want).toMatch(/^([0-9]{1,5}(h|m|s|ms)){1,4}$/);
});
