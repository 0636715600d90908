import { formatDiagnostic, relocate } from '../../../src/base/diagnostic';
import type { Gpu } from '../../../src/catalog/row-types';
import { expandClass } from '../../../src/fleet/hardware/expand-class';
import { BUILT_IN_CATALOGUE } from '../../../src/fleet/hardware/hardware';
import { type Doc, gpus, parsed } from '../../api/build';

const HBM3 = 'NVIDIA H100 80GB HBM3';

function warningsOf(spec: Doc, catalogue = BUILT_IN_CATALOGUE): string[] {
  const { findings } = expandClass(parsed('InferenceClass', 'x', spec), catalogue);
  return findings.map((one) => `${one.severity} ${formatDiagnostic(relocate(one, (path) => path.join('.')))}`);
}

function withText(name: string, text: string): Doc {
  return { devices: [gpus(8, { attributes: { [name]: { string: text } } })] };
}

const misspelled: readonly (readonly [does: string, name: string, text: string, meant: string])[] = [
  ['letters that are swapped', 'productName', 'NVIDIA H100 80GB HMB3', `'${HBM3}'`],
  ['a letter that is missing', 'architecture', 'Hoper', `'Hopper'`],
  ['a missing letter in another case', 'productName', 'Nvida H200', `'NVIDIA H200'`],
  ['another case', 'productName', 'NVIDIA H100 PCIE', `'NVIDIA H100 PCIe'`],
  ['hyphens for spaces, as in labels of nodes', 'productName', 'NVIDIA-H100-80GB-HBM3', `'${HBM3}'`],
  ['a space within a word', 'productName', 'NVIDIA H100 80 GB HBM3', `'${HBM3}'`],
  ['a part of several names', 'productName', 'H100', `'${HBM3}' or 'NVIDIA H100 NVL' or 'NVIDIA H100 PCIe'`],
  ['an attribute with its domain', 'gpu.nvidia.com/architecture', 'hopper', `'Hopper'`],
];

test.each(misspelled)('%s', (_, name, text, meant) => {
  expect(warningsOf(withText(name, text))).toEqual([
    `warning spec.devices.0.attributes.${name}.string: no known device has the ${name} '${text}'. Did you mean ${meant}?`,
  ]);
});

const silent: Readonly<Record<string, Doc>> = {
  'a known text': withText('productName', HBM3),
  'hardware with another number': withText('productName', 'NVIDIA H800 80GB HBM3'),
  'hardware with another letter before its number': withText('productName', 'NVIDIA A40S'),
  'hardware with more letters before its number': withText('productName', 'NVIDIA GH200'),
  'hardware without the suffix of a known one': withText('productName', 'NVIDIA L40'),
  'hardware with a suffix': withText('productName', 'NVIDIA H100 80GB HBM3e'),
  'a name with more words than a known one': withText('productName', `${HBM3} MIG 1g.10gb`),
  'a word that is far from all known ones': withText('architecture', 'Pascal'),
  'an attribute without known texts': withText('driverName', HBM3.toLowerCase()),
  'a driver without known devices': {
    devices: [gpus(8, { driver: 'card.example.com', attributes: { architecture: { string: 'Hoper' } } })],
  },
  'another known text than that of the instance type': {
    from: 'gcp/a3-highgpu-8g',
    devices: [{ name: 'gpu', attributes: { productName: { string: 'NVIDIA H200' } } }],
  },
};

test.each(Object.entries(silent))('says nothing of %s', (_, spec) => {
  expect(warningsOf(spec)).toEqual([]);
});

test('lists a few of many names', () => {
  const [warning = ''] = warningsOf(withText('productName', 'NVIDIA'));
  expect(warning.split("' or '")).toHaveLength(6);
});

test('finds the text at its place where the class takes other devices from the catalog', () => {
  const devices = [
    { name: 'node', attributes: { interconnect: { string: 'NVSwich' } } },
    { name: 'gpu', attributes: { productName: { string: 'NVIDIA H100 80GB HMB3' } } },
  ];
  expect(warningsOf({ from: 'gcp/a3-highgpu-8g', devices })).toEqual([
    "warning spec.devices.0.attributes.interconnect.string: no known device has the interconnect 'NVSwich'. Did you mean 'NVSwitch'?",
    `warning spec.devices.1.attributes.productName.string: no known device has the productName 'NVIDIA H100 80GB HMB3'. Did you mean '${HBM3}'?`,
  ]);
});

test('knows the hardware of the catalog of a fleet', () => {
  const gpu: Gpu = { ...BUILT_IN_CATALOGUE.gpus.get('h200')!, name: 'own', productName: 'NVIDIA H100 80GB HMB3' };
  const catalogue = { ...BUILT_IN_CATALOGUE, gpus: new Map([...BUILT_IN_CATALOGUE.gpus, ['own', gpu]]) };
  expect(warningsOf(withText('productName', 'NVIDIA H100 80GB HMB3'), catalogue)).toEqual([]);
});
