// Every code of a diagnostic, with one line of meaning. `npm run generate` writes docs/diagnostics.md from these tables.

const SELECTORS = {
  'constant-condition': 'A part of a selector has the same result for every device',
  'marketing-size': 'A request asks for the nominal memory of a GPU, and the driver publishes less',
  'no-device': 'No device of any pool meets the request',
  'no-volume-driver': 'A pod needs a volume driver that its cluster does not have',
  'one-device': 'A selector selects one physical device, and matches nothing once that is replaced',
  'selector-error': 'A selector fails on a device of a class that it matches elsewhere',
  'unguarded-attribute':
    'A selector reads an attribute that some devices do not publish, without a check that it is there',
  'uncovered-replicas': 'Replicas need more nodes than a snapshot shows',
  'unjudged-constraint': 'A constraint reads an attribute that a class does not state',
  'unknown-attribute': 'No device publishes an attribute or capacity of this name',
  'unknown-domain': 'No device publishes an attribute or capacity of this domain',
  'unknown-driver': 'No device has a driver of this name',
  'unknown-region': 'No cloud is known to have a region of this name',
  'unstated-attribute': 'A selector reads an attribute that the driver publishes and a class does not state',
  'wrong-comparison': 'A selector compares values of two types',
};

const ENGINES = {
  'bad-port': 'A port is not a number from 1 to 65535, or the ports of an engine do not agree',
  contradiction: 'Two fields or conditions cannot both hold',
  'hub-out-of-reach': 'An engine fetches a model from the internet, and its cluster uses a mirror',
  loopback: 'An engine listens on the loopback address of its pod alone',
  'no-bootstrap': 'The arguments that join the nodes of a gang cannot be added to its command',
  'no-command': 'The image of a runtime starts no engine, and the container has no command',
  'no-model': 'The arguments of an engine name no model',
  'no-phases': 'A runtime cannot run prefill or decode alone',
  'no-transfer': 'The engines of a prefill and decode pair do not transfer their key-value cache',
  parallelism: 'The parallelism of an engine does not match the devices that its pods claim',
  'port-taken': 'An engine and another container of its pod use the same port',
  'unable-device': 'A device cannot compute in the number format that an engine is set to use',
  'unknown-health': 'The health check of a runtime is not known',
  'unread-block-size': 'The block size of an engine cannot be read before it runs',
  'unread-port': 'The port of an engine cannot be read before it runs',
};

const CACHES = {
  'adapters-not-passed': 'A script starts an engine without its LoRA adapters',
  'cache-without-cluster': 'No cluster can hold a cache',
  'unpinned-revision': 'A cache names a branch or no revision, so that its content can change',
  'unverified-file': 'A cache downloads a file without a checksum',
};

const CLOUDS = {
  'bad-capacity-block': 'A pool cannot take its nodes from the capacity block that it names',
  'bad-cidr': 'A range of addresses is malformed, too small or in use',
  'bad-fabric': 'A cloud or instance type does not have the network fabric of a pool',
  'bad-name': 'A name is not one that Kubernetes or a cloud accepts',
  'bad-size': 'A cloud cannot make a pool of this number of nodes',
  'bad-version': 'A version is malformed, or clusters of this Kubernetes version cannot be made',
  'bad-zone': 'A zone is not in the region, or the number of zones is wrong',
  duplicate: 'A zone is listed twice',
  'not-partitioned': 'A class has partitions of GPUs, and the cloud makes nodes with whole GPUs',
  'wrong-driver': 'A cluster without DRA has a class whose GPU driver brings no device plugin',
  'wrong-instance-type': 'A class declares devices that its instance type does not have',
};

const SERVICES = {
  'credential-in-clear': 'A credential is sent to an endpoint without TLS',
  'few-failure-domains': 'The replicas of a service are in fewer failure domains than it requires',
  'other-model-name': 'Engines serve a model under another name than requests use',
  'shadowed-entry': 'Earlier entries of a service select everything that an entry selects',
  'unreachable-edge': 'A gateway may not reach the edge of a cluster',
  'unserved-entry': 'No replica serves an entry of a service',
};

const RULES = {
  'idle-rule': 'A policy names something that the fleet does not have',
};

/** Warnings that an annotation on the resource that they are about can silence, in the order in which hints list them. */
export const SILENCEABLE = { ...SELECTORS, ...ENGINES, ...CACHES, ...CLOUDS, ...SERVICES, ...RULES };

const FILES = {
  'alias-bomb': 'YAML aliases repeat more values than the limit of a run',
  'bad-alias': 'A YAML alias has no anchor, or is inside its own anchor',
  'bad-key': 'The key of a YAML map is not text',
  'bad-list': 'The items of a List are missing, nested or of no kind',
  'bad-yaml': 'A file has a syntax error',
  'conflict-markers': 'A file has the markers of an unfinished merge',
  'duplicate-key': 'A key occurs twice in a YAML map',
  'empty-file': 'A file that a resource names is empty',
  'many-documents': 'A file has several YAML documents where one is expected',
  'merge-key': 'A map uses the YAML 1.1 merge key',
  'more-problems': 'A manifest has more problems than are listed',
  'no-file': 'A field names a file that does not exist',
  'no-manifest': 'A YAML document is not a manifest',
  'no-manifests': 'A folder has no manifests',
  'no-snapshot': 'A field names a snapshot that does not exist',
  'not-found': 'A file or folder does not exist',
  'not-text': 'A file is not UTF-8 text',
  'nothing-declared': 'The files declare no resource of a fleet',
  'too-deep': 'Values of a file are nested too deeply',
  'too-large': 'A file or document exceeds a size limit',
  'too-many-documents': 'The manifests exceed the limit of documents of a run',
  'unknown-tag': 'A YAML tag is not known',
  'unnamed-file': 'A file has data of a kind that the Fleet has to name, and does not',
  unreadable: 'A file or folder cannot be read',
};

const FIELDS = {
  'bad-address': 'A value is not a web or network address of the required form',
  'bad-bounds': 'A lower bound is greater than its upper bound',
  'bad-checksum': 'A value is not a checksum',
  'bad-date': 'A value is not a date',
  'bad-duration': 'A value is not a duration',
  'bad-header': 'A value is not a name or value of an HTTP header',
  'bad-label': 'A value is not a label key or label value of Kubernetes',
  'bad-path': 'A value is not a path of the required form',
  'bad-pattern': 'A file pattern has a wildcard in the name of a folder',
  'bad-phases': 'The phases of engines do not match the serving mode',
  'bad-placement': 'A placement field has no effect or is missing for the placement policy',
  'bad-quantity': 'A value is not a Kubernetes quantity',
  'bad-registry': 'A value is not an image registry',
  'bad-roles': 'The roles of the members do not form an engine',
  'bad-selector': 'A selector does not compile',
  'bad-toleration': 'The fields of a toleration do not belong together',
  'bad-url': 'A value is not an HTTP address, or contains a credential',
  'bad-value': 'A value is not valid for its field',
  'duplicate-name': 'A name occurs twice in a list',
  'duplicate-port': 'Containers of a pod use the same port',
  'insecure-gateway': 'A public gateway or its service accepts requests without a key',
  'many-models': 'A model definition has several models',
  'missing-field': 'A required field is missing',
  'moved-field': 'A field of an older version or another place has a new place',
  'not-exactly-one': 'Fields of which exactly one is allowed are all missing or set together',
  'out-of-bounds': 'A number, text or list is outside its limits',
  'reserved-label': 'A label is set by Fleetwright itself',
  'reserved-name': 'A container, volume or port has a name that Fleetwright uses',
  'secret-in-manifest': 'A manifest contains a secret in clear text',
  'unknown-field': 'A field does not exist',
  'unknown-kind': 'An API group has no kind of this name',
  'unknown-value': 'A value is not one of those that the field allows',
  'unknown-version': 'An API group or version does not exist',
  'wrong-type': 'A value has the wrong type',
};

const FLEET = {
  'built-in-class': 'A shared file system has the name of a storage class of the cloud',
  'cache-without-storage': 'Replicas mount a cache on a cluster without a shared file system',
  'duplicate-resource': 'A resource is declared twice',
  'name-collision': 'Two objects or constructs have the same name',
  'needs-internet': 'A cache reads from the internet, and its cluster uses a mirror',
  'no-adapters': 'A deployment has LoRA adapters, and its runtime takes none',
  'no-claims': 'A cluster that uses DRA does not serve its API',
  'no-devices': 'An engine asks for no device, or a cluster shows none',
  'no-such-domain': 'No cluster has the label of a failure domain',
  'no-target': 'A Grant or a preference matches no resource',
  'old-version': 'A Kubernetes version does not support what pods need',
  'other-currency': 'A price is not in the currency of the fleet',
  'second-fleet': 'The manifests declare a second Fleet',
  'unknown-file-system': 'A storage price names a file system that no cluster has',
  'unknown-instance-type': 'The catalogue has no instance type of this name',
  'unknown-reference': 'A field names a resource, request, device or row that does not exist',
  'unserved-feature': 'No allowed cluster supports a DRA feature that a request uses',
  'wrong-device-class': 'A DeviceClass does not contain devices of the declared driver or type',
  'wrong-provider': 'A class or instance type is for another cloud',
  'wrong-reference': 'A reference is to a resource of the wrong kind or content',
};

const SNAPSHOTS = {
  'device-differs': 'A node publishes other facts of a device than its class states',
  'device-falls-short': 'A node publishes less capacity of a device than its class states',
  'duplicate-object': 'A snapshot contains an object twice',
  'empty-snapshot': 'A snapshot is empty',
  'lost-nodes': 'A snapshot shows fewer usable nodes than a pool declares',
};

const ROUTING = {
  'duplicate-host': 'Two gateways or edges have the same host name',
  'external-endpoint': 'An entry sends requests outside the fleet, and the gateway forbids that',
  'model-not-served': 'An endpoint does not list the model that a service requests',
  'no-client-certificate': 'The gateway of a cluster has no certificate to present to edges',
  'no-edge-certificate': 'The edge of a cluster has no certificate',
  'no-edge-host': 'The edge of a cluster has no host name, and gateways on other clusters need one',
  'no-front-certificate': 'The gateway of a cluster has no certificate',
  'no-gateway-cluster': 'An InferenceGateway is on no cluster',
  'selects-nothing': 'A service selects no deployment and no endpoint',
  'too-many-members': 'A service splits requests into more shares than a route can have',
  'too-many-rules': 'A service needs more rules than a route can have',
};

const OBJECTS = {
  'dangling-reference': 'An object refers to a Gateway, Backend, filter or EnvoyProxy that does not exist',
  'exposed-credential': 'A route adds a credential to requests that come from outside the cluster',
  'no-policy-target': 'The target of a policy does not exist, or is in another namespace',
  'no-reference-grant': 'No ReferenceGrant allows a reference to another namespace',
  'no-traffic-policy': 'A route has no BackendTrafficPolicy',
  'no-weight': 'All weights of a route rule are 0',
  'open-route': 'A route accepts requests without a key, token or client certificate',
  'retry-without-trigger': 'A retry policy lists status codes without the trigger that uses them',
  'shadowed-route': 'Two route rules match the same requests',
  'two-policies': 'Two policies of one kind have the same target',
  'unproven-backend': 'A BackendTLSPolicy accepts a certificate of any host',
};

const PLAN = {
  'bad-silence': 'An annotation that silences a warning has no reason, or names no such warning',
  denied: 'A policy denies the plan',
  frozen: 'A change affects a replica of a paused deployment or cluster',
  outage: 'A change stops all replicas of a deployment for a time',
  'stale-lock': 'The lock does not match what would be decided now',
  'stuck-drain': 'Replicas cannot leave a cluster that is drained',
  'too-few-left': 'The loss of a cluster or domain leaves too few replicas',
  unplaced: 'Replicas have no place',
  warned: 'A policy warns of the plan',
};

const LOCK = {
  'bad-lock': 'A line of the lock is malformed, missing or damaged',
  'duplicate-line': 'The lock has a deployment or replica twice',
  'lock-conflict': 'The lock has the markers of an unfinished merge',
  'lock-version': 'The lock has a version that this release does not read',
  'no-lock': 'A lock file that a flag names does not exist',
  'other-lock': 'A program reads another lock than the command would use',
};

const COMMANDS = {
  'bad-flag': 'A flag has a value that it does not take',
  'bad-inventory': 'The inventory of written files is damaged or of another version',
  'bad-output-path': 'A name of a resource leads outside the output folder',
  'bad-saved-plan': 'A saved plan is damaged or of another version',
  'bad-step': 'A step of a scenario is malformed',
  dirty: 'Files of a fleet have uncommitted changes',
  exists: 'A file that would be written already exists',
  git: 'A git command failed',
  'literal-secret': 'A declaration that would be saved may contain a secret',
  'no-against': 'A flag needs --against',
  'no-gate': 'A flag needs --gate',
  'no-key': 'The environment has no variable of the name that --key-env gives',
  'no-scenario': 'A what-if run or a scenario has no step',
  'not-in-git': 'A revision does not have the files of the fleet',
  'not-written': 'A file or folder cannot be written',
  'output-blocked': 'The output folder has files that Fleetwright did not write',
  'output-in-use': 'Another run writes to the output folder',
  'two-views': 'Two flags ask for different forms of output',
  'unknown-deployment': 'The fleet has no deployment of this name',
  'unknown-hardware': 'Nothing in the catalogue matches a query',
  'unknown-name': 'A scenario names something that the fleet does not have',
  'unknown-service': 'The fleet has no service of this name',
  'unknown-shell': 'There is no completion script for a shell',
};

const PROGRAMS = {
  'bad-place': 'A program calls place() twice, or without a lock',
  'bad-program': 'A cdk8s.yaml names no program that can run',
  'bad-renderer': 'A renderer is for another version of Fleetwright',
  'bad-setting': 'A setting of a Pulumi stack is not valid',
  'foreign-reference': 'A construct refers to a construct of another fleet or namespace',
  'many-fleets': 'A program declares several fleets',
  'no-chart': 'A construct of a fleet depends on another construct, and is in no chart',
  'no-fleet': 'A construct is declared outside a fleet',
  'no-project': 'No project of Google Cloud is configured',
  'no-provider': 'The package of a Pulumi provider is not installed',
  'not-provisioned': 'Clusters on this cloud cannot be provisioned',
  'other-cluster': 'A cluster of another name is given for a cluster of the fleet',
  'other-program': 'The folder of a stack holds a program instead of manifests',
  'other-renderer': 'A program uses renderers that the command does not have',
  placed: 'A construct is declared after its fleet was placed',
  'program-failed': 'A program failed, or ended without calling place()',
  'shared-record': 'A DNS record holds addresses of clusters of other stacks',
};

const CLUSTERS = {
  'bad-kubeconfig': 'A kubeconfig cannot be read or used',
  'cluster-check': 'A check of a running cluster failed or warned',
  'no-context': 'No context of the kubeconfig leads to a cluster',
  'no-kubeconfig': 'A cluster has no kubeconfig',
  'unknown-cluster': 'The fleet has no cluster of this name',
  unreachable: 'The API server of a cluster does not answer',
  unseen: 'Objects of a cluster cannot be listed',
  'waves-in-vain': 'Waves of a rollout would wait for devices that the change itself frees',
  'waves-unseen': 'Whether waves of a rollout would block is not known',
};

const CHECKS = {
  'ai-gateway-api': 'Whether the API of Envoy AI Gateway is served',
  'api-server': 'Whether the API server answers',
  'cert-manager': 'Whether the API of cert-manager is served',
  'device-classes': 'Whether the DeviceClasses of the declared devices exist',
  devices: 'Whether nodes publish the devices that their class states',
  dra: 'Whether the API of Dynamic Resource Allocation is served',
  'driver-label': 'Whether nodes have the label that their device driver selects',
  'envoy-gateway-api': 'Whether the API of Envoy Gateway is served',
  'gateway-api': 'Whether Gateway API is served',
  'gateway-controller': 'Whether Envoy Gateway has the required settings',
  'inference-api': 'Whether the API of InferencePool is served',
  'leader-worker-set': 'Whether LeaderWorkerSet is served',
  nodes: 'Whether pools have their nodes',
  permissions: 'Whether the user may apply what is rendered',
  'storage-class': 'Whether the storage classes of the cluster exist',
  taints: 'Whether nodes have the taints of their pool',
  version: 'Whether the Kubernetes version is the declared one',
};

/** Every code, and what it means. */
export const DIAGNOSTIC_CODES = {
  ...SILENCEABLE,
  ...FILES,
  ...FIELDS,
  ...FLEET,
  ...SNAPSHOTS,
  ...ROUTING,
  ...OBJECTS,
  ...PLAN,
  ...LOCK,
  ...COMMANDS,
  ...PROGRAMS,
  ...CLUSTERS,
  ...CHECKS,
};

/** A stable, kebab-case name of a kind of problem, or of a check of a running cluster. */
export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;

/** Codes that belong together, for docs/diagnostics.md. */
export interface DiagnosticArea {
  readonly title: string;
  readonly codes: Readonly<Record<string, string>>;
}

/** All codes by area. Those of the first list are warnings that can be silenced. */
export const DIAGNOSTIC_AREAS: readonly DiagnosticArea[] = [
  { title: 'Selectors and devices', codes: SELECTORS },
  { title: 'Engines', codes: ENGINES },
  { title: 'Caches and adapters', codes: CACHES },
  { title: 'Clouds', codes: CLOUDS },
  { title: 'Services', codes: SERVICES },
  { title: 'Policies', codes: RULES },
  { title: 'Files and YAML', codes: FILES },
  { title: 'Fields', codes: FIELDS },
  { title: 'Resources of a fleet', codes: FLEET },
  { title: 'Snapshots', codes: SNAPSHOTS },
  { title: 'Gateways and routes', codes: ROUTING },
  { title: 'Objects that programs add to routes', codes: OBJECTS },
  { title: 'Plans', codes: PLAN },
  { title: 'The lock', codes: LOCK },
  { title: 'Commands', codes: COMMANDS },
  { title: 'Programs and stacks', codes: PROGRAMS },
  { title: 'Running clusters', codes: CLUSTERS },
  { title: 'Checks of fleetwright doctor', codes: CHECKS },
];
