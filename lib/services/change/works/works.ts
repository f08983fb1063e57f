import 'server-only'
import type { StepTask } from '@/lib/domain/plans/types'
import { awaitEmptyWork } from './await-empty'
import { awaitOfferWork } from './await-offer'
import { clearSparesWork } from './clear-spares'
import { closeServiceWork } from './close-service'
import { createAggregateWork } from './create-aggregate'
import { createFlavorWork } from './create-flavor'
import { createTraitWork } from './create-trait'
import { deleteTestWork } from './delete-test'
import { drainServerWork } from './drain-server'
import {
  describeFlavorWork,
  setAggregateHostsWork,
  setAggregatePropertiesWork,
  setExtraSpecsWork,
  setFlavorAccessWork,
} from './flavor-works'
import { followCapacityWork } from './follow-capacity'
import { keepTraitsWork } from './keep-traits'
import { moveTraitsWork } from './move-traits'
import { openServiceWork } from './open-service'
import { removeMdevWork } from './remove-mdev'
import { removeStaleProviderWork } from './remove-stale-provider'
import { restartNovaWork } from './restart-nova'
import { setTraitsWork } from './set-traits'
import { setVfioTypeWork } from './set-vfio-type'
import type { StepWork } from './step-work'
import { testBootWork } from './test-boot'
import { verifyPgpuWork } from './verify-pgpu'
import { writeConfigWork } from './write-config'
import { writePciConfigWork } from './write-pci-config'

/** Every kind of step; a task without its work does not compile. */
const WORKS: { readonly [Kind in StepTask['kind']]: StepWork<Extract<StepTask, { kind: Kind }>> } = {
  'await-empty': awaitEmptyWork,
  'await-offer': awaitOfferWork,
  'clear-spares': clearSparesWork,
  'close-service': closeServiceWork,
  'create-aggregate': createAggregateWork,
  'create-flavor': createFlavorWork,
  'create-trait': createTraitWork,
  'delete-test': deleteTestWork,
  'describe-flavor': describeFlavorWork,
  'drain-server': drainServerWork,
  'follow-capacity': followCapacityWork,
  'keep-traits': keepTraitsWork,
  'move-traits': moveTraitsWork,
  'open-service': openServiceWork,
  'remove-mdev': removeMdevWork,
  'remove-stale-provider': removeStaleProviderWork,
  'restart-nova': restartNovaWork,
  'set-aggregate-hosts': setAggregateHostsWork,
  'set-aggregate-properties': setAggregatePropertiesWork,
  'set-extra-specs': setExtraSpecsWork,
  'set-flavor-access': setFlavorAccessWork,
  'set-traits': setTraitsWork,
  'set-vfio-type': setVfioTypeWork,
  'test-boot': testBootWork,
  'verify-pgpu': verifyPgpuWork,
  'write-config': writeConfigWork,
  'write-pci-config': writePciConfigWork,
}

/** The work of a task. */
export const workOf = (task: StepTask): StepWork<StepTask> =>
  // The table is closed over kinds; TypeScript can't follow that the kind picks the work of its own task.
  WORKS[task.kind] as StepWork<StepTask>
