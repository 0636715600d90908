import { createGpuHardware, listCatalogueHardware, listGpuNames } from '../../../src/analyze/fit/catalogue-hardware';
import { BUILT_IN_CATALOGUE, BUILT_IN_HARDWARE } from '../../../src/fleet/hardware/hardware';
import { BUILT_IN_MODELS, findModel } from '../../../src/fleet/models/model-book';
import { fitModel, type SizedHardware } from '../../../src/sizing/fit-model';
import { formatLayout, spreadOverNodes } from '../../../src/sizing/layout-rules';

const hardware = listCatalogueHardware(BUILT_IN_HARDWARE);
const model = findModel('Qwen/Qwen3-8B', BUILT_IN_MODELS)!;
const options = { engine: { name: 'vllm', version: [0, 23] }, context: 8192, concurrency: 1, kvBytes: 2 } as const;

function ofType(name: string): SizedHardware {
  return hardware.find((one) => one.hardware === name)!;
}

function layoutsOn(name: string): string[] {
  return fitModel({ model, options, measurements: [] }, [ofType(name)]).map(({ layout }) => formatLayout(layout));
}

test('a model on TPUs takes all chips of a node, because the driver allocates no part of one', () => {
  expect(layoutsOn('gcp/ct6e-standard-4t')).toEqual(['TP 4']);
  expect(layoutsOn('gcp/g2-standard-48')).toEqual(expect.arrayContaining(['1 GPU', 'TP 4']));
});

test('a layout that leaves chips of a node idle is not on its hardware', () => {
  const layout = { pp: 1, dp: 1, ep: 1 };
  expect(spreadOverNodes({ ...layout, tp: 2 }, ofType('gcp/ct6e-standard-4t'))).toBeUndefined();
  expect(spreadOverNodes({ ...layout, tp: 2, dp: 2 }, ofType('gcp/ct6e-standard-4t'))).toMatchObject({ nodes: 1 });
  expect(spreadOverNodes({ ...layout, tp: 2 }, ofType('gcp/g2-standard-48'))).toMatchObject({ nodes: 1 });
});

test('TPUs have the memory of logs and the lowest price of their regions', () => {
  expect(ofType('gcp/ct6e-standard-4t')).toMatchObject({
    gpu: { platform: 'tpu', memoryGiB: 31.25 },
    gpusPerNode: 4,
    pricePerHour: 10.8,
  });
});

test('Neuron devices are left out, because engines run a rank on each of their cores', () => {
  expect(hardware.filter(({ gpu }) => /trainium|inferentia/.test(gpu.name))).toEqual([]);
  expect(listGpuNames(BUILT_IN_CATALOGUE)).not.toContain('trainium2');
  expect(createGpuHardware('trainium2', 1, BUILT_IN_CATALOGUE)).toBeUndefined();
});
