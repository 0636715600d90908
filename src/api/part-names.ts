/**
 * The names of the objects in documents, by the name of the parent object and the field. `*` stands for all other
 * parents or fields, `[]` marks the items of a list, `{}` the values of a map. Without a row, `spec` is named after
 * its parent, and other objects are named after their field: `volumes[]` is a `Volume`.
 *
 * Objects that also exist in Kubernetes have their names from Kubernetes.
 */
const NAMES: Readonly<Record<string, string>> = {
  '*.credentials': 'CloudCredentials',
  '*.secretRef': 'SecretReference',
  '*.certificateRef': 'SecretReference',
  '*.issuer': 'CertificateIssuer',
  '*.modelCacheRef': 'ModelCacheReference',
  '*.selectors[]': 'DeviceSelector',
  '*.resources': 'ResourceRequirements',
  '*.requests': 'ResourceAmounts',
  '*.limits': 'ResourceAmounts',
  '*.env[]': 'EnvVar',
  '*.envFrom[]': 'EnvFromSource',
  '*.startupProbe': 'Probe',
  '*.livenessProbe': 'Probe',
  '*.ports[]': 'ContainerPort',
  '*.httpGet': 'HttpGetAction',
  '*.exec': 'ExecAction',
  '*.tcpSocket': 'TcpSocketAction',
  '*.grpc': 'GrpcAction',
  '*.items[]': 'KeyToPath',
  '*.configMap': 'ConfigMapVolume',
  '*.downwardAPI': 'DownwardApiVolume',
  '*.metadata': 'NamespacedMetadata',

  'Fleet.metadata': 'ClusterScopedMetadata',
  'InferenceClass.metadata': 'ClusterScopedMetadata',
  'InferenceCluster.metadata': 'ClusterScopedMetadata',
  'InferenceGateway.metadata': 'ClusterScopedMetadata',

  'FleetSpec.defaults': 'FleetDefaults',
  'FleetSpec.namespaces[]': 'NamespaceRule',

  'InferenceClassSpec.node': 'ClassNode',
  'InferenceClassSpec.price': 'NodePrice',
  'Provisioning.gke': 'GkeProvisioning',
  'Provisioning.eks': 'EksProvisioning',
  'Provisioning.aks': 'AksProvisioning',
  'Provisioning.nebius': 'NebiusProvisioning',
  'Provisioning.vultr': 'VultrProvisioning',
  'Device.attributes{}': 'DeviceAttribute',
  'Device.capacity{}': 'DeviceCapacity',

  'InferenceClusterSpec.cluster': 'ClusterSource',
  'InferenceClusterSpec.taints[]': 'ClusterTaint',
  'InferenceClusterSpec.gateway': 'ClusterGateway',
  'InferenceClusterSpec.storage': 'ClusterStorage',
  'InferenceClusterSpec.network': 'ClusterNetwork',
  'ClusterSource.gke': 'GkeCluster',
  'ClusterSource.eks': 'EksCluster',
  'ClusterSource.aks': 'AksCluster',
  'ClusterSource.nebius': 'NebiusCluster',
  'ClusterSource.vultr': 'VultrCluster',
  'ClusterSource.existing': 'ExistingCluster',
  'GkeCluster.addons': 'GkeAddons',
  'ExistingCluster.secretRef': 'KubeconfigSecret',
  'ExistingCluster.identitySecretRef': 'IdentitySecret',
  'ExistingCluster.cache': 'ExistingCacheStorage',
  'NodePool.taints[]': 'NodeTaint',
  'NodePool.reserved': 'ReservedAmounts',
  'ClusterGateway.tls': 'ClusterGatewayTls',
  'ClusterGatewayTls.clientCertificateRef': 'SecretReference',
  'ClusterGatewayTls.caRef': 'GatewayCaReference',
  'ServingStack.*': 'HelmRelease',
  'ServingStack.inferenceCrds': 'ServingDefinitions',

  'InferenceGatewaySpec.tls': 'GatewayTls',

  'ModelCacheSpec.huggingFace': 'HuggingFaceSource',
  'ModelCacheSpec.s3': 'S3Source',
  'ModelCacheSpec.gcs': 'GcsSource',
  'ModelCacheSpec.http': 'HttpSource',
  'ModelCacheSpec.existingPVC': 'ExistingPvcSource',
  'ModelCacheSpec.clusterSelector': 'CacheClusterSelector',
  'ModelCacheSpec.verify': 'CacheVerification',
  'HuggingFaceSource.authSecret': 'HuggingFaceSecret',
  'GcsSource.secretRef': 'GcsSecret',
  'HttpSource.secretRef': 'HttpSecret',

  'ModelDeploymentSpec.template': 'ReplicaTemplate',
  'ReplicaTemplate.metadata': 'ReplicaMetadata',
  'ReplicaTemplate.spec': 'ReplicaSpec',
  'Placement.preferred[]': 'ExactLabels',
  'ReplicaSpec.serving': 'ServingMode',
  'ClusterSelector.matchExpressions[]': 'ClusterSelectorRequirement',
  'NetworkPolicy.from[]': 'NetworkPolicyPeer',
  'NetworkPolicy.to[]': 'NetworkPolicyPeer',
  'NetworkPolicyPeer.namespaceSelector': 'LabelSelector',
  'NetworkPolicyPeer.podSelector': 'LabelSelector',
  'LabelSelector.matchExpressions[]': 'LabelSelectorRequirement',
  'Engine.startup': 'EngineStartup',
  'Engine.drain': 'EngineDrain',
  'NodeSelector.devices[]': 'DeviceRequest',
  'NodeSelector.constraints[]': 'DeviceConstraint',
  'DeviceRequest.firstAvailable[]': 'DeviceSubRequest',
  'DeviceRequest.tolerations[]': 'DeviceToleration',
  'DeviceRequest.config[]': 'DriverConfig',
  'Member.template': 'PodTemplate',
  'PodTemplate.metadata': 'PodMetadata',
  'PodTemplate.spec': 'PodSpec',

  'PodSpec.containers[0]': 'EngineContainer',
  'PodSpec.containers[]': 'HelperContainer',
  'PodSpec.hostAliases[]': 'HostAlias',
  'PodSpec.securityContext': 'PodSecurityContext',
  'EngineContainer.resources': 'EngineResources',
  'EnvVar.valueFrom': 'EnvVarSource',
  'EnvVarSource.secretKeyRef': 'SecretKeySelector',
  'EnvVarSource.configMapKeyRef': 'ConfigMapKeySelector',
  'EnvVarSource.fieldRef': 'ObjectFieldSelector',
  'EnvFromSource.configMapRef': 'EnvSource',
  'EnvFromSource.secretRef': 'EnvSource',
  'Lifecycle.postStart': 'LifecycleHandler',
  'Lifecycle.preStop': 'LifecycleHandler',
  'LifecycleHandler.sleep': 'SleepAction',

  'Volume.emptyDir': 'EmptyDirVolume',
  'Volume.secret': 'SecretVolume',
  'Volume.persistentVolumeClaim': 'PersistentVolumeClaimVolume',
  'Volume.nfs': 'NfsVolume',
  'Volume.csi': 'CsiVolume',
  'Volume.projected': 'ProjectedVolume',
  'Volume.hostPath': 'HostPathVolume',
  'ProjectedVolume.sources[]': 'VolumeProjection',
  'VolumeProjection.secret': 'SecretProjection',
  'VolumeProjection.serviceAccountToken': 'ServiceAccountTokenProjection',
  'DownwardApiVolume.items[]': 'DownwardApiFile',
  'DownwardApiFile.fieldRef': 'PodFieldSelector',
  'CsiVolume.nodePublishSecretRef': 'SecretReference',
  'NodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[]': 'PreferredSchedulingTerm',
  'PreferredSchedulingTerm.preference': 'NodeSelectorTerm',
  'NodeSelectorTerm.matchExpressions[]': 'NodeSelectorRequirement',

  'ModelServiceSpec.endpoints[]': 'ServiceEndpoint',
  'ServiceEndpoint.selector': 'ExactLabels',
  'ServiceEndpoint.match': 'RequestMatch',
  'ModelEndpointSpec.credential': 'EndpointCredential',
  'ModelEndpointSpec.model': 'EndpointModel',
  'ModelEndpointSpec.tls': 'EndpointTls',
  'EndpointTls.caRef': 'EndpointCaReference',
  'GrantSpec.from[]': 'GrantFrom',
  'GrantSpec.to[]': 'GrantTo',
};

/** The name of the object in a field of a parent object: `Volume` for `volumes[]` of a `PodSpec`. */
export function partNameOf(parent: string, field: string): string {
  const name = NAMES[`${parent}.${field}`] ?? NAMES[`${parent}.*`] ?? NAMES[`*.${field}`];
  return name ?? (field === 'spec' ? `${parent}Spec` : nameOfField(field));
}

/** Names an object after its field: `SecretKeyRef` for `secretKeyRef`, `Volume` for `volumes[]`. */
function nameOfField(field: string): string {
  const [, name = '', marker = ''] = /^(\w+)(.*)$/.exec(field) ?? [];
  const singular = marker === '' ? name : name.replace(/s$/, '');
  return `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`;
}
