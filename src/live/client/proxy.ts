import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import type { ClusterEntry, Environment } from './kubeconfig';
import { UnreachableError } from './unreachable-error';

/**
 * The proxy through which a server is reached: `proxy-url` of the kubeconfig, else `HTTPS_PROXY` unless `NO_PROXY`
 * has the host. None for servers without TLS, which are `kubectl proxy` or a test.
 */
export function findProxy(server: ClusterEntry, env: Environment): URL | undefined {
  const { protocol, hostname } = new URL(server.server);
  if (protocol === 'http:') return undefined;
  const own = server['proxy-url'];
  if (own) return parseProxyUrl(own);
  const general = env['HTTPS_PROXY'] ?? env['https_proxy'];
  const spared = (env['NO_PROXY'] ?? env['no_proxy'] ?? '').split(',').map((one) => one.trim());
  return general && !spared.some((one) => isExcludedHost(one, hostname)) ? parseProxyUrl(general) : undefined;
}

function isExcludedHost(pattern: string, host: string): boolean {
  const name = pattern.replace(/^\*?\./, '');
  return pattern === '*' || (name !== '' && (host === name || host.endsWith(`.${name}`)));
}

function parseProxyUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  // The text may hold a password.
  throw new UnreachableError(
    'its proxy is none that HTTP goes through: only http:// and https:// can be used',
  );
}

/** Opens a connection to a host through a proxy, by CONNECT. */
export function openTunnel(proxy: URL, host: string, timeout: number): Promise<Duplex> {
  const { username, password } = proxy;
  const secret = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const request = proxy.protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const asked = request({
      host: proxy.hostname,
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: host,
      headers: {
        host,
        ...(username !== '' && { 'proxy-authorization': `Basic ${secret.toString('base64')}` }),
      },
      signal: AbortSignal.timeout(timeout),
      agent: false,
    });
    asked.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      return reject(new UnreachableError(`the proxy ${proxy.host} answers ${statusCode}`));
    });
    asked.on('error', ({ message }) =>
      reject(new UnreachableError(`the proxy ${proxy.host} cannot be reached: ${message}`)),
    );
    asked.end();
  });
}
