import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import type { ClusterEntry, Environment } from './kubeconfig';
import { UnreachableError } from './unreachable-error';

/**
 * Finds the proxy for a server: `proxy-url` of the kubeconfig, else `HTTPS_PROXY` unless `NO_PROXY` contains the
 * host. Undefined for servers without TLS, which are `kubectl proxy` or a test.
 */
export function findProxy(server: ClusterEntry, env: Environment): URL | undefined {
  const { protocol, hostname } = new URL(server.server);
  if (protocol === 'http:') return undefined;
  const declared = server['proxy-url'];
  if (declared) return parseProxyUrl(declared);
  const fromEnv = env['HTTPS_PROXY'] ?? env['https_proxy'];
  const excluded = (env['NO_PROXY'] ?? env['no_proxy'] ?? '').split(',').map((one) => one.trim());
  return fromEnv && !excluded.some((one) => isExcludedHost(one, hostname)) ? parseProxyUrl(fromEnv) : undefined;
}

function isExcludedHost(pattern: string, host: string): boolean {
  const name = pattern.replace(/^\*?\./, '');
  return pattern === '*' || (name !== '' && (host === name || host.endsWith(`.${name}`)));
}

function parseProxyUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  // The message omits the URL because it may contain a password.
  throw new UnreachableError('its proxy is not supported: only http:// and https:// proxies are');
}

/** Opens a tunnel to a host through a proxy with CONNECT. */
export function openTunnel(proxy: URL, host: string, timeout: number): Promise<Duplex> {
  const { username, password } = proxy;
  const secret = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const request = proxy.protocol === 'https:' ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const connection = request({
      host: proxy.hostname,
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: host,
      headers: { host, ...(username !== '' && { 'proxy-authorization': `Basic ${secret.toString('base64')}` }) },
      signal: AbortSignal.timeout(timeout),
      agent: false,
    });
    connection.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      return reject(new UnreachableError(`the proxy ${proxy.host} answers ${statusCode}`));
    });
    connection.on('error', ({ message }) =>
      reject(new UnreachableError(`the proxy ${proxy.host} cannot be reached: ${message}`)),
    );
    connection.end();
  });
}
