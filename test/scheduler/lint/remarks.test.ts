import { reported } from './build';

const A = 'device.attributes["gpu.nvidia.com"]';
const S = 'device.attributes["resource.kubernetes.io"]';
const C = 'device.capacity["gpu.nvidia.com"]';

const values: Record<string, readonly [string, readonly string[]]> = {
  'a misspelt value is near one of the catalog': [
    'A.architecture == "Hoper"',
    [
      `warning unlisted-value: no known device has the architecture 'Hoper'. Did you mean 'Hopper'?.  <${A}.architecture == "Hoper">`,
    ],
  ],
  'each value of a list is checked': [
    'A.architecture in ["Hopper", "blackwell"]',
    [
      `warning unlisted-value: no known device has the architecture 'blackwell'. Did you mean 'Blackwell'?.  <${A}.architecture in ["Hopper", "blackwell"]>`,
    ],
  ],
  'a part of product names gets the full names': [
    'A.productName != "H100"',
    [
      `warning unlisted-value: no known device has the productName 'H100'. Did you mean 'NVIDIA H100 80GB HBM3' or 'NVIDIA H100 NVL' or 'NVIDIA H100 PCIe'?.  <${A}.productName != "H100">`,
    ],
  ],
  'a product for an architecture gets the architecture of the product': [
    'A.architecture == "H100"',
    [
      `warning unlisted-value: no known device has the architecture 'H100'. Did you mean 'Hopper'?.  <${A}.architecture == "H100">`,
    ],
  ],
  'too much of a name gets the name': [
    'A.architecture == "NVIDIA Hopper"',
    [
      `warning unlisted-value: no known device has the architecture 'NVIDIA Hopper'. Did you mean 'Hopper'?.  <${A}.architecture == "NVIDIA Hopper">`,
    ],
  ],
  'the values of classes count': [
    'device.attributes["card.example.com"].rack == "A"',
    [
      `warning unlisted-value: no known device has the rack 'A'. Did you mean 'a'?.  <device.attributes["card.example.com"].rack == "A">`,
    ],
  ],
  'an amount with a unit that Kubernetes does not know fails, and gets the unit': [
    'C.memory.compareTo(quantity("22GB")) >= 0',
    [`error wrong-amount: '22GB' is not a Kubernetes quantity. Did you mean '22Gi'?.  <quantity("22GB")>`],
  ],
  'memory without a unit gets one': [
    'C.memory.compareTo(quantity("22")) >= 0',
    [`warning wrong-amount: '22' means 22 bytes. Did you mean '22Gi'?.  <quantity("22")>`],
  ],
  'memory that each device has gets the unit of devices': [
    'C.memory.compareTo(quantity("22Mi")) >= 0',
    [`warning wrong-amount: '22Mi' is less than any device has. Did you mean '22Gi'?.  <quantity("22Mi")>`],
  ],
  'an upper bound of memory may be small': ['C.memory.compareTo(quantity("22Mi")) < 0', []],
  'the beginning of an architecture gets all of it': [
    'A.architecture == "Blackwel"',
    [
      `warning unlisted-value: no known device has the architecture 'Blackwel'. Did you mean 'Blackwell'?.  <${A}.architecture == "Blackwel">`,
    ],
  ],
  'the beginning of several words gets all of them': [
    'A.architecture == "Ada Lovelac"',
    [
      `warning unlisted-value: no known device has the architecture 'Ada Lovelac'. Did you mean 'Ada Lovelace'?.  <${A}.architecture == "Ada Lovelac">`,
    ],
  ],
  'an architecture with a digit too many gets the architecture': [
    'A.architecture == "Ampere2"',
    [
      `warning unlisted-value: no known device has the architecture 'Ampere2'. Did you mean 'Ampere'?.  <${A}.architecture == "Ampere2">`,
    ],
  ],
  'a product of another driver gets its full name and the driver': [
    'A.productName == "MI300X"',
    [
      `warning unlisted-value: no known device has the productName 'MI300X'. Devices of the driver gpu.amd.com have 'AMD_Instinct_MI300X_OAM': select that driver.  <${A}.productName == "MI300X">`,
    ],
  ],
  'a value like none may be of a new device': ['A.architecture == "Rubin"', []],
  'names that differ in digits are of different hardware': ['A.productName == "NVIDIA L40"', []],
};

const names: Record<string, readonly [string, readonly string[]]> = {
  'an attribute that no one publishes can never match': [
    'A.architecure == "Hopper"',
    [
      `error unknown-attribute: no device publishes the attribute 'architecure' of gpu.nvidia.com. Use 'architecture'.  <${A}.architecure>`,
    ],
  ],
  'asked for, it is never there': [
    '"architecure" in A && A.architecure == "Hopper"',
    [
      `error unknown-attribute: no device publishes the attribute 'architecure' of gpu.nvidia.com. Use 'architecture'.  <"architecure" in ${A}>`,
    ],
  ],
  'where it is not asked for without effect, other parts may match': [
    'A.architecture == "Hopper" || A.generation == "9"',
    [
      `warning unknown-attribute: no device publishes the attribute 'generation' of gpu.nvidia.com. Declare it in the class if its driver publishes it.  <${A}.generation>`,
    ],
  ],
  'that it is not there may be asked for': [
    '!("architecure" in A)',
    [
      `warning unknown-attribute: no device publishes the attribute 'architecure' of gpu.nvidia.com. Use 'architecture'.  <"architecure" in ${A}>`,
    ],
  ],
  'an optional selection may find nothing': [
    'A.?architecure.orValue("") == "Hopper"',
    [
      `warning unknown-attribute: no device publishes the attribute 'architecure' of gpu.nvidia.com. Use 'architecture'.  <${A}.?architecure>`,
    ],
  ],
  'a capacity is no attribute': [
    'A.memory == "80Gi"',
    [
      `error unknown-attribute: no device publishes the attribute 'memory' of gpu.nvidia.com. It is a capacity: write ${C}.memory.  <${A}.memory>`,
    ],
  ],
  'an attribute is no capacity': [
    'C.architecture.compareTo(quantity("1")) > 0',
    [
      `error unknown-attribute: no device publishes the capacity 'architecture' of gpu.nvidia.com. It is an attribute: write ${A}.architecture.  <${C}.architecture>`,
    ],
  ],
  'a domain that no one has': [
    'device.attributes["gpu.nvidia.con"].architecture == "Hopper"',
    [
      `error unknown-domain: no device publishes attributes or capacities of 'gpu.nvidia.con'. Use 'gpu.nvidia.com'.  <device.attributes["gpu.nvidia.con"].architecture>`,
    ],
  ],
  'what the driver publishes and no class states is unknown, and the line to add is reported': [
    'A.driverVersion.compareTo(semver("580.0.0")) >= 0',
    [
      `warning unstated-attribute: 'driverVersion' is unknown: gpu.nvidia.com publishes it, and no class declares it. Add 'driverVersion: { version: 580.126.20 }', with the value of your nodes, to attributes of device 'gpu' of InferenceClass 'h100'.  <${A}.driverVersion>`,
    ],
  ],
  'what some devices leave out has to be asked for': [
    'S.pcieRoot == "pci0000:64"',
    [
      `warning unguarded-attribute: some devices do not publish 'pcieRoot', because virtual machines may hide it: the selector fails on them, and the cluster does not schedule the pod. Add "pcieRoot" in ${S} && before it.  <${S}.pcieRoot>`,
    ],
  ],
  'has asks for it': ['has(S.pcieRoot) && S.pcieRoot == "pci0000:64"', []],
  'in asks for it': ['"pcieRoot" in S && S.pcieRoot == "pci0000:64"', []],
  'an optional selection asks for it': ['S.?pcieRoot.orValue("") == "pci0000:64"', []],
  'a selector by the number of one device is a warning': [
    'A.uuid == "GPU-2fa8"',
    [
      `warning one-device: 'uuid' identifies one physical device, and no other device matches after that is replaced. Select by an attribute that devices have in common.  <${A}.uuid>`,
    ],
  ],
  'so is one by its address': [
    'has(S.pciBusID) && S.pciBusID == "0000:65:00.0"',
    [
      `warning one-device: 'pciBusID' identifies one physical device, and no other device matches after that is replaced. Select by an attribute that devices have in common.  <${S}.pciBusID>`,
    ],
  ],
  'what classes state of a driver that the catalog does not know is known': [
    'device.attributes["card.example.com"].rack == "a" && device.attributes["example.com"].fast',
    [],
  ],
  'the names of such a driver can be misspelt too': [
    'device.attributes["card.example.com"].rak == "a"',
    [
      `error unknown-attribute: no device publishes the attribute 'rak' of card.example.com. Use 'rack'.  <device.attributes["card.example.com"].rak>`,
    ],
  ],
  'a driver that the catalog knows may have no device yet': [
    'device.driver == "gpu.amd.com" && device.attributes["gpu.amd.com"].productName == "x"',
    [],
  ],
  'the node is asked about without a guard: no cluster evaluates it': [
    'device.capacity["node.fleetwright.dev"].nicBandwidth.compareTo(quantity("400G")) >= 0',
    [],
  ],
  'a driver that no one has': [
    'device.driver == "gpu.nvida.com"',
    [
      `error unknown-driver: no device has the driver 'gpu.nvida.com'. Use 'gpu.nvidia.com'.  <device.driver == "gpu.nvida.com">`,
    ],
  ],
  'a driver that no one has may be ruled out without effect': [
    'device.driver != "gpu.nvida.com"',
    [
      `warning unknown-driver: no device has the driver 'gpu.nvida.com'. Use 'gpu.nvidia.com'.  <device.driver != "gpu.nvida.com">`,
    ],
  ],
};

const types: Record<string, readonly [string, readonly string[]]> = {
  'a version is no text': [
    'A.cudaComputeCapability == "9.0.0"',
    [
      `error wrong-comparison: 'cudaComputeCapability' is a version, and "9.0.0" is a text: the comparison fails or is never true. Use ${A}.cudaComputeCapability.compareTo(semver("9.0.0")) >= 0.  <${A}.cudaComputeCapability == "9.0.0">`,
    ],
  ],
  'nor is it in a list of texts': [
    'A.cudaComputeCapability in ["9.0.0"]',
    [
      `error wrong-comparison: 'cudaComputeCapability' is a version, and "9.0.0" is a text: the comparison fails or is never true. Use ${A}.cudaComputeCapability.compareTo(semver("9.0.0")) >= 0.  <${A}.cudaComputeCapability in ["9.0.0"]>`,
    ],
  ],
  'nor has it a beginning': [
    'A.cudaComputeCapability.startsWith("9.")',
    [
      `error wrong-comparison: 'cudaComputeCapability' is a version, and ${A}.cudaComputeCapability.startsWith("9.") is a text: the comparison fails or is never true. Use ${A}.cudaComputeCapability.compareTo(semver("9.0.0")) >= 0.  <${A}.cudaComputeCapability.startsWith("9.")>`,
    ],
  ],
  'a text is no number': [
    'A.architecture == 9 || A.productName == "NVIDIA H200"',
    [
      `warning wrong-comparison: 'architecture' is a text, and 9 is a whole number: the comparison fails or is never true. Use ${A}.architecture == "...".  <${A}.architecture == 9>`,
    ],
  ],
  'a whole number is no text': [
    'device.attributes["card.example.com"].slot == "3"',
    [
      `error wrong-comparison: 'slot' is a whole number, and "3" is a text: the comparison fails or is never true. Use device.attributes["card.example.com"].slot == 1, without quotes.  <device.attributes["card.example.com"].slot == "3">`,
    ],
  ],
  'a flag is no text': [
    'device.attributes["example.com"].fast == "yes"',
    [
      `error wrong-comparison: 'fast' is true or false, and "yes" is a text: the comparison fails or is never true. Use device.attributes["example.com"].fast, or !device.attributes["example.com"].fast.  <device.attributes["example.com"].fast == "yes">`,
    ],
  ],
  'what is compared by its type is fine': [
    'A.cudaComputeCapability.compareTo(semver("9.0.0")) >= 0 && A.architecture in ["Hopper"] && A.productName.startsWith("NVIDIA")',
    [],
  ],
};

const constants: Record<string, readonly [string, readonly string[]]> = {
  'what is always true takes anything': [
    'true',
    [
      'warning constant-condition: true is always true, for all devices. Add a condition on the device, or remove it. device.driver == "gpu.nvidia.com" matches all GPUs of that driver.  <true>',
    ],
  ],
  'what is always false takes nothing': [
    'A.architecture == "Hopper" && 1 > 2',
    [
      'error constant-condition: 1 > 2 is always false, for all devices. Add a condition on the device, or remove it. device.driver == "gpu.nvidia.com" matches all GPUs of that driver.  <1 > 2>',
    ],
  ],
  'what is always false as an alternative takes nothing away': [
    'A.architecture == "Hopper" || false',
    [
      'warning constant-condition: false is always false, for all devices. Add a condition on the device, or remove it. device.driver == "gpu.nvidia.com" matches all GPUs of that driver.  <false>',
    ],
  ],
  'amounts compared with each other say nothing of a device': [
    '!quantity("80Gi").isLessThan(quantity("79Gi"))',
    [
      'warning constant-condition: quantity("80Gi").isLessThan(quantity("79Gi")) is always false, for all devices. Add a condition on the device, or remove it. device.driver == "gpu.nvidia.com" matches all GPUs of that driver.  <quantity("80Gi").isLessThan(quantity("79Gi"))>',
    ],
  ],
  'what is compared with itself is constant': [
    'A.architecture == A.architecture',
    [
      `warning constant-condition: ${A}.architecture == ${A}.architecture is always true, for all devices. Add a condition on the device, or remove it. device.driver == "gpu.nvidia.com" matches all GPUs of that driver.  <${A}.architecture == ${A}.architecture>`,
    ],
  ],
  'what differs from itself never matches': [
    'C.memory.compareTo(quantity("0")) > 0 && device.driver != device.driver',
    [expect.stringMatching(/^error constant-condition: device.driver != device.driver is always false/)],
  ],
  'bounds that leave nothing never match': [
    'C.memory.compareTo(quantity("80Gi")) >= 0 && C.memory.isLessThan(quantity("40Gi"))',
    [
      `error contradiction: no device matches both this and ${C}.memory.compareTo(quantity("80Gi")) >= 0. Keep one of the two, or use || between them.  <${C}.memory.isLessThan(quantity("40Gi"))>`,
    ],
  ],
  'two values at once never match': [
    'A.architecture == "Hopper" && A.architecture == "Ampere"',
    [
      `error contradiction: no device matches both this and ${A}.architecture == "Hopper". Keep one of the two, or use || between them.  <${A}.architecture == "Ampere">`,
    ],
  ],
  'alternatives contradict nothing': ['A.architecture == "Hopper" || A.architecture == "Ampere"', []],
  'a range leaves something': [
    'C.memory.compareTo(quantity("40Gi")) >= 0 && C.memory.compareTo(quantity("90Gi")) < 0',
    [],
  ],
};

describe.each(Object.entries({ values, names, types, constants }))('what is reported of %s', (_, rows) => {
  test.each(Object.entries(rows))('%s', (_, [expression, want]) => {
    expect(reported(expression)).toEqual(want);
  });
});
