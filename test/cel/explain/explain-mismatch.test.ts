import { explainMismatch } from '../../../src/cel/explain/explain-mismatch';
import { compileSelector } from '../../../src/cel/selector';
import { device, long } from '../build';

function explain(expression: string, on = device()) {
  return explainMismatch(compileSelector(long(expression)), on);
}

/** Sentences by the conjunct that fails, for an L4. */
const sentences: Record<string, Record<string, string>> = {
  'a text that is another': {
    'A.architecture == "Hopper"': 'architecture is "Ada Lovelace", not "Hopper"',
    '"Hopper" == A["architecture"]': 'architecture is "Ada Lovelace", not "Hopper"',
    '!(A.architecture != "Hopper")': 'architecture is "Ada Lovelace", not "Hopper"',
    'device.driver == "nic.example.com"': 'driver is "gpu.nvidia.com", not "nic.example.com"',
    'A.architecture == 3': 'architecture is "Ada Lovelace", not 3',
  },
  'a text that it must not be': {
    'A.architecture != "Ada Lovelace"': 'architecture is "Ada Lovelace", which the selector excludes',
    '!(A.architecture == "Ada Lovelace")': 'architecture is "Ada Lovelace", which the selector excludes',
    '!(A.architecture in ["Ada Lovelace", "Turing"])': 'architecture is "Ada Lovelace", which the selector excludes',
  },
  'a quantity, by compareTo': {
    'C.memory.compareTo(quantity("40Gi")) >= 0': 'memory 23034Mi is less than 40Gi',
    'C.memory.compareTo(quantity("40Gi")) > -1': 'memory 23034Mi is less than 40Gi',
    'C.memory.compareTo(quantity("40Gi")) > 0': 'memory 23034Mi is at most 40Gi',
    'C.memory.compareTo(quantity("40Gi")) == 1': 'memory 23034Mi is at most 40Gi',
    'C.memory.compareTo(quantity("1Gi")) < 0': 'memory 23034Mi is at least 1Gi',
    'C.memory.compareTo(quantity("1Gi")) == -1': 'memory 23034Mi is at least 1Gi',
    'C.memory.compareTo(quantity("1Gi")) <= 0': 'memory 23034Mi is greater than 1Gi',
    'C.memory.compareTo(quantity("40Gi")) == 0': 'memory is 23034Mi, not 40Gi',
    'C.memory.compareTo(quantity("23034Mi")) != 0': 'memory is 23034Mi, which the selector excludes',
    'C.memory.compareTo(quantity("40Gi")) != -1': 'memory 23034Mi is less than 40Gi',
  },
  'a quantity, from the other side': {
    '0 <= C.memory.compareTo(quantity("40Gi"))': 'memory 23034Mi is less than 40Gi',
    'quantity("40Gi").compareTo(C.memory) <= 0': 'memory 23034Mi is less than 40Gi',
    '0 > quantity("40Gi").compareTo(C.memory)': 'memory 23034Mi is at most 40Gi',
    'quantity("40Gi").isLessThan(C.memory)': 'memory 23034Mi is at most 40Gi',
    'quantity("1Gi").isGreaterThan(C.memory)': 'memory 23034Mi is at least 1Gi',
  },
  'a quantity, by name': {
    'C.memory.isGreaterThan(quantity("40Gi"))': 'memory 23034Mi is at most 40Gi',
    'C.memory.isLessThan(quantity("1Gi"))': 'memory 23034Mi is at least 1Gi',
    '!C.memory.isLessThan(quantity("40Gi"))': 'memory 23034Mi is less than 40Gi',
    '!(!(C.memory.isGreaterThan(quantity("40Gi"))))': 'memory 23034Mi is at most 40Gi',
    'C.memory == quantity("40Gi")': 'memory is 23034Mi, not 40Gi',
  },
  'a comparison with a number that compareTo never gives': {
    'C.memory.compareTo(quantity("40Gi")) > 1': `${long('memory.compareTo(quantity("40Gi"))')} -1 is at most 1`,
  },
  'two quantities of the device': {
    'C.cache.compareTo(C.memory) > 0': 'cache 48Mi is at most memory, which is 23034Mi',
  },
  'a version': {
    'A.cudaComputeCapability.compareTo(semver("9.0.0")) >= 0': 'cudaComputeCapability 8.9.0 is less than 9.0.0',
    'A.cudaComputeCapability.isGreaterThan(semver("8.9.0"))': 'cudaComputeCapability 8.9.0 is at most 8.9.0',
    'A.cudaComputeCapability == semver("9.0.0")': 'cudaComputeCapability is 8.9.0, not 9.0.0',
    'A.cudaComputeCapability.major() >= 9': 'cudaComputeCapability.major() 8 is less than 9',
  },
  'a number': {
    'A.index > 3': 'index 3 is at most 3',
    '5 <= A.index': 'index 3 is less than 5',
    '!(A.index <= 3)': 'index 3 is at most 3',
    '(A.index) == (4)': 'index is 3, not 4',
    'A.index == -1': 'index is 3, not -1',
  },
  'an address, a network or a URL': {
    'isIP(A.architecture)': 'architecture "Ada Lovelace" is not an IP address',
    '!isIP(A.address)': 'address "10.0.0.7" is an IP address',
    'isURL(A.architecture)': 'architecture "Ada Lovelace" is not a URL',
    'isCIDR(A.address)': 'address "10.0.0.7" is not a network',
    'isSemver(A.architecture)': 'architecture "Ada Lovelace" is not a semantic version',
    'ip(A.address) == ip("10.0.0.8")': 'ip(address) is 10.0.0.7, not 10.0.0.8',
    'url(A.endpoint) == url("/b")': 'url(endpoint) is https://h:8443/a, not /b',
    'url(A.endpoint).getPort() == "443"': 'url(endpoint).getPort() is "8443", not "443"',
    'cidr("10.1.2.3/16").containsIP(A.address)': 'address "10.0.0.7" is not in 10.1.2.3/16',
    '!cidr("10.0.0.0/8").containsIP(ip(A.address))': 'ip(address) 10.0.0.7 is in 10.0.0.0/8',
    'ip(A.address).isLoopback()':
      'ip(device.attributes["gpu.nvidia.com"].address).isLoopback() is false (address is "10.0.0.7")',
    'ip(A.architecture).isLoopback()': `ip(device.attributes["gpu.nvidia.com"].architecture).isLoopback() cannot be evaluated: 'Ada Lovelace' is not an IP address`,
    'ip(A.nope).isLoopback()': 'it publishes no attribute "nope"',
  },
  'a format': {
    '!format.dns1123Label().validate(A.productName).hasValue()': 'productName "NVIDIA L4" is no dns1123Label',
    'format.labelValue().validate(A.address).hasValue()': 'address "10.0.0.7" is a labelValue',
    '"%s-%d".format([A.address, A.index]) == "a-1"':
      '"%s-%d".format([device.attributes["gpu.nvidia.com"].address, device.attributes["gpu.nvidia.com"].index]) is "10.0.0.7-3", not "a-1"',
  },
  'a list of values': {
    'A.architecture in ["Hopper", "Blackwell"]': 'architecture is "Ada Lovelace", not one of "Hopper", "Blackwell"',
    'A.architecture in ["Hopper"]': 'architecture is "Ada Lovelace", not "Hopper"',
    'A.index in [10, 11, 12, 13, 14, 15, 16]': 'index is 3, not one of 10, 11, 12, 13, 14 and 2 more',
  },
  'a list that is published': {
    '"ib" in A.links': 'links ["nvlink", "pcie"] does not include "ib"',
    '!("pcie" in A.links)': 'links ["nvlink", "pcie"] includes "pcie"',
    'A.links.includes("ib")': 'links ["nvlink", "pcie"] does not include "ib"',
  },
  'a part of a text': {
    'A.productName.contains("H100")': 'productName "NVIDIA L4" does not contain "H100"',
    '!A.productName.startsWith("NVIDIA")': 'productName "NVIDIA L4" starts with "NVIDIA"',
    'A.productName.endsWith("HBM3")': 'productName "NVIDIA L4" does not end with "HBM3"',
    'A.productName.matches("H[12]00")': 'productName "NVIDIA L4" does not match "H[12]00"',
    'A.productName.lowerAscii().contains("h100")': 'productName.lowerAscii() "nvidia l4" does not contain "h100"',
  },
  'a truth': {
    'A.mig': 'mig is false',
    'A.mig == true': 'mig is false, not true',
    'device.allowMultipleAllocations': 'allowMultipleAllocations is false',
  },
  'what is not published': {
    'A.foo == "x"': 'it publishes no attribute "foo"',
    'A.foo': 'it publishes no attribute "foo"',
    'C.foo.isGreaterThan(quantity("1"))': 'it publishes no capacity "foo"',
    'has(A.foo)': 'it publishes no attribute "foo"',
    '"foo" in A': 'it publishes no attribute "foo"',
    'has(device.attributes["x.example.com"].index)': 'it publishes no attribute "x.example.com/index"',
    'device.attributes["x.example.com"].index == 3': 'it publishes no attribute "x.example.com/index"',
    '"x.example.com" in device.attributes': 'it publishes no attributes of "x.example.com"',
  },
  'what is published and must not be': {
    '!has(A.index)': 'it publishes the attribute "index"',
    '!("memory" in C)': 'it publishes the capacity "memory"',
    '!("gpu.nvidia.com" in device.capacity)': 'it publishes the capacity of "gpu.nvidia.com"',
  },
  alternatives: {
    'A.mig || A.index > 3': 'mig is false, and index 3 is at most 3',
    'A.mig || A.index == 1 || A.index == 2 || A.index == 4': long(
      'A.mig || A.index == 1 || A.index == 2 || A.index == 4 is false (mig is false, index is 3)',
    ),
  },
  'any other form, by what it read': {
    'A.links.exists(x, x == "ib")': long('A.links.exists(x, x == "ib") is false (links is ["nvlink", "pcie"])'),
    '!(A.mig || A.index == 3)': long('!(A.mig || A.index == 3) is false (mig is false, index is 3)'),
    'A.?foo.orValue("none").size() > 9 ? true : A.mig': long(
      'A.?foo.orValue("none").size() > 9 ? true : A.mig is false (mig is false)',
    ),
    'has(A.foo) ? A.foo : false': long('has(A.foo) ? A.foo : false is false (no attribute "foo")'),
    '1 > 2': '1 > 2 is false',
    'A.architecture in []': long('A.architecture in [] is false (architecture is "Ada Lovelace")'),
  },
  'what cannot be evaluated': {
    'A.architecture': 'architecture is "Ada Lovelace", not true or false',
    'A.architecture > 3': long('A.architecture > 3 cannot be evaluated: no such overload: string > int'),
    '!A.index': long('!A.index cannot be evaluated: no such overload: !int'),
    'device.attributes.exists(d, device.attributes[d].foo)':
      'device.attributes.exists(d, device.attributes[d].foo) cannot be evaluated: no such key: foo',
  },
};

const rows = Object.entries(sentences).flatMap(([form, cases]) =>
  Object.entries(cases).map(([expression, want]) => [form, expression, want] as const),
);

describe('why a device does not match', () => {
  test.each(rows)('%s: %s', (_, expression, want) => {
    expect(explain(expression)?.sentence).toBe(want);
  });

  test('is nothing for a device that matches', () => {
    expect(explain('A.index == 3 && !A.mig')).toBeUndefined();
  });

  test('is the first conjunct that fails, where it is, behind those that hold', () => {
    const expression = 'A.index == 3 && (!A.mig &&\n  (A.index) == (4)) && A.mig';
    const mismatch = explain(expression);
    expect(mismatch).toMatchObject({
      passed: 2,
      conjunct: long('(A.index) == (4)'),
      sentence: 'index is 3, not 4',
    });
    expect(long(expression).slice(mismatch?.start, mismatch?.end)).toBe(mismatch?.conjunct);
  });

  test('is a conjunct that fails by an error, also where a later one is false', () => {
    expect(explain('A.foo == 1 && A.index == 4')).toMatchObject({
      passed: 0,
      sentence: 'it publishes no attribute "foo"',
    });
  });

  test("names the domain of an attribute that is not the driver's", () => {
    expect(explain('device.attributes["resource.kubernetes.io"].pcieRoot == "x"')?.sentence).toBe(
      'resource.kubernetes.io/pcieRoot is "pci0000:00", not "x"',
    );
  });
});
