import type { Engine } from './engines/engine';
import type { Issuer } from './engines/issuer';
import type { Picker } from './engines/picker';
import type { Gateway } from './harness/gateway';
import type { Certificate } from './harness/certificates';
import { EAST, EDGE_HOST, FLEET_AUTHORITY } from './fleet/names';
import type { Answer, Ask } from './traffic/ask';
import { asker } from './traffic/asker';
import type { Converse } from './traffic/web-socket';

/** A fleet that serves: gateways with our manifests, engines, providers, and a way to ask. */
export interface Site {
  /** Asks at the front, with the key of a user unless the question has one. */
  readonly ask: Ask;

  /** Asks at the front as it is. */
  readonly askBare: Ask;

  /** Opens WebSockets at the front, likewise. */
  readonly converse: Converse;
  readonly converseBare: Converse;

  /** Who issues tokens. */
  readonly issuer: Issuer;

  /** The engines of a deployment on a cluster, by index. */
  readonly engines: (cluster: string, deployment: string) => readonly Engine[];

  /** Every engine of the fleet. */
  readonly allEngines: readonly Engine[];

  /** Every engine that service `chat` sends requests to. */
  readonly chatEngines: readonly Engine[];

  /** Every endpoint picker of the fleet. */
  readonly pickers: readonly Picker[];

  /** A server outside the fleet, by its host name. */
  readonly provider: (host: string) => Engine;

  /** A gateway: `us-east/fleetwright-edge`. */
  readonly gateway: (name: string) => Gateway;
  readonly gateways: readonly Gateway[];

  /** The Host by which fronts ask the edge of a cluster for a deployment, as part of service `chat`. */
  readonly hostOf: (cluster: string, deployment: string) => string;

  /** A certificate that was made for the run. */
  readonly certificate: (name: string) => Certificate;

  /** Forgets what engines and providers have seen. */
  readonly forget: () => void;
}

/** A request for a chat, to a service of the fleet. */
export function chat(service: string, more: object = {}, model = 'llama'): { path: string; body: string } {
  const messages = [{ role: 'user', content: 'hello' }];
  return {
    path: `/team-a/${service}/v1/chat/completions`,
    body: JSON.stringify({ model, messages, ...more }),
  };
}

/** Asks the edge of a cluster for a chat with its first deployment, as the front would. */
export function atEdge({ certificate, hostOf }: Site, cluster: string): Promise<Answer> {
  const client = certificate(`${EAST}.fleetwright-front-client`);
  const ca = certificate(FLEET_AUTHORITY).cert;
  const ask = asker({ host: EDGE_HOST(cluster), port: 443, ca, client });
  return ask({ ...chat('chat'), headers: { host: hostOf(cluster, 'llama') } });
}
