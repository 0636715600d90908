import { formatNoResponse } from '../../../src/live/smoke/service-response';

const rows: Record<string, { error: object; want: RegExp }> = {
  'a certificate that signed itself': {
    error: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self-signed certificate' },
    want: /^its certificate is not trusted \(self-signed certificate\): set NODE_EXTRA_CA_CERTS to the file of its authority$/,
  },
  'a certificate of another name is another matter': {
    error: { code: 'ERR_TLS_CERT_ALTNAME_INVALID', message: "Host: a. is not in the cert's altnames: DNS:b" },
    want: /^it cannot be reached: Host: a\. is not/,
  },
  'a name that only its cluster knows': {
    error: { code: 'ENOTFOUND', hostname: 'front.x.svc.cluster.local', message: 'getaddrinfo ENOTFOUND' },
    want: /^front\.x\.svc\.cluster\.local is a name within its cluster: forward a port to it, and set --via to the forwarded address$/,
  },
  'one that no one knows': {
    error: { code: 'ENOTFOUND', hostname: 'a.example', message: 'getaddrinfo ENOTFOUND a.example' },
    want: /^a\.example has no DNS record: create it, as 'fleetwright plan DIR --all' lists it, or set --via to the address of the gateway$/,
  },
  'a time limit': { error: { name: 'TimeoutError', message: 'aborted' }, want: /^no answer within 1\.5 s$/ },
};

test.each(Object.entries(rows))('%s', (_, { error, want }) => {
  expect(formatNoResponse(error, 1500)).toMatch(want);
});
