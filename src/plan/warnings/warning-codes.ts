/** Warnings about selectors and devices, and about clusters. */
const HARDWARE = {
  'constant-condition': 'a condition that does not depend on the device',
  'marketing-size': 'the memory that the box says is asked for, and devices that publish less are left out',
  'no-device': 'no device of any pool is what the request asks for',
  'no-volume-driver': 'a volume on a cluster that has no driver for it',
  'one-device': 'a selector on one physical device',
  'selector-error': 'a selector that fails on a device of a class that it matches elsewhere',
  'unguarded-attribute': 'an attribute that some devices leave out, read without asking for it',
  'uncovered-replicas': 'replicas on more nodes than a snapshot shows',
  'unjudged-constraint': 'a constraint on an attribute that a class does not state',
  'unknown-attribute': 'an attribute that no device has',
  'unknown-domain': 'a domain that no device has',
  'unknown-driver': 'a driver that no device has',
  'unknown-region': 'a region that the cloud is not known to have',
  'unstated-attribute': 'an attribute that the driver publishes and a class does not state',
  'wrong-comparison': 'a value compared with one of another type',
};

/** Warnings about what containers tell engines. Under the alias group they are all that is told. */
const ENGINES = {
  'bad-port': 'ports that do not agree',
  contradiction: 'two things said that cannot both hold',
  'hub-out-of-reach': 'a model that an engine fetches, on a cluster without a way to where it is',
  loopback: 'an engine that listens inside its pod alone',
  'no-bootstrap': 'a gang that cannot be started as it is written',
  'no-command': 'a container that starts no engine',
  'no-model': 'an engine that is told no model',
  'no-phases': 'a runtime that takes no phase',
  'no-transfer': 'a pair without a way for the cache of keys and values',
  parallelism: 'parallelism that does not add up to the devices of a pod',
  'port-taken': 'a port that something else of the pod has',
  'unable-device': 'a device that cannot compute with the numbers asked for',
  'unknown-health': 'a runtime whose health nobody knows',
  'unread-block-size': 'a block size that cannot be read',
  'unread-port': 'a port that cannot be read',
};

/** Warnings about caches and adapters. */
const CACHES = {
  'adapters-not-passed': 'adapters that a script does not name',
  'cache-without-cluster': 'a cache that no cluster can hold',
  'unpinned-revision': 'a revision that may move',
  'unverified-file': 'a file that nothing verifies',
};

/** Warnings about what a cloud would refuse. Only under the alias group, otherwise they are errors. */
const CLOUDS = {
  'bad-capacity-block': 'a capacity block that nodes cannot come from',
  'bad-cidr': 'a range of addresses that cannot be used',
  'bad-fabric': 'a fabric that machines have not',
  'bad-name': 'a name that a cloud does not take',
  'bad-size': 'a number of nodes that cannot be made',
  'bad-version': 'a version of Kubernetes that clusters are not made with',
  'bad-zone': 'a zone in which nodes cannot be',
  duplicate: 'a zone that is listed twice',
  'not-partitioned': 'parts of GPUs that nobody makes',
  'wrong-driver': 'a GPU driver without the device plugin that is needed',
  'wrong-instance-type': 'GPUs that an instance type has not',
};

/** Warnings about services and how requests reach replicas. */
const ROUTES = {
  'credential-in-clear': 'a credential that is sent without TLS',
  'few-failure-domains': 'replicas in fewer failure domains than their service asks for',
  'other-model-name': 'engines that do not answer to the model that requests name',
  'shadowed-entry': 'an entry of a service of which others have everything',
  'unreachable-edge': 'a gateway that may not reach a cluster',
  'unserved-entry': 'an entry of a service that no replica serves',
};

/** Warnings about rules of the fleet, silenced on the Fleet that names them. */
const POLICIES = {
  'idle-rule': 'a rule about what the fleet does not have',
};

/** Every warning that can be silenced on the resource that it is about, and what it means. */
export const WARNING_CODES: Readonly<Record<string, string>> = {
  ...HARDWARE,
  ...ENGINES,
  ...CACHES,
  ...CLOUDS,
  ...ROUTES,
  ...POLICIES,
};
