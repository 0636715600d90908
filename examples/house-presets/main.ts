import { join } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import { Fleet } from 'fleetwright/constructs';
import { declareHardware } from './hardware';
import { HouseDeployment } from './house-deployment';

const app = new App();
const fleet = new Fleet(app, 'house', {
  defaults: {
    labels: { 'example.com/cost-centre': 'llm' },
    tolerations: [{ key: 'example.com/shared', operator: 'Exists' }],
    imageRegistry: 'registry.example.com',
  },
});
declareHardware(fleet);
new HouseDeployment(fleet, 'chat', { team: 'support', model: 'Qwen/Qwen3-8B', memory: '22Gi' });
new HouseDeployment(fleet, 'search', { team: 'web', model: 'BAAI/bge-m3', memory: '8Gi', replicas: 1 });
const { charts } = fleet.place({ lock: join(__dirname, 'fleet.lock.yaml') });

// What follows is in what `fleetwright synth` and `cdk8s synth` write. Other commands read a program up to its place().
const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'gpus', namespace: 'support' } };
new ApiObject(new Chart(app, 'quotas'), 'support', { ...quota, spec: { hard: { pods: '10' } } });
for (const chart of charts.values()) {
  for (const object of chart.apiObjects) object.metadata.addAnnotation('example.com/owner', 'ml-platform');
}
app.synth();
