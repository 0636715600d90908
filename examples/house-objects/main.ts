import { join } from 'node:path';
import { App, Chart, Cron } from 'cdk8s';
import * as kplus from 'cdk8s-plus-30';
import { Fleet } from 'fleetwright/constructs';
import { declareFleet } from './fleet';

const app = new App();
const house = new Chart(app, 'house', { namespace: 'ml' });
const templates = new kplus.ConfigMap(house, 'templates', { data: { 'chat.jinja': '{{ messages }}' } });
const fleet = new Fleet(app, 'main');
const { berlin, weights, chat } = declareFleet(fleet, templates);

const { references } = fleet.place({ lock: join(__dirname, 'fleet.lock.yaml') });
const onBerlin = references(kplus, berlin);
const { chart } = onBerlin;
const { namespace, service, workloads, pods, objects } = onBerlin.deployment(chat);
const metadata = { namespace };

// The Ingress of the house, in front of the Service of the deployment.
new kplus.Ingress(chart, 'ingress', {
  metadata,
  rules: [{ host: 'chat.example.com', backend: kplus.IngressBackend.fromService(service) }],
});

// An autoscaler. The plan reserves devices for `copies`, so more than those may find none.
for (const workload of workloads.values()) {
  new kplus.HorizontalPodAutoscaler(chart, `scale-${workload.name}`, {
    metadata,
    target: workload,
    maxReplicas: 2,
    metrics: [kplus.Metric.pods({ name: 'vllm_requests_waiting', target: kplus.MetricTarget.averageValue(4) })],
  });
}

// A copy of the weights, every week.
for (const claim of onBerlin.cache(weights).claims.values()) {
  const files = kplus.Volume.fromPersistentVolumeClaim(chart, 'files', claim);
  const backup = new kplus.CronJob(chart, 'backup', { metadata, schedule: Cron.weekly() });
  backup.addContainer({
    image: 'rclone/rclone:1.75.1',
    args: ['copy', '/files', 'backup:weights'],
    volumeMounts: [{ path: '/files', volume: files }],
  });
}

// The evaluation of the house may call the pods of the deployment.
const evaluation = kplus.Namespaces.select(chart, 'evaluation', { names: ['evaluation'] });
new kplus.NetworkPolicy(chart, 'from-evaluation', {
  selector: pods,
  ingress: { rules: [{ peer: evaluation, ports: [kplus.NetworkPolicyPort.tcp(8000)] }] },
});

// Those on call may look at the objects of the deployment and restart it.
const role = new kplus.Role(chart, 'on-call', { metadata });
role.allow(['get', 'patch'], ...objects);
role.bind(kplus.Group.fromName(chart, 'group', 'on-call'));

app.synth();
