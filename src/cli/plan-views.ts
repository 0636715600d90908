// What `plan` loads on first use: comparisons with other states, and the views besides text and JSON.
export { countAcceptedLost } from '../diff/lost-replicas';
export { findMoreNodes, findNodesForLost } from '../analyze/survive/more-nodes';
export { countReplacedReplicas } from '../diff/fleet-diff';
export { findChangeWarnings } from '../diff/change-warnings';
export { findGateFindings, findWorseTools } from '../diff/gate-findings';
export { findNeedsOfChange } from '../diff/needs-of-change';
export { explainEmptyServices } from '../diff/lost-labels';
export { findShrunkVolumes } from '../diff/shrunk-volumes';
export { formatMoreNodes, listPricesOfMoreNodes } from '../report/analyze/added-nodes-text';
export { formatCostChangeTables } from '../report/cost/cost-changes-tables';
export { formatCostChanges } from '../report/cost/cost-changes-text';
export { comparisonBlocks } from '../report/diff/diff-text';
export { describeUnplacedCount, formatGateVerdict } from '../report/diff/gate-verdict';
export { formatRefusedLines } from '../report/diff/gate-text';
export {
  collectRefusals,
  countProblems,
  describeJoint,
  describeRefusals,
  toRefusalProblems,
} from '../report/diff/refusals';
export { buildMapData } from '../report/map/build-map-data';
export { formatMapPage } from '../report/map/map-page';
export { formatFleetGraph } from '../report/plan/fleet-graph';
export { formatPullRequestComment } from '../report/pull-request/comment';
export { formatRefusedComment } from '../report/pull-request/refused-comment';
export { compareAgainst } from './compare-against';
export { compareDeclarations } from './compare-declarations';
export { createRemedyTrial } from './remedy-trial';
export { createSourceLinks } from './source-links';
export { homelessOf } from '../report/plan/homeless-text';
