const NAMESPACE = 'keda';
const CHART = 'keda-add-ons-http';

/**
 * The HTTP add-on of KEDA. Its proxies, which it calls interceptors, hold the requests of a host until its Service has a
 * ready endpoint, and count them. Names are those of its chart (github.com/kedacore/charts, http-add-on, 0.15.0), fields
 * those of `http.keda.sh/v1beta1` (github.com/kedacore/http-add-on, operator/apis, 0.15.0).
 */
export const HTTP_ADD_ON = {
  chart: CHART,
  namespace: NAMESPACE,

  /** The Service of the proxies. */
  proxy: { host: `${CHART}-interceptor-proxy.${NAMESPACE}.svc.cluster.local`, port: 8080 },

  /** The labels of the pods of the proxies. */
  proxyLabels: { 'app.kubernetes.io/name': 'http-add-on', 'app.kubernetes.io/component': 'interceptor' },

  /** What KEDA asks for the number of requests. */
  scalerAddress: `${CHART}-external-scaler.${NAMESPACE}:9090`,
  routeDefinition: 'interceptorroutes.http.keda.sh',
} as const;
