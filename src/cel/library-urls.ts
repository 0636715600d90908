import type { RegisteredFunctionHandler } from 'cel-js';
import { checkUrl, parseUrl, type Url } from './url';

/** Kubernetes' functions on URLs, by signature (`urls.go` of its CEL library). */
export const URLS: Readonly<Record<string, RegisteredFunctionHandler>> = {
  'url(string): kubernetes.URL': (text: string) => parseUrl(text),
  'isURL(string): bool'(text: string) {
    try {
      checkUrl(text);
      return true;
    } catch {
      return false;
    }
  },
  'kubernetes.URL.getScheme(): string': (url: Url) => url.scheme,
  'kubernetes.URL.getHost(): string': (url: Url) => url.host,
  'kubernetes.URL.getHostname(): string': (url: Url) => url.hostname,
  'kubernetes.URL.getPort(): string': (url: Url) => url.port,
  'kubernetes.URL.getEscapedPath(): string': (url: Url) => url.escapedPath,
  'kubernetes.URL.getQuery(): map<string, list<string>>': (url: Url) => url.query,
};
