import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { SetupError } from '../../kubernetes/harness/setup-error';
import type { Engine } from '../engines/engine';
import { Issuer } from '../engines/issuer';
import { type Engines, type Pickers, startEngines, startPickers, startProviders } from '../engines/start-engines';
import type { Emitted } from '../fleet/emitted';
import { FRONT_HOST, ISSUER_HOST, PUBLIC_AUTHORITY, USER_KEY } from '../fleet/names';
import { askedOfIssuers } from '../mapping/issued-certificates';
import type { Site } from '../site';
import { asker } from '../traffic/asker';
import { converser } from '../traffic/web-socket';
import { type Certificate, makeCertificates } from './certificates';
import type { Gateway } from './gateway';
import { WANTED } from './given';
import { Network } from './network';
import { ready } from './ready';
import { startGateways } from './start-gateways';
import type { Tools } from './tools';

/** Starts everything, and waits until the front answers. */
export async function openSite(folder: string, tools: Tools, emitted: Emitted): Promise<Site> {
  const network = new Network(folder);
  const asked = [...emitted.clusters].flatMap(([cluster, manifests]) => askedOfIssuers(cluster, manifests));
  const pem = join(folder, 'certificates');
  const certificate = await makeCertificates(tools.certificates, pem, [...WANTED, ...asked]);
  trust(folder, certificate(PUBLIC_AUTHORITY));
  const engines = await startEngines(network, emitted);
  const pickers = await startPickers(network, emitted, engines);
  const providers = await startProviders(network, certificate);
  const issuer = new Issuer();
  await issuer.start(network, certificate(ISSUER_HOST));
  const gateways = await startGateways({ folder, tools, network, certificate, emitted, engines, pickers });
  const site = siteOf({ certificate, emitted, engines, pickers, providers, issuer, gateways });
  await ready(site);
  return site;
}

/** Where Envoy Gateway has Envoys look for the authorities of the world. */
export const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

/** Has everyone trust an authority that signs for providers, as systems trust those of the world. */
function trust(folder: string, { cert }: Certificate): void {
  if (!existsSync(AUTHORITIES)) {
    throw new SetupError(`there is no ${AUTHORITIES} here. Install the package ca-certificates.`);
  }
  const file = join(folder, 'ca-certificates.crt');
  writeFileSync(file, cert);
  execFileSync('mount', ['--bind', file, AUTHORITIES]);
}

interface Parts {
  readonly emitted: Emitted;
  readonly certificate: (name: string) => Certificate;
  readonly engines: Engines;
  readonly pickers: Pickers;
  readonly providers: ReadonlyMap<string, Engine>;
  readonly issuer: Issuer;
  readonly gateways: readonly Gateway[];
}

function siteOf({ certificate, emitted, engines, pickers, providers, issuer, gateways }: Parts): Site {
  const door = { host: FRONT_HOST, port: 443, ca: certificate(PUBLIC_AUTHORITY).cert };
  const askBare = asker(door);
  const converseBare = converser(door);
  const allEngines = [...engines.values()].flat();
  const key = { authorization: `Bearer ${USER_KEY}` };
  return {
    askBare,
    ask: (question) => askBare({ ...question, headers: { ...key, ...question.headers } }),
    converseBare,
    converse: (question, ...more) => {
      return converseBare({ ...question, headers: { ...key, ...question.headers } }, ...more);
    },
    issuer,
    allEngines,
    engines: (cluster, deployment) => engines.get(`${cluster}/${deployment}`) ?? [],
    chatEngines: CHAT.flatMap((name) =>
      [...engines].flatMap(([place, own]) => (place.endsWith(`/${name}`) ? own : [])),
    ),
    pickers: [...pickers.values()],
    provider: (host) => found(providers.get(host), host),
    gateway: (name) =>
      found(
        gateways.find((gateway) => gateway.name === name),
        name,
      ),
    gateways,
    hostOf: (cluster, deployment) => hostOf(emitted.clusters.get(cluster) ?? [], deployment),
    certificate,
    forget: () => {
      for (const engine of [...allEngines, ...providers.values()]) engine.reset();
    },
  };
}

/** The deployments of service `chat`. */
const CHAT = ['llama', 'llama-next'];

function hostOf(manifests: readonly Manifest[], deployment: string): string {
  const routes = manifests.filter(({ kind }) => kind === 'HTTPRoute');
  const hosts = routes.flatMap(({ spec }) => (spec?.['hostnames'] ?? []) as string[]);
  return found(
    hosts.find((host) => host.startsWith(`0.${deployment}.chat.`)),
    `route to ${deployment}`,
  );
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`there is no ${name}`);
  return value;
}
