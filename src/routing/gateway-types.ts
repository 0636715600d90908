import type { ClusterSource } from '../api/cluster-source';
import type { Dns } from '../api/routing/dns-and-tls';
import type { Certificate, HealthCheck, Picker, SecretKey, Timeouts } from './traffic-types';

/** Namespace and name of a resource of the fleet. */
export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

/** The networks that can reach a Gateway: the internet, joined networks, or only its cluster. */
export type Reach = 'Public' | 'Private' | 'Cluster';

/** The cluster of a Gateway. */
export interface GatewayLocation {
  readonly cluster: string;

  /** The source of the cluster, which determines the kind of load balancer. */
  readonly source: ClusterSource;
}

/** The Gateway for clients, of one InferenceGateway on one cluster. */
export interface Front extends GatewayLocation {
  /** The name of the InferenceGateway. */
  readonly gateway: string;

  /** The name of its Gateway, EnvoyProxy and Service in `fleetwright-system`. */
  readonly name: string;

  /** Absent: only clients within the cluster reach its Service, by `address`. */
  readonly hostname?: string;

  /** The DNS zone for the record of `hostname`. Absent: unknown. */
  readonly dns?: Dns;

  /** The host in URLs: `hostname`, or the host of the Service. */
  readonly address: string;

  /** `Public` for the internet, else `Private`. `Cluster` without a host name. */
  readonly reach: Reach;

  /** Absent: HTTP on port 80. */
  readonly tls?: Certificate;

  /** The client certificate for edges and the egress. */
  readonly client: Certificate;

  /** The ConfigMap (`ca.crt`) in the namespace of each service that verifies edges and the egress. */
  readonly ca: string;

  /** The largest request body, in bytes. */
  readonly maxRequestBody: number;

  /** Seconds between two checks of clusters without traffic: the shortest interval of its services. */
  readonly idleCheckInterval: number;
}

/** The Gateway of a cluster that forwards requests from fronts to local replicas. */
export interface Edge extends GatewayLocation {
  /** Absent: only fronts on this cluster reach it. */
  readonly hostname?: string;

  /** The server name that fronts verify: `hostname`, or the host of its Service. */
  readonly serverName: string;
  readonly reach: Reach;

  /** The DNS zone for the record of `hostname`. Absent: unknown. */
  readonly dns?: Dns;
  readonly tls: Certificate;

  /** The ConfigMap (`ca.crt`) in `fleetwright-system` with the authority for client certificates of fronts. */
  readonly ca: string;

  /** The names in the client certificates of fronts that may connect, sorted. */
  readonly clientNames: readonly string[];

  /** Seconds between two checks of engines without traffic: the shortest interval of its backends. */
  readonly idleCheckInterval: number;

  /** Sorted by host name. */
  readonly backends: readonly EdgeBackend[];
}

/** A host name and path prefix, and how to handle requests to it. */
export interface InboundRoute {
  /** The Host that a front sends. It is not in any DNS, and has at most 253 characters. */
  readonly hostname: string;
  readonly service: NamespacedName;

  /** The path prefix of requests, which the gateway removes: `/team-a/chat/`. */
  readonly path: string;

  /** The path of health checks by fronts: `/team-a/chat/-/ready`. */
  readonly readyPath: string;
  readonly tier: 0 | 1;
  readonly timeouts: Timeouts;
}

/** Replicas of one deployment on one cluster, as a member of one tier of a service. */
export interface EdgeBackend extends InboundRoute {
  readonly deployment: NamespacedName;

  /** The indices of its replicas, sorted. */
  readonly replicas: readonly number[];

  /** Set if the backend is a single replica of the deployment on the cluster. */
  readonly replica?: number;

  /**
   * The Service in front of the engines, in the namespace of the deployment. The Service of a deployment is rendered
   * with its replicas. The Service of a single replica (`replica`) is rendered with the routes, with this `selector`.
   */
  readonly target: {
    readonly service: string;
    readonly port: number;

    /** The port on which pods serve. */
    readonly containerPort: number;

    /** The labels of the pods. */
    readonly selector: Readonly<Record<string, string>>;
  };

  /** The health check path of engines that `readyPath` maps to. Absent: the edge answers 200 without a check. */
  readonly enginePath?: string;

  /** How the edge checks engines at `enginePath`. Absent: no checks. */
  readonly health?: EngineCheck;
  readonly picker: Picker;

  /** Set if requests can become WebSockets. */
  readonly webSocket?: true;

  /** The proxy that holds requests until an engine serves, and selects the pod. Absent: engines always have a copy. */
  readonly holder?: { readonly host: string; readonly port: number };
}

/** How the edge checks the engines of a deployment. */
export interface EngineCheck extends HealthCheck {
  /** Absent: the serving port. */
  readonly port?: number;
}

/** The Gateway of a cluster with a front that forwards requests to external endpoints. */
export interface Egress extends GatewayLocation {
  /** The name of its Service, which fronts connect to and verify. */
  readonly serverName: string;
  readonly tls: Certificate;
  readonly ca: string;
  readonly clientNames: readonly string[];
  readonly maxRequestBody: number;

  /** Sorted by host name. */
  readonly backends: readonly EgressBackend[];
}

/** One external endpoint, as a member of one tier of a service. */
export interface EgressBackend extends InboundRoute {
  /** The ModelEndpoint. */
  readonly endpoint: NamespacedName;
  readonly host: string;

  /** Whether `host` is an IP address. */
  readonly isAddress: boolean;

  /** Set if the endpoint may be within a cluster or a private network. */
  readonly private?: true;
  readonly port: number;

  /** Absent: plain HTTP. */
  readonly tls?: {
    /** The server name in requests and in the certificate of the endpoint. */
    readonly serverName: string;

    /** The ConfigMap (`ca.crt`) in the namespace of the endpoint. Absent: well-known authorities. */
    readonly ca?: string;
  };

  /** Replaces the path prefix `from` with `to`. Neither ends in `/`, except for `/` itself. */
  readonly rewrite: { readonly from: string; readonly to: string };

  /** The key of the Secret contains the whole value of the header. */
  readonly credential?: { readonly header: string; readonly scheme?: string; readonly secret: SecretKey };

  /** Replaces the model in JSON bodies. Absent: the model is unchanged. */
  readonly model?: string;
}
