/** A deployment that says of two requests what only claims can say. */
export function claims([gpu, nic]: readonly object[]): { template: object } {
  const tolerations = [
    { key: 'example.com/old', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
    { key: 'example.com/slow', value: 'very' },
  ];
  const parameters = {
    apiVersion: 'resource.nvidia.com/v1beta1',
    kind: 'GpuConfig',
    sharing: { list: [1, 'a'] },
  };
  const asked = [{ ...gpu, tolerations, config: [{ driver: 'gpu.nvidia.com', parameters }] }, nic];
  const firstAvailable = ['large', 'small'].map((name, i) => ({
    name,
    count: 2 - i,
    selectors: [{ cel: 'device.driver == "gpu.nvidia.com"' }],
  }));
  const constraints = [{ distinctAttribute: 'gpu.nvidia.com/uuid', requests: ['gpu'] }];
  const template = { spec: { containers: [{ name: 'engine', image: 'ollama:1' }] } };
  const selectors = {
    exact: { devices: asked, constraints },
    flexible: { devices: [{ name: 'gpu', firstAvailable, tolerations }] },
  };
  const engines = Object.entries(selectors).map(([name, nodeSelector]) => ({
    name,
    members: [{ nodeSelector, template }],
  }));
  return { template: { spec: { engines } } };
}
