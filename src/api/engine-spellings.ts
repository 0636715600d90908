import type { MovedFields } from './schema/fields';

const WORKER_NODES = "Use 'nodes', the worker pods next to the leader";
const GROUP_SIZE = `${WORKER_NODES}: 1 less than the size of a group`;

/** The size of a group of a LeaderWorkerSet, which counts the leader too. */
export const IN_WORKER: MovedFields = {
  replicas: WORKER_NODES,
  count: WORKER_NODES,
  workers: WORKER_NODES,
  size: GROUP_SIZE,
  groupSize: GROUP_SIZE,
};

const BY_HTTP = "Write 'path' and 'port' one level up: engines answer by HTTP";

/** Fields of a probe of a container. */
export const IN_HEALTH_CHECK: MovedFields = {
  httpGet: BY_HTTP,
  tcpSocket: BY_HTTP,
  grpc: BY_HTTP,
  exec: BY_HTTP,
  periodSeconds: "Use 'interval', as in 'interval: 10s'",
  timeoutSeconds: "Use 'timeout', as in 'timeout: 5s'",
  initialDelaySeconds: "Use 'initialDelay', as in 'initialDelay: 30s'",
  successThreshold: "Use 'healthyThreshold'",
  failureThreshold: "Use 'unhealthyThreshold'",
};
