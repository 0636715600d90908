import { Workspace } from './cli';
import { AT_80, BOTH, cel, GPU, MEMORY, type Warned, warned, write } from './warned';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const rows: Record<string, readonly [Warned, readonly string[]]> = {
  'a size of the box that no device publishes': [
    { request: cel(AT_80) },
    [
      `no-device: no device of any pool matches. Of the nearest device, NVIDIA H100 80GB HBM3, memory 81559Mi is less than 80Gi. NVIDIA H100 80GB HBM3 publishes 81559Mi. Require 79Gi. <${AT_80}>`,
    ],
  ],
  'a size of the box that leaves some devices out': [
    { classes: BOTH, request: cel(AT_80) },
    [
      `marketing-size: NVIDIA H100 80GB HBM3 does not match: memory 81559Mi is less than 80Gi. It publishes less than its nominal memory. Require 79Gi. <${AT_80}>`,
    ],
  ],
  'the short form is shown as it is written, not as the CEL that it stands for': [
    { request: 'where: { memory: ">= 80Gi" }' },
    [expect.stringMatching(/^no-device: .* Require 79Gi\. <memory: ">= 80Gi">$/)],
  ],
  'a misspelt value of the short form, once, with the value that was meant': [
    { request: 'where: { architecture: Hoper, memory: ">= 40Gi" }' },
    [`unlisted-value: no known device has the architecture 'Hoper'. Did you mean 'Hopper'?. <architecture: Hoper>`],
  ],
  'a part of a product name, with the full names': [
    { request: 'where: { productName: [H100, NVIDIA H200] }' },
    [
      `unlisted-value: no known device has the productName 'H100'. Did you mean 'NVIDIA H100 80GB HBM3' or 'NVIDIA H100 NVL' or 'NVIDIA H100 PCIe'?. <productName: [H100, NVIDIA H200]>`,
    ],
  ],
  'devices that another selector leaves out anyway are not missed': [
    { classes: BOTH, request: cel(AT_80, `${GPU}.productName == "NVIDIA H200"`) },
    [],
  ],
  'more than the box says is meant': [
    { classes: BOTH, request: cel(`${MEMORY}.compareTo(quantity("100Gi")) >= 0`) },
    [],
  ],
  'the nearest device is the one that meets most, and its value is reported': [
    {
      classes: BOTH,
      request: cel(`${GPU}.architecture == "Hopper" && ${MEMORY}.compareTo(quantity("150Gi")) >= 0`),
    },
    [
      `no-device: no device of any pool matches. Of the nearest device, NVIDIA H200, memory 143771Mi is less than 150Gi. Declare a pool of a class that has more, or require 140Gi if that is enough. <${MEMORY}.compareTo(quantity("150Gi")) >= 0>`,
    ],
  ],
  'the nearest is the one that meets more selectors': [
    {
      classes: { a100: 'from: aws/p4de.24xlarge', h100: 'from: aws/p5.48xlarge' },
      request: cel(`${GPU}.architecture == "Hopper"`, `${MEMORY}.compareTo(quantity("150Gi")) >= 0`),
    },
    [expect.stringMatching(/^no-device: .* Of the nearest device, NVIDIA H100 80GB HBM3, memory 81559Mi/)],
  ],
  'the nearest is the one that meets more of a selector': [
    {
      classes: { a100: 'from: aws/p4de.24xlarge', h100: 'from: aws/p5.48xlarge' },
      request: cel(`${GPU}.architecture == "Hopper" && ${MEMORY}.compareTo(quantity("150Gi")) >= 0`),
    },
    [expect.stringMatching(/^no-device: .* Of the nearest device, NVIDIA H100 80GB HBM3, memory 81559Mi/)],
  ],
  'what is no bound cannot be lowered': [
    { request: cel(`${GPU}.architecture == "Ampere"`) },
    [
      `no-device: no device of any pool matches. Of the nearest device, NVIDIA H100 80GB HBM3, architecture is "Hopper", not "Ampere". Require a value that exists, or declare a pool of a class that has it, such as 'from: aws/g5.xlarge' (1 x a10g, from $1.01 an hour). <${GPU}.architecture == "Ampere">`,
    ],
  ],
  'an attribute that one class states and another does not is unknown there': [
    {
      classes: {
        h100: 'from: aws/p5.48xlarge',
        h200: '{ from: aws/p5en.48xlarge, devices: [{ name: gpu, attributes: { driverVersion: { version: 580.0.0 } } }] }',
      },
      request: cel(`${GPU}.driverVersion.compareTo(semver("570.0.0")) >= 0`),
    },
    [
      `unstated-attribute: the selector fails on device 'gpu' of class gpu.nvidia.com, and matches devices of other classes: no such key: driverVersion. Add 'driverVersion: { version: 580.126.20 }', with the value of your nodes, to attributes of device 'gpu' of InferenceClass 'h100'. <${GPU}.driverVersion>`,
    ],
  ],
  'an attribute that some devices leave out': [
    { request: cel(`device.attributes["resource.kubernetes.io"].pcieRoot == "x"`) },
    [expect.stringMatching(/^unguarded-attribute: .* <device\.attributes\["resource\.kubernetes\.io"\]\.pcieRoot>$/)],
  ],
  'a region that is like one of the cloud': [
    { request: cel(`${GPU}.architecture == "Hopper"`), region: 'us-esat-1' },
    ["unknown-region: EKS has no known region 'us-esat-1'. Use 'us-east-1' if you meant that."],
  ],
  'a zone in place of its region': [
    { request: cel(`${GPU}.architecture == "Hopper"`), region: 'us-west-2b' },
    ["unknown-region: EKS has no known region 'us-west-2b'. Use 'us-west-2' if you meant that."],
  ],
  'a region that is like none may be new': [
    { request: cel(`${GPU}.architecture == "Hopper"`), region: 'antarctica-1' },
    [
      "unknown-region: EKS has no known region 'antarctica-1'. Check the name. The catalog has no prices and machines of other regions.",
    ],
  ],
  nothing: [{ request: cel(`${GPU}.architecture == "Hopper"`) }, []],
};

describe('a plan warns of', () => {
  test.each(Object.entries(rows))('%s', (_, [fleet, want]) => {
    write(work, fleet);
    expect(warned(work)).toEqual(want);
  });

  test('the place and the part of the expression, for a person', () => {
    write(work, { classes: BOTH, request: cel(AT_80) });
    expect(work.run('plan ./fleet.yaml').out).toContain(
      `warning: fleet.yaml:35:40: NVIDIA H100 80GB HBM3 does not match: memory 81559Mi is less than 80Gi. It publishes less than its nominal memory. Require 79Gi.
    ${AT_80}
    ${'^'.repeat(AT_80.length)}
`,
    );
  });
});

describe('an error', () => {
  test('stops a run, with its place and the part of the expression', () => {
    write(work, {
      request: cel(`${GPU}.architecture == "Hopper" && ${GPU}.cudaComputeCapability == "9.0.0"`),
    });
    expect(work.run('validate ./fleet.yaml')).toEqual({
      code: 1,
      out: '',
      err: `fleet.yaml:28:40: 'cudaComputeCapability' is a version, and "9.0.0" is a text: the comparison fails or is never true. Use ${GPU}.cudaComputeCapability.compareTo(semver("9.0.0")) >= 0.
    m"].architecture == "Hopper" && ${GPU}.cudaComputeCapability == "9.0.0"
                                    ${'^'.repeat(`${GPU}.cudaComputeCapability == "9.0.0"`.length)}
`,
    });
  });

  test('is a warning under the alias group, where manifests go on loading', () => {
    write(work, { request: cel(`${GPU}.architecture == "Hopper" && 1 > 2`) });
    const ours = work.read('fleet.yaml');
    work.write({
      'fleet.yaml': ours.replaceAll(/fleetwright\.dev\/v1alpha1(?=\nkind: ModelDeployment)/g, 'modelplane.ai/v1alpha1'),
    });
    expect(warned(work)[0]).toMatch(/^constant-condition: 1 > 2 is always false/);
  });

  test('is at every place that has the selector', () => {
    const wrong = `${GPU}.architecure == "Hopper"`;
    write(work, { request: `firstAvailable: [{ name: a, ${cel(wrong)} }, { name: b, ${cel(wrong)} }]` });
    expect(work.run('validate ./fleet.yaml').err.match(/no device publishes/g)).toHaveLength(2);
  });
});
