import type { Resource } from '../../src/api/kinds';
import { aClass, aCluster, aDeployment, anEngine, type Doc, gpus, request } from './build';
import { checkRow, type FleetRow } from './rows';

const pool = (reserved: Doc): Resource =>
  aCluster('us', { pools: { h100: { nodeCount: 1, reserved: { devices: reserved } } } });

const devices: Record<string, FleetRow> = {
  'a pool reserves devices of its class': { resources: [aClass('h100'), pool({ gpu: 8 })], want: [] },
  'a reserved device that the class does not have names the nearest': {
    resources: [aClass('h100'), pool({ gpus: 1, nic: 1 })],
    want: [
      "InferenceCluster us spec.nodePools.0.reserved.devices.gpus: InferenceClass 'h100' has no device 'gpus'. Use 'gpu'.",
      "InferenceCluster us spec.nodePools.0.reserved.devices.nic: InferenceClass 'h100' has no device 'nic'. Use one of gpu.",
    ],
  },
  'no more is reserved than a node has': {
    resources: [aClass('h100'), pool({ gpu: 9 })],
    want: [
      "InferenceCluster us spec.nodePools.0.reserved.devices.gpu: 9 devices 'gpu' cannot be reserved where InferenceClass 'h100' has 8. Reserve at most 8.",
    ],
  },
  'a pool without a class is told so, and nothing about its devices': {
    resources: [pool({ gpu: 9 })],
    want: ["InferenceCluster us spec.nodePools.0.className: there is no InferenceClass 'h100'. Declare it."],
  },
  'a pod that asks for more devices than any node of any class has is refused': {
    resources: [aClass('h100'), aClass('l4', { devices: [gpus(1)] }), asking(request('gpu', 9))],
    want: [
      "ModelDeployment ml/q spec.template.spec.engines.0.members.0.nodeSelector.devices.0: the request 'gpu' asks for 9 devices of one node, and no class has more than 8 ('h100'). Ask for fewer devices a pod: a gang of a Leader and Workers takes several nodes.",
    ],
  },
  'devices of one device class add up': {
    resources: [aClass('h100', { devices: [gpus(8), gpus(8, { name: 'b' })] }), asking(request('gpu', 16))],
    want: [],
  },
  'devices of two device classes do not': {
    resources: [
      aClass('h100', { devices: [gpus(8), gpus(8, { name: 'b', deviceClassName: 'other.example.com' })] }),
      asking(request('gpu', 16)),
    ],
    want: [
      "ModelDeployment ml/q spec.template.spec.engines.0.members.0.nodeSelector.devices.0: the request 'gpu' asks for 16 devices of one node, and no class has more than 8 ('h100'). Ask for fewer devices a pod: a gang of a Leader and Workers takes several nodes.",
    ],
  },
  'which of them match is for the selectors, whatever their number': {
    resources: [aClass('h100'), asking(request('gpu', 8, 'device.driver == "other.example.com"'))],
    want: [],
  },
};

function asking(...requests: Doc[]): Resource {
  return aDeployment('ml/q', { engines: [anEngine('main', { devices: requests })] });
}

test.each(Object.entries(devices))('checkFleet on devices: %s', (_, row) => checkRow(row));
