import { aClass, type Doc, gpus } from './build';
import { checkRow, type FleetRow } from './rows';

const declaring = (device: Doc) => [aClass('c', { devices: [gpus(1, device)] })];
const type = (string: string): Doc => ({ attributes: { type: { string } } });

const rows: Record<string, FleetRow> = {
  'a device is claimed through a DeviceClass of its driver': {
    resources: declaring({ deviceClassName: 'gpu.nvidia.com', ...type('gpu') }),
    want: [],
  },
  'a DeviceClass of another driver never has it': {
    resources: declaring({ deviceClassName: 'gpu.amd.com' }),
    want: [
      "InferenceClass c spec.devices.0.deviceClassName: the DeviceClass 'gpu.amd.com' has devices of gpu.amd.com, and the driver is gpu.nvidia.com. Use gpu.nvidia.com or mig.nvidia.com or vfio.gpu.nvidia.com.",
    ],
  },
  'of a driver that no one knows, one of the two is wrong': {
    resources: declaring({ driver: 'gpu.nvidia.con' }),
    want: [
      "InferenceClass c spec.devices.0.deviceClassName: the DeviceClass 'gpu.nvidia.com' has devices of gpu.nvidia.com, and the driver is gpu.nvidia.con. Correct the driver, or the DeviceClass.",
    ],
  },
  'a DeviceClass of the driver may be for another type': {
    resources: declaring(type('mig')),
    want: [
      "InferenceClass c spec.devices.0.deviceClassName: the DeviceClass 'gpu.nvidia.com' has devices of type 'gpu', and the type is 'mig'. Use 'mig.nvidia.com'.",
    ],
  },
  'a type without a DeviceClass is reported those of the driver': {
    resources: declaring(type('vgpu')),
    want: [
      "InferenceClass c spec.devices.0.deviceClassName: the DeviceClass 'gpu.nvidia.com' has devices of type 'gpu', and the type is 'vgpu'. Use gpu.nvidia.com or mig.nvidia.com or vfio.gpu.nvidia.com.",
    ],
  },
  'a DeviceClass that asks for no type has devices of any': {
    resources: declaring({ driver: 'gpu.amd.com', deviceClassName: 'gpu.amd.com', ...type('amdgpu') }),
    want: [],
  },
  "a DeviceClass of the user's own may be for anything": {
    resources: declaring({ deviceClassName: 'big.gpu.example.com' }),
    want: [],
  },
  'under the alias group the class goes on loading': {
    resources: [aClass('c', { group: 'modelplane.ai', devices: [gpus(1, { deviceClassName: 'gpu.amd.com' })] })],
    want: [],
  },
  'a synthetic device is claimed through none': {
    resources: declaring({ claim: 'Synthetic', deviceClassName: 'gpu.amd.com' }),
    want: [],
  },
};

test.each(Object.entries(rows))('checkFleet on device classes: %s', (_, row) => checkRow(row));
