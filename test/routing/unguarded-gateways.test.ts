import type { InferenceGateway } from '../../src/api/inference-gateway';
import { type Doc, parsed } from '../api/build';
import { aModel, aSite, aSplit, to, warned } from './build';

const KEYS = { apiKeys: [{ name: 'team-a', secretRef: { name: 'gateway-keys' } }] };
const INTERNET = { hostname: 'api.example.com', tls: { issuer: { name: 'fleet' } } };

function aGateway(name: string, spec: Doc = {}): InferenceGateway {
  return parsed('InferenceGateway', name, { clusters: ['east'], hostname: `${name}.example.com`, ...spec });
}

/** Two services at two gateways, the first of which asks for keys. */
function warningsOf(second: Doc, service: Doc = {}, first: Doc = { auth: KEYS }): string[] {
  const codes = warned(
    aSite('east'),
    aModel('ml/llama', { on: ['east'], replicaLabels: { app: 'chat' } }),
    aGateway('outside', first),
    aGateway('inside', second),
    aSplit('ml/chat', [to({ app: 'chat' })], service),
    aSplit('ml/agents', [to({ app: 'chat' })], service),
  );
  return codes.filter((text) => text.includes('clients need no credentials here'));
}

describe('a gateway without authentication next to one that has it', () => {
  test('is named, with the services that it opens', () => {
    expect(warningsOf({})).toEqual([
      "InferenceGateway inside spec: ModelService ml/agents, ModelService ml/chat: clients need no credentials here, and those of InferenceGateway outside do: every service is at every gateway. Set 'auth' here or in each of these services, or 'auth: None' here if that is meant.",
    ]);
  });

  const fine: Record<string, string[]> = {
    'passes if it says so': warningsOf({ auth: 'None' }),
    'passes if it asks for credentials of its own': warningsOf({ auth: KEYS }),
    'passes if services say themselves who may call': warningsOf({}, { auth: KEYS }),
    'passes if it says that everyone on the internet may call': warningsOf({ ...INTERNET, public: 'insecure' }),
    'passes if no other gateway asks for credentials': warningsOf({}, {}, {}),
  };
  test.each(Object.entries(fine))('%s', (_, warnings) => {
    expect(warnings).toEqual([]);
  });
});
