import type { ClusterSource } from '../api/cluster-source';
import type { Dns } from '../api/routing/dns-and-tls';
import type { Certificate, HealthCheck, Picker, SecretKey, Timeouts } from './traffic-policy';

/** Namespace and name of a resource of the fleet. */
export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

/** From where a Gateway is reached: the internet, joined networks, its cluster alone. */
export type Reach = 'Public' | 'Private' | 'Cluster';

/** What every Gateway of a cluster has. */
export interface GatewayLocation {
  readonly cluster: string;

  /** Where the cluster comes from: load balancers are told apart by it. */
  readonly source: ClusterSource;
}

/** The Gateway at which clients arrive, of one InferenceGateway on one cluster. */
export interface Front extends GatewayLocation {
  /** The name of the InferenceGateway. */
  readonly gateway: string;

  /** The name of its Gateway, EnvoyProxy and Service in `fleetwright-system`. */
  readonly name: string;

  /** Absent: clients within the cluster reach its Service, by `address`. */
  readonly hostname?: string;

  /** The zone that the record of `hostname` belongs to. Absent: unknown. */
  readonly dns?: Dns;

  /** The host of URLs: `hostname`, or that of the Service. */
  readonly address: string;

  /** `Public` for everybody, else `Private`; `Cluster` without a host name. */
  readonly reach: Reach;

  /** Absent: HTTP on port 80. */
  readonly tls?: Certificate;

  /** What it shows to edges and the egress. */
  readonly client: Certificate;

  /** The ConfigMap (`ca.crt`) in the namespace of each service, by which it checks edges and the egress. */
  readonly ca: string;

  /** The largest body of a request, in bytes. */
  readonly maxRequestBody: number;

  /** Seconds between two checks of clusters without traffic: the shortest interval of its services. */
  readonly idleCheckInterval: number;
}

/** The Gateway of a cluster that takes requests from fronts and hands them to replicas there. */
export interface Edge extends GatewayLocation {
  /** Absent: only fronts on this cluster reach it. */
  readonly hostname?: string;

  /** The name that fronts ask for and check: `hostname`, or that of its Service. */
  readonly serverName: string;
  readonly reach: Reach;

  /** The zone that the record of `hostname` belongs to. Absent: unknown. */
  readonly dns?: Dns;
  readonly tls: Certificate;

  /** The ConfigMap (`ca.crt`) in `fleetwright-system` that signed the certificates of fronts. */
  readonly ca: string;

  /** The names of the fronts that may connect, sorted: those of their client certificates. */
  readonly clientNames: readonly string[];

  /** Seconds between two checks of engines without traffic: the shortest interval of its backends. */
  readonly idleCheckInterval: number;

  /** By host name. */
  readonly backends: readonly EdgeBackend[];
}

/** Where requests for one host name and path prefix go. */
export interface InboundRoute {
  /** The Host by which a front asks for it. It is in no DNS, and at most 253 characters long. */
  readonly hostname: string;
  readonly service: NamespacedName;

  /** What requests begin with: `/team-a/chat/`. It is taken off. */
  readonly path: string;

  /** The path at which fronts ask whether it serves: `/team-a/chat/-/ready`. */
  readonly readyPath: string;
  readonly tier: 0 | 1;
  readonly timeouts: Timeouts;
}

/** Replicas of one deployment on one cluster, as one service of one tier asks for them. */
export interface EdgeBackend extends InboundRoute {
  readonly deployment: NamespacedName;

  /** The indices of the replicas behind it, sorted. */
  readonly replicas: readonly number[];

  /** Set where it is not all replicas of the deployment on the cluster, but this one. */
  readonly replica?: number;

  /**
   * The Service before its engines, in the namespace of the deployment. That of the deployment itself is rendered
   * with its replicas; one of a single replica (`replica`) is not, and has this `selector`.
   */
  readonly target: {
    readonly service: string;
    readonly port: number;

    /** The port on which pods answer. */
    readonly containerPort: number;

    /** The labels of the pods. */
    readonly selector: Readonly<Record<string, string>>;
  };

  /** The path of engines that stands for `readyPath`. Absent: nobody asks engines, and the edge answers 200. */
  readonly enginePath?: string;

  /** How the edge asks engines at `enginePath`. Absent: not at all. */
  readonly health?: EngineCheck;
  readonly picker: Picker;

  /** Set where requests may become WebSockets. */
  readonly webSocket?: true;
}

/** How the edge asks the engines of a deployment. */
export interface EngineCheck extends HealthCheck {
  /** Where it is not the port that serves. */
  readonly port?: number;
}

/** The Gateway of a cluster with a front that takes requests out of the fleet. */
export interface Egress extends GatewayLocation {
  /** The name of its Service, by which fronts ask for it and check it. */
  readonly serverName: string;
  readonly tls: Certificate;
  readonly ca: string;
  readonly clientNames: readonly string[];
  readonly maxRequestBody: number;

  /** By host name. */
  readonly backends: readonly EgressBackend[];
}

/** One external endpoint, as one service of one tier asks for it. */
export interface EgressBackend extends InboundRoute {
  /** The ModelEndpoint. */
  readonly endpoint: NamespacedName;
  readonly host: string;

  /** Whether `host` is an IP address. */
  readonly isAddress: boolean;
  readonly port: number;

  /** Absent: plain HTTP. */
  readonly tls?: {
    /** The name that it is asked for, and that its certificate has. */
    readonly serverName: string;

    /** The ConfigMap (`ca.crt`) in the namespace of the endpoint. Absent: the well-known authorities. */
    readonly ca?: string;
  };

  /** The prefix `from` of request paths becomes `to`; neither ends in `/`, but for `/` itself. */
  readonly rewrite: { readonly from: string; readonly to: string };

  /** The key of the Secret holds the whole value of the header. */
  readonly credential?: { readonly header: string; readonly scheme?: string; readonly secret: SecretKey };

  /** What takes the place of the model in JSON bodies. Absent: the name stays. */
  readonly model?: string;
}
