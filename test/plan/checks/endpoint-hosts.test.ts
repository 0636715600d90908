import { formatDiagnostic } from '../../../src/base/diagnostic';
import { assemble } from '../../../src/fleet/fleet';
import { checkPartialFleet } from '../../../src/plan/check-fleet';
import { judgeHost } from '../../../src/plan/checks/endpoint-hosts';
import { aCache, aCluster, aDeployment, anEndpoint, byPath, type Doc, parsed } from '../../api/build';

const KNOWN = {
  gateways: new Set(['models.example.com', 'edge.us.example.com']),
  namespaces: new Set(['default', 'ml']),
};

/** Whether requests may go to a host of a URL: always, only if declared private, or never. */
function verdict(host: string): 'public' | 'private' | 'forbidden' {
  return judgeHost(new URL(`https://${host}/v1`).hostname, KNOWN)?.is ?? 'public';
}

const hosts: Record<string, { want: ReturnType<typeof verdict>; hosts: string[] }> = {
  'the metadata service, however its address is spelled': {
    want: 'forbidden',
    hosts: [
      '169.254.169.254',
      '2852039166',
      '0xa9fea9fe',
      '0xA9.0xFE.0xA9.0xFE',
      '0251.0376.0251.0376',
      '169.254.43518',
      '169.16689662',
      '169.254.169.254.',
      '169.254.169.254..',
      '①⑥⑨.254.169.254',
      '%31%36%39.254.169.254',
      '[::ffff:169.254.169.254]',
      '[::FFFF:A9FE:A9FE]',
      '[0:0:0:0:0:ffff:a9fe:a9fe]',
      '[::169.254.169.254]',
      '[::ffff:0:169.254.169.254]',
      '[64:ff9b::169.254.169.254]',
      '[64:ff9b:1::169.254.169.254]',
      '[2002:a9fe:a9fe::1]',
      '[2001:0:4136:e378:8000:63bf:5601:5601]',
    ],
  },
  'metadata services at other addresses and by name': {
    want: 'forbidden',
    hosts: [
      '169.254.170.2',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      '[fd00:ec2::254]',
      '[fd20:ce::254]',
      'metadata.google.internal',
      'METADATA.Google.Internal.',
      'metadata',
      'instance-data.ec2.internal',
    ],
  },
  'the machine itself': {
    want: 'forbidden',
    hosts: [
      'localhost',
      'LOCALHOST.',
      'a.localhost',
      'localhost.localdomain',
      '127.0.0.1',
      '127.1',
      '127.255.255.254',
      '0',
      '0.0.0.0',
      '0x7f.1',
      '017700000001',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '127.0.0.1.nip.io',
      'localtest.me',
    ],
  },
  'link-local, multicast and reserved addresses': {
    want: 'forbidden',
    hosts: ['[fe80::1]', '[febf::1]', '224.0.0.1', '255.255.255.255', '[ff02::1]'],
  },
  'the API server': {
    want: 'forbidden',
    hosts: [
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'Kubernetes.Default.SVC.cluster.local.',
      'abc.gr7.us-east-1.eks.amazonaws.com',
      'gke-1.us-central1.gke.goog',
      'a.hcp.westeurope.azmk8s.io',
    ],
  },
  'gateways of the fleet': {
    want: 'forbidden',
    hosts: [
      'models.example.com',
      'MODELS.example.com.',
      'edge.us.example.com',
      'fleetwright-egress',
      'fleetwright-edge.fleetwright-system',
      'fleetwright-edge.fleetwright-system.svc',
      'envoy-gateway.fleetwright-system.svc.cluster.local',
      '0.llama.chat.ml.us.fleetwright.internal',
    ],
  },
  'private addresses': {
    want: 'private',
    hosts: [
      '10.0.0.1',
      '012.0.0.1',
      '10.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '100.64.0.1',
      '[fd12:3456::1]',
      '[::ffff:10.0.0.1]',
      '[64:ff9b::10.0.0.1]',
    ],
  },
  'names within the cluster or a network': {
    want: 'private',
    hosts: [
      'llama.ml',
      'llama.ml.svc',
      'LLAMA.ml.svc.',
      'llama.ml.svc.cluster.local',
      'prometheus.monitoring',
      '10-0-0-1.ml.pod',
      'vm.c.project.internal',
      'printer.local',
    ],
  },
  'servers on the internet': {
    want: 'public',
    hosts: [
      'api.example.com',
      'api.openai.com.',
      '8.8.8.8',
      '172.32.0.1',
      '11.0.0.1',
      '169.253.0.1',
      '[2606:4700::1111]',
      '[64:ff9b::8.8.8.8]',
      'notlocalhost',
      'localhost.example.com',
      'my-metadata.example.com',
      'svc.example.com',
      'notmodels.example.com.evil.example',
    ].filter((host) => host.includes('.') || host.includes(':')),
  },
};

describe('a host of an endpoint', () => {
  const rows = Object.entries(hosts).flatMap(([what, row]) =>
    row.hosts.map((host): [string, string, string] => [host, what, row.want]),
  );
  test.each(rows)('%s (%s) is %s', (host, _, want) => {
    expect(verdict(host)).toBe(want);
  });
});

/** What is reported of an endpoint with this URL, next to a gateway, an edge and a deployment. */
function reported(spec: Doc): string[] {
  const resources = [
    anEndpoint('ml/saas', spec),
    aDeployment('team/q'),
    parsed('InferenceGateway', 'front', { hostname: 'models.example.com' }),
    aCluster('us', { gateway: { hostname: 'edge.example.com' } }),
  ];
  return checkPartialFleet(assemble(resources), byPath).map(formatDiagnostic);
}

const AT = 'ModelEndpoint ml/saas spec.url: the host is';
const FORBIDDEN =
  'which gateways must not connect to. Use the host of a server that serves the model. To reach deployments of the fleet, select them by labels.';

describe('an endpoint', () => {
  const cases: Record<string, { spec: Doc; want: string[] }> = {
    'on the internet is fine': { spec: { url: 'https://api.example.com/v1' }, want: [] },
    'of a known provider is fine': { spec: { url: undefined, provider: 'OpenAI' }, want: [] },
    'at a private address has to say so': {
      spec: { url: 'http://10.0.0.1:8000' },
      want: [`${AT} a private address. Set 'private: true' to allow that.`],
    },
    'at a private address under the alias has to say so too': {
      spec: { url: 'http://10.0.0.1:8000', group: 'modelplane.ai' },
      want: [`${AT} a private address. Set 'private: true' to allow that.`],
    },
    'that says so is fine': { spec: { url: 'http://10.0.0.1:8000', private: true }, want: [] },
    'in a namespace of the fleet has to say so': {
      spec: { url: 'http://llama.team/v1' },
      want: [`${AT} a name within the cluster. Set 'private: true' to allow that.`],
    },
    'is never the metadata service, private or not, and no message quotes its URL': {
      spec: { url: 'http://169.254.169.254/latest/?key=hunter2', private: true },
      want: [`${AT} a link-local address, where clouds give out credentials, ${FORBIDDEN}`],
    },
    'is never a gateway of the fleet': {
      spec: { url: 'https://Models.example.com./ml/chat', private: true },
      want: [`${AT} a gateway of this fleet, ${FORBIDDEN}`],
    },
    'is never an edge of the fleet': {
      spec: { url: 'https://edge.example.com', private: true },
      want: [`${AT} a gateway of this fleet, ${FORBIDDEN}`],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { spec, want }) => {
    expect(reported(spec)).toEqual(want);
  });
});

function aServiceWithKeys(name: string, jwksUri: string) {
  return parsed('ModelService', name, {
    endpoints: [{ selector: { matchLabels: { app: 'a' } } }],
    auth: { jwt: { issuer: 'https://a.example.com', jwksUri } },
  });
}

test('the keys of tokens are not at the metadata service either, and may be at a private address', () => {
  const resources = [
    aServiceWithKeys('ml/a', 'http://0xa9fea9fe/keys'),
    aServiceWithKeys('ml/b', 'https://login.auth.svc/keys'),
    parsed('InferenceGateway', 'front', {
      auth: { jwt: { issuer: 'https://a.example.com', jwksUri: 'http://localhost./keys' } },
    }),
  ];
  expect(checkPartialFleet(assemble(resources), byPath).map(({ at, code }) => [at, code])).toEqual([
    ['InferenceGateway front spec.auth.jwt.jwksUri', 'refused-host'],
    ['ModelService ml/a spec.auth.jwt.jwksUri', 'refused-host'],
  ]);
});

/** What is reported of a cache that reads from this address, next to a gateway. */
function reportedOfCache(url: string): string[] {
  const none = { huggingFace: undefined };
  const front = parsed('InferenceGateway', 'front', { hostname: 'models.example.com' });
  const caches = [
    aCache('ml/bucket', { ...none, source: 'S3', s3: { uri: 's3://models', endpoint: url } }),
    aCache('ml/file', { ...none, source: 'HTTP', http: { url: `${url}/a.bin` } }),
  ];
  return checkPartialFleet(assemble([front, ...caches]), byPath).map(formatDiagnostic);
}

describe('a cache', () => {
  const cases: Record<string, { urls: string[]; want: string | undefined }> = {
    'may read from the internet': { urls: ['https://minio.example.com'], want: undefined },
    'may read from the cluster and from a private network': {
      urls: [
        'http://minio.storage.svc:9000',
        'http://minio.storage:9000',
        'http://minio:9000',
        'http://10.0.0.1',
        'http://[fd12:3456::1]',
      ],
      want: undefined,
    },
    'reads from no link-local address, however it is spelled': {
      urls: ['http://169.254.169.254', 'http://2852039166', 'http://[::ffff:a9fe:a9fe]', 'http://169.254.169.254..'],
      want: 'a link-local address, where clouds give out credentials',
    },
    'reads from no name of a metadata service': {
      urls: ['http://metadata.google.internal', 'http://METADATA.google.internal.:80'],
      want: 'the metadata service of Google Cloud',
    },
    'does not read from its own pod': {
      urls: ['http://localhost:8080', 'http://127.1', 'http://[::1]', 'http://0'],
      want: 'the machine itself',
    },
    'does not read from the API server': { urls: ['https://kubernetes.default.svc'], want: 'the API server' },
    'does not read from gateways': {
      urls: ['https://models.example.com', 'http://fleetwright-egress.fleetwright-system.svc:8080'],
      want: 'a gateway of this fleet',
    },
  };
  const rows = Object.entries(cases).flatMap(([name, { urls, want }]) =>
    urls.map((url): [string, string, string | undefined] => [name, url, want]),
  );
  test.each(rows)('%s: %s', (_, url, want) => {
    const places = ['ml/bucket spec.s3.endpoint', 'ml/file spec.http.url'];
    const message = `the host is ${want}, which caches must not read from. Use the host of the server that has the files.`;
    expect(reportedOfCache(url)).toEqual(want === undefined ? [] : places.map((at) => `ModelCache ${at}: ${message}`));
  });
});
