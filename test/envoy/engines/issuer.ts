import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:https';
import { ISSUER, ISSUER_HOST } from '../fleet/names';
import type { Certificate } from '../harness/certificates';
import type { Network } from '../harness/network';

/** Who issues tokens: with a key of its own, whose public half it shows under its real name. */
export class Issuer {
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

  /** Shows its key. */
  async start(network: Network, { cert, key }: Certificate): Promise<void> {
    const jwk = { ...this.#keys.publicKey.export({ format: 'jwk' }), kid: KEY, alg: 'RS256', use: 'sig' };
    const server = createServer({ cert, key }, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }));
    });
    const address = network.address();
    network.name(ISSUER_HOST, address);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(443, address, resolve);
    });
  }

  /** A token, good for an hour and for the services of the fleet unless the claims say otherwise. */
  token(claims: Readonly<Record<string, unknown>> = {}): string {
    const now = Math.floor(Date.now() / 1000);
    const header = { alg: 'RS256', typ: 'JWT', kid: KEY };
    const all = { iss: ISSUER, aud: 'models', sub: 'alice', iat: now, exp: now + 3600, ...claims };
    const text = [header, all].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${text}.${createSign('RSA-SHA256').update(text).sign(this.#keys.privateKey, 'base64url')}`;
  }
}

const KEY = 'test';
